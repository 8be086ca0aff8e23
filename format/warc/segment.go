package warc

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Segments reads the block of a segmented record. It reads the block of the first record,
// then the blocks of the continuation records that directly follow it in the archive (ISO
// 28500:2017, annex A).
type Segments struct {
	rec    *Record // current record
	origin string  // id of the first record
	number int     // of rec
	size   int64   // of the segments before rec
	total  int64   // stated by the last segment, -1 without one
	ended  bool
	err    error // at the end of a segment
}

// Segments returns a reader of the block of rec and of its continuation segments. rec must
// be the last record returned by [Reader.Next]. Next must not be called while the segments
// are read.
func (r *Reader) Segments(rec *Record) *Segments {
	return &Segments{rec: rec, origin: rec.ID, number: 1, total: segmentTotal(rec)}
}

// Segmented reports whether rec is the first segment of a block.
func (rec *Record) Segmented() bool { return rec.Type != "continuation" && segmentNumber(rec) == 1 }

func segmentNumber(rec *Record) int {
	n, _ := strconv.Atoi(strings.TrimSpace(rec.Header.Get("WARC-Segment-Number")))
	return n
}

func segmentTotal(rec *Record) int64 {
	return parseLength(rec.Header.Get("WARC-Segment-Total-Length"))
}

// Read reads the blocks one after another. It returns io.EOF after the last.
func (s *Segments) Read(p []byte) (int, error) {
	for !s.ended {
		n, err := s.rec.Read(p)
		if err != io.EOF {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		s.next()
	}
	return 0, io.EOF
}

// next advances to the next segment.
func (s *Segments) next() {
	r, rec := s.rec.r, s.rec
	if s.err = rec.Close(); s.err != nil || s.total >= 0 {
		s.ended = true
		return
	}
	next, err := r.Next()
	if err != nil || next.Type != "continuation" || bare(next.Header.Get("WARC-Segment-Origin-ID")) != s.origin || segmentNumber(next) != s.number+1 {
		r.held, r.heldErr = next, err
		s.ended = true
		return
	}
	s.size += rec.Size
	s.rec, s.number, s.total = next, s.number+1, segmentTotal(next)
}

// Ended reports whether all consecutive segments were read.
func (s *Segments) Ended() bool { return s.ended }

// Whole reports whether the complete block was read: its last segment states the total
// length, and the segments have this length.
func (s *Segments) Whole() bool { return s.ended && s.err == nil && s.total == s.size+s.rec.Size }

// Missing returns an error that names the missing segments if the block was read but is not
// complete. Otherwise it returns nil.
func (s *Segments) Missing() error {
	switch {
	case !s.ended || s.err != nil || s.Whole():
		return nil
	case s.total >= 0:
		return fmt.Errorf("its %d segments have %d bytes, the last one states %d", s.number, s.size+s.rec.Size, s.total)
	}
	return fmt.Errorf("segment %d does not follow it here: it is a continuation record with WARC-Segment-Origin-ID <%s>, perhaps in the next file of the archive", s.number+1, s.origin)
}

// Close skips the rest of the current segment and reports its faults as an [*Error].
func (s *Segments) Close() error {
	if s.ended {
		return s.err
	}
	return s.rec.Close()
}

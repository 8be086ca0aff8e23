package extsort

import (
	"errors"
	"iter"

	"chaffinch/internal/huge"
)

// Stream sorts records that are read once. It holds them in chunks and sorts them in parts that fit
// in a processor's cache while they are read. It takes half the memory of a [Sorter], and its buffer
// grows without copies.
type Stream struct {
	cfg    Config
	sorter *binSorter
	chunks [][]byte // full ones
	open   []byte   // the chunk that is filled
	spare  [][]byte // empty chunks
	slab   int      // size of the next allocation in bytes
	most   int      // maximum number of full chunks
	spilled
	err error // of the file: every later call returns it
}

const (
	// streamChunk is the maximum size in bytes of the chunks of a Stream, streamSlab the maximum size in
	// bytes of the memory that it allocates at once.
	streamChunk, streamSlab = 16 << 10, 4 << 20
)

// NewStream returns a Stream. Expect and Merge have no effect: records with equal keys are kept, in the
// order in which they were added.
func NewStream(cfg Config) (*Stream, error) {
	if err := newLayout(cfg.Record, cfg.Key).check(); err != nil {
		return nil, err
	}
	s := &Stream{cfg: cfg, sorter: newBinSorter(cfg.Record, cfg.Key, cfg.Workers), slab: streamChunk}
	s.most = int(max(cfg.Memory/2/int64(s.chunk()), 1))
	s.sorter.alloc, s.sorter.free = s.alloc, s.free
	return s, nil
}

// chunk returns the size of a full chunk in bytes.
func (s *Stream) chunk() int { return max(streamChunk/s.cfg.Record, 1) * s.cfg.Record }

// Add returns the buffer of the next records, at least one and at most n, which the caller fills before
// the next call. It may hold old bytes.
func (s *Stream) Add(n int) ([]byte, error) {
	if len(s.open) == cap(s.open) {
		if err := s.next(); err != nil {
			return nil, err
		}
	}
	from := len(s.open)
	s.open = s.open[:min(from+n*s.cfg.Record, cap(s.open))]
	return s.open[from:], nil
}

// next opens a chunk.
func (s *Stream) next() error {
	if s.open != nil {
		s.chunks = append(s.chunks, s.open)
		s.open = nil
	}
	if len(s.chunks) >= s.most {
		s.spill()
	}
	if s.err == nil {
		s.open = s.alloc()
	}
	return s.err
}

// alloc returns an empty chunk.
func (s *Stream) alloc() []byte {
	if len(s.spare) == 0 {
		n := s.chunk()
		for slab := huge.Make[byte](s.slab, 0); len(slab) >= n; slab = slab[n:] {
			s.spare = append(s.spare, slab[:0:n])
		}
		s.slab = min(2*s.slab, streamSlab)
	}
	last := len(s.spare) - 1
	c := s.spare[last]
	s.spare = s.spare[:last]
	return c
}

// free recycles a chunk.
func (s *Stream) free(chunk []byte) { s.spare = append(s.spare, chunk[:0]) }

// sort calls emit with the records in order, several at a time, and recycles their chunks.
func (s *Stream) sort(emit func(sorted []byte) error) error {
	chunks := s.chunks
	if len(s.open) > 0 {
		chunks = append(chunks, s.open)
	}
	s.chunks, s.open = nil, nil
	if len(chunks) == 0 {
		return nil
	}
	s.sorter.emit = emit
	return s.sorter.sort(chunks, 0, 0)
}

// spill writes all records as a run.
func (s *Stream) spill() {
	if s.err != nil {
		return
	}
	if s.err = s.sort(func(sorted []byte) error { return s.write(s.cfg.Dir, sorted) }); s.err == nil {
		s.err = s.endRun()
	}
}

// All sorts the records and yields them in order, several at a time. They are valid until the next
// ones. The sequence can be read once, and only Close may follow.
func (s *Stream) All() iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if err := s.each(yield); err != nil && !errors.Is(err, errEnded) {
			yield(nil, err)
		}
	}
}

// errEnded ends a sort whose records are no longer read.
var errEnded = errors.New("ended")

func (s *Stream) each(yield func([]byte, error) bool) error {
	if len(s.runs) == 0 && s.err == nil {
		return s.sort(func(sorted []byte) error {
			if !yield(sorted, nil) {
				return errEnded
			}
			return nil
		})
	}
	if len(s.chunks)+len(s.open) > 0 {
		s.spill()
	}
	if s.err != nil {
		return s.err
	}
	s.spare, s.sorter, s.w = nil, nil, nil
	r, err := (&Sorted{cfg: Config{Record: s.cfg.Record, Key: s.cfg.Key, Memory: s.cfg.Memory}, spilled: s.spilled}).Open()
	batch := make([]byte, 0, s.chunk())
	for err == nil {
		var rec []byte
		if rec, err = r.Next(); rec == nil || len(batch) == cap(batch) {
			if len(batch) > 0 && !yield(batch, nil) || rec == nil {
				break
			}
			batch = batch[:0]
		}
		batch = append(batch, rec...)
	}
	return err
}

// Close discards the records.
func (s *Stream) Close() error {
	s.chunks, s.open, s.spare, s.sorter = nil, nil, nil, nil
	return s.close()
}

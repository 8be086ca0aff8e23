package pipeline

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/disk"
)

// Stream is a Sink that writes all records into one stream.
type Stream struct {
	w    *bufio.Writer
	file *disk.File // nil if the stream is not a file of ours
	n    int64      // bytes of the stream so far

	pack   packer // nil if the stream is not packed
	member int64  // unpacked bytes of the member at hand, 0 between two

	head, between, tail string
}

// packer packs what is written to it; Reset begins a member.
type packer interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// memberBytes is the number of unpacked bytes after which a member ends. It is
// counted in records, never in time, so that a run gives the same bytes each time.
const memberBytes = 1 << 20

// Packings are the names that [Stream.Pack] takes, with the suffix of each.
var Packings = []struct{ Name, Suffix string }{{"gzip", ".gz"}, {"zstd", ".zst"}}

// Pack packs what is written from now on, in members of some megabytes each: a
// run goes on behind a whole one.
func (s *Stream) Pack(name string) (err error) {
	switch name {
	case "gzip":
		s.pack = gzip.NewWriter(nil)
	case "zstd":
		s.pack, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	default:
		err = fmt.Errorf("packing %q is not known: take gzip or zstd", name)
	}
	return err
}

// Cut ends the member at hand if it is large enough and tells whether the stream
// can be cut here: always, if it is not packed.
func (s *Stream) Cut() (bool, error) {
	if s.pack == nil {
		return true, nil
	}
	if s.member >= memberBytes {
		if err := s.endMember(); err != nil {
			return false, err
		}
	}
	return s.member == 0, nil
}

// Len returns the number of bytes of the stream so far.
func (s *Stream) Len() int64 { return s.n }

func (s *Stream) endMember() error {
	if s.member == 0 {
		return nil
	}
	s.member = 0
	return s.pack.Close()
}

// packed takes the bytes of a member.
type packed struct{ s *Stream }

func (p packed) Write(b []byte) (int, error) {
	n, err := p.s.w.Write(b)
	p.s.n += int64(n)
	return n, err
}

// put writes bytes of the stream.
func (s *Stream) put(b []byte) error {
	if s.pack == nil {
		n, err := s.w.Write(b)
		s.n += int64(n)
		return err
	}
	if len(b) == 0 {
		return nil
	}
	if s.member == 0 {
		s.pack.Reset(packed{s})
	}
	n, err := s.pack.Write(b)
	s.member += int64(n)
	return err
}

// begun tells whether anything was written.
func (s *Stream) begun() bool { return s.n > 0 || s.member > 0 }

// NewStream returns a Stream to w, which Close leaves open.
func NewStream(w io.Writer) *Stream { return &Stream{w: bufio.NewWriterSize(w, 1<<18)} }

// OpenStream opens a file as Stream, made if it is not there, cut to length
// and written on from there.
func OpenStream(name string, length int64) (*Stream, error) {
	f, err := disk.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && st.Mode().IsRegular() {
		if st.Size() < length {
			err = fmt.Errorf("%s: %d bytes, but the checkpoint counts %d: the file was changed: remove it and its .state file to start over", name, st.Size(), length)
		} else {
			err = f.Truncate(length)
		}
		if err == nil {
			_, err = f.Seek(length, io.SeekStart)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return streamOn(f, length), nil
}

// streamOn returns a Stream that goes on writing a file of that length.
func streamOn(f *disk.File, length int64) *Stream {
	return &Stream{w: bufio.NewWriterSize(f, 1<<18), file: f, n: length}
}

// Frame sets what is written before the first record that has bytes, between
// two, and after the last.
func (s *Stream) Frame(head, between, tail string) { s.head, s.between, s.tail = head, between, tail }

// Put writes the bytes of r.
func (s *Stream) Put(r *Record) error {
	if len(r.Bytes) == 0 {
		return nil
	}
	edge := s.between
	if !s.begun() {
		edge = s.head
	}
	if err := s.put([]byte(edge)); err != nil {
		return err
	}
	return s.put(r.Bytes)
}

// Finish writes what stands after the last record, and before the first if
// there was none.
func (s *Stream) Finish(context.Context) error {
	edge := s.tail
	if !s.begun() {
		edge = s.head + s.tail
	}
	if err := s.put([]byte(edge)); err != nil || s.pack == nil {
		return err
	}
	if !s.begun() { // an empty file is not packed
		s.pack.Reset(packed{s})
		return s.pack.Close()
	}
	return s.endMember()
}

// Sync flushes and, for a file, waits until it is on stable storage.
func (s *Stream) Sync() (int64, error) {
	if err := s.w.Flush(); err != nil {
		return s.n, err
	}
	if s.file != nil {
		if err := s.file.Sync(); err != nil {
			return s.n, err
		}
	}
	return s.n, nil
}

// Close flushes and closes the file.
func (s *Stream) Close() error {
	err := s.w.Flush()
	if s.file != nil {
		if e := s.file.Close(); err == nil {
			err = e
		}
	}
	return err
}

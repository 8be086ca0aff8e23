package pipeline

import (
	"context"
	"io"

	"chaffinch/internal/files"
)

// Stream is a Sink that writes all records into one stream. One to a file lies
// beside it until it is published.
type Stream struct {
	out  *files.Growing
	name string // of a file that an earlier run has left whole; then out is nil

	head, between, tail string
}

// NewStream returns a Stream to w, which Close leaves open.
func NewStream(w io.Writer) *Stream { return &Stream{out: files.GrowOn(w)} }

// CreateStream makes a file as Stream for a run that cannot be resumed: without
// [Stream.Publish] nothing is left of it.
func CreateStream(name string) (*Stream, error) {
	out, err := files.GrowOnce(name)
	if err != nil {
		return nil, err
	}
	return &Stream{out: out}, nil
}

// OpenStream opens a file as Stream, to be written on behind what the runs before
// have left beside it up to length, 0 at the beginning. done tells that they have
// written all, and only the file is to get its name. A name that ends in .gz or
// .zst gets a packed file.
func OpenStream(name string, length int64, done bool) (*Stream, error) {
	if done {
		return &Stream{name: name}, nil
	}
	out, err := files.Grow(name, length)
	if err != nil {
		return nil, err
	}
	return &Stream{out: out}, nil
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
	if !s.out.Some() {
		edge = s.head
	}
	if _, err := io.WriteString(s.out, edge); err != nil {
		return err
	}
	_, err := s.out.Write(r.Bytes)
	return err
}

// Packed tells whether the stream is packed.
func (s *Stream) Packed() bool { return s.out != nil && s.out.Packed() }

// Full tells that a packed stream should be cut.
func (s *Stream) Full() bool { return s.out.Full() }

// Write writes bytes that a frame has no part in.
func (s *Stream) Write(b []byte) (int, error) { return s.out.Write(b) }

// Cut ends the open member of a packed stream, and returns the length.
func (s *Stream) Cut() (Place, error) {
	n, err := s.out.Cut()
	return Place{Length: n}, err
}

// Finish writes what stands after the last record, and before the first if
// there was none.
func (s *Stream) Finish(context.Context) error {
	edge := s.tail
	if !s.out.Some() {
		edge = s.head + s.tail
	}
	if _, err := io.WriteString(s.out, edge); err != nil {
		return err
	}
	return s.out.End()
}

// Sync flushes and, for a file, waits until it is on stable storage.
func (s *Stream) Sync() error { return s.out.Sync() }

// Publish gives a file its name.
func (s *Stream) Publish() error {
	if s.out == nil {
		return files.Publish(s.name)
	}
	return s.out.Commit()
}

// Close flushes, and closes a file that was not published: what can be resumed
// stays beside it.
func (s *Stream) Close() error {
	if s.out == nil {
		return nil
	}
	err := s.out.Flush()
	s.out.Discard()
	return err
}

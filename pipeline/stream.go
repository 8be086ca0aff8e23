package pipeline

import (
	"context"
	"io"

	"chaffinch/internal/files"
)

// Stream is a Sink that writes all records to one stream. A file lies next to its final name
// until it is published.
type Stream struct {
	out  *files.Growing
	name string // name of a file that an earlier run completed; then out is nil

	head, between, tail string
}

// NewStream returns a Stream to w. Close does not close w.
func NewStream(w io.Writer) *Stream { return &Stream{out: files.GrowOn(w)} }

// CreateStream creates a file as a Stream for a run that cannot be resumed. Without
// [Stream.Publish] the file is removed.
func CreateStream(name string) (*Stream, error) {
	out, err := files.GrowOnce(name)
	if err != nil {
		return nil, err
	}
	return &Stream{out: out}, nil
}

// OpenStream opens a file as a Stream and appends to the first length bytes that previous runs
// wrote; 0 at the beginning. done means that the file is complete and must only be published. A
// name that ends in .gz or .zst selects a compressed file.
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

// Frame sets the text before the first record that has bytes, between two records, and after
// the last.
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

// Packed reports whether the stream is compressed.
func (s *Stream) Packed() bool { return s.out != nil && s.out.Packed() }

// Full reports whether a compressed stream should be cut.
func (s *Stream) Full() bool { return s.out.Full() }

// Write writes bytes without framing.
func (s *Stream) Write(b []byte) (int, error) { return s.out.Write(b) }

// Cut ends the open member of a compressed stream and returns the length of the stream.
func (s *Stream) Cut() (Place, error) {
	n, err := s.out.Cut()
	return Place{Length: n}, err
}

// Finish writes the text after the last record, preceded by the text before the first if there
// was no record.
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

// Sync flushes the stream and, for a file, waits until it is on stable storage.
func (s *Stream) Sync() error { return s.out.Sync() }

// Publish renames a file to its final name.
func (s *Stream) Publish() error {
	if s.out == nil {
		return files.Publish(s.name)
	}
	return s.out.Commit()
}

// Close flushes the stream and closes an unpublished file. A file that can be resumed is kept.
func (s *Stream) Close() error {
	if s.out == nil {
		return nil
	}
	err := s.out.Flush()
	s.out.Discard()
	return err
}

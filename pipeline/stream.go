package pipeline

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"chaffinch/internal/disk"
)

// Stream is a Sink that writes all records into one stream.
type Stream struct {
	w    *bufio.Writer
	file *disk.File // nil if the stream is not a file of ours
	n    int64

	head, between, tail string
}

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
	if s.n == 0 {
		edge = s.head
	}
	if err := s.write(edge); err != nil {
		return err
	}
	n, err := s.w.Write(r.Bytes)
	s.n += int64(n)
	return err
}

// Finish writes what stands after the last record, and before the first if
// there was none.
func (s *Stream) Finish(context.Context) error {
	if s.n == 0 {
		return s.write(s.head + s.tail)
	}
	return s.write(s.tail)
}

func (s *Stream) write(b string) error {
	n, err := s.w.WriteString(b)
	s.n += int64(n)
	return err
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

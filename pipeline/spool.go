package pipeline

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"

	"github.com/klauspost/compress/zstd"
)

// Packer is an Encoder of a format whose file must be written in one pass, such as a format
// with an index at the end. A [Spool] collects its records until all of them are available.
type Packer interface {
	// Pack writes the file of the records. next returns the records in order, each valid until
	// the next call, and [io.EOF] after the last.
	Pack(w io.Writer, next func() ([]byte, error)) error
}

// spoolSuffix is appended to the name of the output to form the name of the record file.
const spoolSuffix = ".rows"

// maxRecord is the maximum length of a record that a spool returns. No record that it accepted
// is as long.
const maxRecord = 1 << 30

// Spool is a Sink for a [Packer]. It collects the records in a file next to the output, as one
// zstd frame per checkpoint. It writes the output after the last record. The run can thus be
// interrupted and resumed at any time, and the output is complete or missing.
type Spool struct {
	pack Packer
	name string    // name of the output, "" if the output is w
	w    io.Writer // nil if the output is a file
	rows *files.Growing
	disk *disk.File
	base int64  // length of the records of previous runs
	file string // record file, "" if it has no name
	zw   *zstd.Encoder
	open bool // whether a frame is open
	done bool
}

// OpenSpool returns a Spool for the output file name. length is the length of the record file
// to resume from, 0 at the beginning. done means that the output is written and only the end of
// the run was not recorded.
func OpenSpool(name string, pack Packer, length int64, done bool) (*Spool, error) {
	s := &Spool{pack: pack, name: name, file: filepath.Clean(name) + spoolSuffix, done: done}
	if done {
		length = 0 // the records may be gone
	}
	var err error
	if s.disk, err = files.OpenAt(s.file, length); err != nil {
		return nil, err
	}
	return s, s.start(length)
}

// NewSpool returns a Spool for an output that is not a file managed by this package. The
// records are collected in a temporary file.
func NewSpool(w io.Writer, pack Packer) (*Spool, error) {
	f, err := disk.Scratch("")
	if err != nil {
		return nil, err
	}
	s := &Spool{pack: pack, w: w, disk: f}
	return s, s.start(0)
}

func (s *Spool) start(length int64) (err error) {
	s.rows, s.base = files.GrowOn(s.disk), length
	s.zw, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	return err
}

// Put stores the bytes of r, if any.
func (s *Spool) Put(r *Record) error {
	if len(r.Bytes) == 0 {
		return nil
	}
	if !s.open {
		s.zw.Reset(s.rows)
		s.open = true
	}
	var head [binary.MaxVarintLen64]byte
	if _, err := s.zw.Write(head[:binary.PutUvarint(head[:], uint64(len(r.Bytes)))]); err != nil {
		return err
	}
	_, err := s.zw.Write(r.Bytes)
	return err
}

// Cut ends the frame and returns the length of the record file.
func (s *Spool) Cut() (Place, error) {
	if s.open {
		s.open = false
		if err := s.zw.Close(); err != nil {
			return Place{}, err
		}
	}
	n, err := s.rows.Cut()
	return Place{Length: s.base + n}, err
}

// Sync writes the records to stable storage.
func (s *Spool) Sync() error {
	if err := s.rows.Sync(); err != nil {
		return err
	}
	return s.disk.Sync()
}

// Finish writes the output. It stops when ctx is done; the records are kept in that case.
func (s *Spool) Finish(ctx context.Context) error {
	at, err := s.Cut()
	if err == nil {
		err = s.Sync()
	}
	if err != nil {
		return err
	}
	zr, err := zstd.NewReader(io.NewSectionReader(s.disk, 0, at.Length), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<20))
	if err != nil {
		return err
	}
	defer zr.Close()
	in := &records{ctx: ctx, r: bufio.NewReaderSize(zr, 1<<16)}
	if s.w != nil {
		err = s.pack.Pack(s.w, in.next)
	} else {
		err = files.Replace(s.name, func(w io.Writer) error {
			out := bufio.NewWriterSize(w, 1<<18)
			if err := s.pack.Pack(out, in.next); err != nil {
				return err
			}
			return out.Flush()
		})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.disk.Name(), err)
	}
	s.done = true
	return nil
}

// Publish does nothing, because Finish already publishes the output.
func (s *Spool) Publish() error { return nil }

// records reads the records that a Spool collected.
type records struct {
	ctx context.Context
	r   *bufio.Reader
	buf []byte
}

func (r *records) next() ([]byte, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, context.Cause(r.ctx)
	}
	n, err := binary.ReadUvarint(r.r)
	if err != nil {
		return nil, err // io.EOF only before the first byte
	}
	if n > maxRecord {
		return nil, fmt.Errorf("record of %d bytes, at most %d: the file was changed", n, maxRecord)
	}
	if uint64(cap(r.buf)) < n {
		r.buf = make([]byte, n)
	}
	r.buf = r.buf[:n]
	_, err = io.ReadFull(r.r, r.buf)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return r.buf, err
}

// Close closes the record file. It removes the file if the output is written.
func (s *Spool) Close() error {
	_, err := s.Cut()
	if e := s.rows.Flush(); err == nil {
		err = e
	}
	if e := s.disk.Close(); err == nil {
		err = e
	}
	if s.done && s.file != "" {
		if e := disk.Remove(s.file); err == nil && !errors.Is(e, fs.ErrNotExist) {
			err = e
		}
	}
	return err
}

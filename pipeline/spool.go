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

// Packer is an Encoder of a format whose file can only be written from its
// first byte to its last, such as one with an index at its end. Its records
// are kept aside until all are there: see [Spool].
type Packer interface {
	// Pack writes the file of the records, which next returns in order, each
	// valid until the next call, and [io.EOF] after the last.
	Pack(w io.Writer, next func() ([]byte, error)) error
}

// spoolSuffix is what the name of the file that keeps records has after that of
// the output.
const spoolSuffix = ".rows"

// maxRecord bounds a record that a spool gives back; none that it took is as
// long.
const maxRecord = 1 << 30

// Spool is a Sink for a [Packer]. It keeps the records beside the output, in a
// file of zstd frames, one a checkpoint, and writes the output when the last
// is there: so a run can be interrupted and resumed at any moment, and the
// output is there whole or not at all.
type Spool struct {
	pack Packer
	name string    // of the output, "" if that is w
	w    io.Writer // nil if the output is a file
	rows *files.Growing
	disk *disk.File
	base int64  // length of the records of the runs before
	file string // that keeps the records, "" if it has no name
	zw   *zstd.Encoder
	open bool // a frame is begun
	done bool
}

// OpenSpool returns a Spool for the output file name. length is the length of
// the kept records to go on from, 0 at the beginning; done tells that the
// output was written and only the end of the run was not told.
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

// NewSpool returns a Spool for an output that is no file of ours. The records
// are kept in a temporary file.
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

// Put keeps the bytes of r, if it has any.
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

// Cut ends the frame and returns the length of the file that keeps the records.
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

// Sync brings the records to stable storage.
func (s *Spool) Sync() error {
	if err := s.rows.Sync(); err != nil {
		return err
	}
	return s.disk.Sync()
}

// Finish writes the output. It stops when ctx is done; the records are still
// there then.
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

// Publish does nothing: the output has its name since Finish.
func (s *Spool) Publish() error { return nil }

// records reads what a Spool has kept.
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
		return nil, err // io.EOF only if there is no byte
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

// Close closes the file that keeps the records and, if the output is written
// or nothing can go on from them, removes it.
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

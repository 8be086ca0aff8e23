package plagiarism

import (
	"encoding/binary"
	"fmt"
	"io"

	"chaffinch/internal/disk"
)

// spoolBytes is the size of the buffer of a spool.
const spoolBytes = 256 << 10

// spool collects a section of the index while another section is written. It keeps the bytes in a
// temporary file, or in memory if dir is "".
type spool struct {
	dir  string
	buf  []byte
	file *disk.File
	size int64 // bytes in file
}

// uint64 appends a number.
func (s *spool) uint64(v uint64) error {
	s.buf = binary.LittleEndian.AppendUint64(s.buf, v)
	return s.flush()
}

// string appends bytes.
func (s *spool) string(v string) error {
	s.buf = append(s.buf, v...)
	return s.flush()
}

// flush writes the buffer to the file if it is full.
func (s *spool) flush() (err error) {
	if len(s.buf) < spoolBytes || s.dir == "" {
		return nil
	}
	if s.file == nil {
		if s.file, err = disk.Scratch(s.dir); err != nil {
			return fmt.Errorf("plagiarism index: %w", err)
		}
	}
	if _, err := s.file.Write(s.buf); err != nil {
		return fmt.Errorf("plagiarism index: writing %s: %w", s.file.Name(), err)
	}
	s.size += int64(len(s.buf))
	s.buf = s.buf[:0]
	return nil
}

// copyTo writes all bytes to w.
func (s *spool) copyTo(w io.Writer) error {
	if s.file != nil {
		if n, err := io.Copy(w, io.NewSectionReader(s.file, 0, s.size)); err != nil {
			return fmt.Errorf("plagiarism index: copying %s: %w", s.file.Name(), err)
		} else if n < s.size {
			return fmt.Errorf("plagiarism index: copying %s: found %d bytes, wanted %d", s.file.Name(), n, s.size)
		}
	}
	_, err := w.Write(s.buf)
	return err
}

// close frees the memory and removes the file.
func (s *spool) close() (err error) {
	if s.file != nil {
		err = s.file.Close()
	}
	*s = spool{}
	return err
}

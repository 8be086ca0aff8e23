package corpus

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"chaffinch/internal/disk"
)

// part is a temporary file that is written once, sequentially, and then read.
type part struct {
	f *disk.File
	w *bufio.Writer
	n int64 // bytes written
}

const partBuffer = 1 << 15

func newPart(dir string) (*part, error) {
	f, err := disk.Scratch(dir)
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	return &part{f: f, w: bufio.NewWriterSize(f, partBuffer)}, nil
}

// Write appends b. The bufio.Writer keeps its first error, which reader returns.
func (p *part) Write(b []byte) (int, error) {
	p.n += int64(len(b))
	return p.w.Write(b)
}

func (p *part) uint32(x uint32) {
	if b := p.w.AvailableBuffer(); cap(b) >= 4 {
		p.w.Write(binary.LittleEndian.AppendUint32(b, x))
	} else {
		p.w.Write(binary.LittleEndian.AppendUint32(nil, x))
	}
	p.n += 4
}

func (p *part) uvarint(x uint64) {
	b := binary.AppendUvarint(p.w.AvailableBuffer(), x)
	p.w.Write(b)
	p.n += int64(len(b))
}

// reader ends writing and returns a reader from the start.
func (p *part) reader() (*bufio.Reader, error) { return p.section(0, p.n, partBuffer) }

// section ends writing and returns a reader of the bytes from from to to. Several
// sections may be read concurrently.
func (p *part) section(from, to int64, buffer int) (*bufio.Reader, error) {
	if err := p.w.Flush(); err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	return bufio.NewReaderSize(io.NewSectionReader(p.f, from, to-from), buffer), nil
}

// close removes the file.
func (p *part) close() {
	p.f.Close()
}

// readUint32 reads one number. An error means that the disk failed.
func readUint32(r *bufio.Reader) (uint32, error) {
	b, err := r.Peek(4)
	if err != nil {
		return 0, fmt.Errorf("temporary file: %w", err)
	}
	x := binary.LittleEndian.Uint32(b)
	r.Discard(4)
	return x, nil
}

func readUvarint(r *bufio.Reader) (uint64, error) {
	x, err := binary.ReadUvarint(r)
	if err != nil {
		return 0, fmt.Errorf("temporary file: %w", err)
	}
	return x, nil
}

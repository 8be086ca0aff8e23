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
	f   *disk.File
	buf []byte // not yet in the file
	n   int64  // bytes written
	err error  // the first error of writing
}

const partBuffer = 1 << 15

func newPart(dir string) (*part, error) {
	f, err := disk.Scratch(dir)
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	return &part{f: f, buf: make([]byte, 0, partBuffer+binary.MaxVarintLen64)}, nil
}

// Write appends b. The part keeps its first error, which reader returns.
func (p *part) Write(b []byte) (int, error) {
	p.n += int64(len(b))
	if len(p.buf)+len(b) > cap(p.buf) {
		p.flush()
	}
	if len(b) > cap(p.buf) {
		if p.err == nil {
			_, p.err = p.f.Write(b)
		}
	} else {
		p.buf = append(p.buf, b...)
	}
	return len(b), p.err
}

func (p *part) uint32(x uint32) {
	p.n += 4
	if p.buf = binary.LittleEndian.AppendUint32(p.buf, x); len(p.buf) >= partBuffer {
		p.flush()
	}
}

// put appends numbers, as uint32 does.
func (p *part) put(xs []uint32) {
	p.n += 4 * int64(len(xs))
	for len(xs) > 0 {
		at := len(p.buf)
		n := min(len(xs), (partBuffer-at+3)/4)
		b := p.buf[at : at+4*n]
		for i, x := range xs[:n] {
			binary.LittleEndian.PutUint32(b[4*i:], x)
		}
		if p.buf, xs = p.buf[:at+4*n], xs[n:]; len(p.buf) >= partBuffer {
			p.flush()
		}
	}
}

func (p *part) uvarint(x uint64) {
	before := len(p.buf)
	p.buf = binary.AppendUvarint(p.buf, x)
	if p.n += int64(len(p.buf) - before); len(p.buf) >= partBuffer {
		p.flush()
	}
}

// flush writes the buffer to the file.
func (p *part) flush() error {
	if len(p.buf) == 0 {
		return p.err
	}
	if p.err == nil {
		_, p.err = p.f.Write(p.buf)
	}
	p.buf = p.buf[:0]
	return p.err
}

// reader ends writing and returns a reader from the start.
func (p *part) reader() (*bufio.Reader, error) { return p.section(0, p.n, partBuffer) }

// section ends writing and returns a reader of the bytes from from to to. Several
// sections may be read concurrently.
func (p *part) section(from, to int64, buffer int) (*bufio.Reader, error) {
	if err := p.flush(); err != nil {
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

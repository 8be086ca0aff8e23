// Package bitpack stores arrays of unsigned integers of a fixed width in bits. [Writer] writes
// them; [Parse] reads them in place from bytes that may be mapped from a file.
package bitpack

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
)

// MaxWidth is the maximum width in bits: shifted within a byte, such a number still fits into 64
// bits.
const MaxWidth = 56

// pad is the number of bytes after the numbers, so that the last one can be read with one 8-byte
// load.
const pad = 8

// trailer is the length in bytes of the trailer: the count and the width.
const trailer = 16

// Width returns the number of bits needed for numbers up to max.
func Width(max uint64) uint { return uint(bits.Len64(max)) }

// Array is a read-only array.
type Array struct {
	data  []byte
	width uint
	mask  uint64
	n     int
}

// Parse reads an array that a [Writer] wrote. The array shares b.
func Parse(b []byte) (Array, error) {
	if len(b) < trailer {
		return Array{}, fmt.Errorf("packed array of %d bytes, at least %d wanted", len(b), trailer)
	}
	t := b[len(b)-trailer:]
	n, width := binary.LittleEndian.Uint64(t), binary.LittleEndian.Uint64(t[8:])
	if width > MaxWidth || n > 1<<56 {
		return Array{}, fmt.Errorf("packed array of %d numbers of %d bits, at most %d bits wanted", n, width, MaxWidth)
	}
	if want := size(n, width); want != uint64(len(b)) {
		return Array{}, fmt.Errorf("packed array of %d numbers of %d bits has %d bytes, wanted %d", n, width, len(b), want)
	}
	return Array{data: b, width: uint(width), mask: 1<<width - 1, n: int(n)}, nil
}

// size returns the encoded length of n numbers in bytes. It cannot overflow: n is below 2^56, width
// below 2^6.
func size(n, width uint64) uint64 {
	return n/8*width + (n%8*width+7)/8 + pad + trailer
}

// Len returns the number of elements.
func (a *Array) Len() int { return a.n }

// Size returns the size of the array in bytes.
func (a *Array) Size() int { return len(a.data) }

// Bytes returns the bytes that hold the numbers from i to before j.
func (a *Array) Bytes(i, j int) []byte {
	return a.data[uint64(i)*uint64(a.width)/8 : (uint64(j)*uint64(a.width)+7)/8]
}

// At returns element i, which must be below Len.
func (a *Array) At(i int) uint64 {
	bit := uint64(i) * uint64(a.width)
	return binary.LittleEndian.Uint64(a.data[bit>>3:]) >> (bit & 7) & a.mask
}

// Writer packs numbers of one width.
type Writer struct {
	w     io.Writer
	buf   []byte
	err   error // the first error of w
	width uint
	n     uint64
	acc   uint64
	fill  uint // bits in acc
}

// writerBuffer is the size of the buffer of a Writer.
const writerBuffer = 1 << 16

// NewWriter returns a Writer of numbers of width bits, at most MaxWidth.
func NewWriter(w io.Writer, width uint) *Writer {
	return &Writer{w: w, buf: make([]byte, 0, writerBuffer), width: width}
}

// Add appends x, which must fit into the width. Close returns its errors.
func (w *Writer) Add(x uint64) {
	w.n++
	w.acc |= x << w.fill
	w.fill += w.width
	if w.fill >= 64 {
		w.word()
		w.fill -= 64
		w.acc = x >> (w.width - w.fill) // 0 when no bits remain: width is below 64
	}
}

// AddZeros appends n zeros.
func (w *Writer) AddZeros(n uint64) {
	w.n += n
	bits := uint64(w.fill) + n*uint64(w.width)
	for ; bits >= 64; bits -= 64 {
		w.word()
		w.acc = 0
	}
	w.fill = uint(bits)
}

// word appends the next 64 bits to the buffer.
func (w *Writer) word() {
	if w.buf = binary.LittleEndian.AppendUint64(w.buf, w.acc); len(w.buf) == writerBuffer {
		w.flush()
	}
}

// AddPacked appends n numbers in the form of [Append], with the width of w. The number of numbers before them must be a
// multiple of 64, and so must n if other numbers follow.
func (w *Writer) AddPacked(b []byte, n int) {
	w.flush()
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
	w.n += uint64(n)
}

// Close writes the rest of the numbers and the trailer. It does not close the underlying writer.
func (w *Writer) Close() error {
	b := binary.LittleEndian.AppendUint64(nil, w.acc)[:(w.fill+7)/8]
	b = append(b, make([]byte, pad)...)
	b = binary.LittleEndian.AppendUint64(b, w.n)
	b = binary.LittleEndian.AppendUint64(b, uint64(w.width))
	w.buf = append(w.buf, b...)
	w.flush()
	return w.err
}

func (w *Writer) flush() {
	if w.err == nil {
		_, w.err = w.w.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

// Append appends numbers of width bits, at most 32, to dst, the first one in the lowest bits. It
// fills the last byte with zero bits. [Unpack] can read the result only if at least 8 more bytes
// follow.
func Append(dst []byte, xs []uint32, width uint) []byte {
	var acc uint64
	var fill uint
	for _, x := range xs {
		acc |= uint64(x) << fill
		if fill += width; fill >= 64 {
			dst = binary.LittleEndian.AppendUint64(dst, acc)
			fill -= 64
			acc = uint64(x) >> (width - fill)
		}
	}
	return append(dst, binary.LittleEndian.AppendUint64(nil, acc)[:(fill+7)/8]...)
}

// Unpack fills dst with numbers of width bits that [Append] packed, and returns the number of bytes
// read. src must extend 8 bytes beyond them.
func Unpack(dst []uint32, src []byte, width uint) int {
	mask := uint64(1)<<width - 1
	bit := uint(0)
	for i := range dst {
		dst[i] = uint32(binary.LittleEndian.Uint64(src[bit>>3:]) >> (bit & 7) & mask)
		bit += width
	}
	return int(bit+7) / 8
}

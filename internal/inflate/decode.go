package inflate

import (
	"encoding/binary"
	"hash/crc32"
	"io"

	"chaffinch/internal/readers"
)

// fastGo decodes symbols while a complete word of input and space for the longest match remain. It
// returns the results of [Reader.careful], but keeps its state in registers.
func (z *Reader) fastGo() error {
	in, out, lit, dist := z.in, z.out[:Window], z.lit, z.dist
	pos, w, hold, n := z.pos, z.w, z.bits, z.n
	hold &= 1<<n - 1
	var err error
	for pos+8 <= len(in) && w < history+ahead-8 { // out is full after the same symbol as with careful
		hold |= binary.LittleEndian.Uint64(in[pos:]) << (n & 63)
		pos += int((63 - n) >> 3)
		n |= 56
		e := lit[hold&(1<<litBits-1)]
		if e&literal != 0 { // usually more literals follow, and there are enough bits for three
			hold >>= e.takes()
			n -= e.takes()
			out[w] = byte(e >> 16)
			w++
			if e = lit[hold&(1<<litBits-1)]; e&literal != 0 {
				hold >>= e.takes()
				n -= e.takes()
				out[w] = byte(e >> 16)
				w++
				if e = lit[hold&(1<<litBits-1)]; e&literal != 0 {
					hold >>= e.takes()
					n -= e.takes()
					out[w] = byte(e >> 16)
					w++
					continue
				}
			}
			if pos+8 > len(in) {
				break
			}
			hold |= binary.LittleEndian.Uint64(in[pos:]) << (n & 63)
			pos += int((63 - n) >> 3)
			n |= 56
		}
		if e&second != 0 {
			hold >>= litBits
			n -= litBits
			e = lit[e.second(hold)&(len(lit)-1)]
			if e&literal != 0 {
				hold >>= e.takes()
				n -= e.takes()
				out[w] = byte(e >> 16)
				w++
				continue
			}
		}
		length := e.withExtra(hold)
		hold >>= e.takes()
		n -= e.takes()
		if length == 0 { // no symbol but a length has this value
			z.state = atBlock
			if e == 0 {
				err = errCorrupt
			}
			break
		}
		e = dist[hold&(1<<distBits-1)]
		if e&second != 0 {
			hold >>= distBits
			n -= distBits
			e = dist[e.second(hold)&(len(dist)-1)]
		}
		back := e.withExtra(hold)
		hold >>= e.takes()
		n -= e.takes()
		if back > w || e == 0 {
			err = errCorrupt
			break
		}
		from := w - back
		if back >= 16 {
			*(*[16]byte)(out[w:]) = *(*[16]byte)(out[from:])
			for k := 16; k < length; k += 16 {
				*(*[16]byte)(out[w+k:]) = *(*[16]byte)(out[from+k:])
			}
			w += length
			continue
		}
		if back >= 8 {
			for k := 0; k < length; k += 8 {
				binary.LittleEndian.PutUint64(out[w+k:], binary.LittleEndian.Uint64(out[from+k:]))
			}
			w += length
			continue
		}
		repeat(out, w, back, length)
		w += length
	}
	z.pos, z.w, z.bits, z.n = pos, w, hold, n
	return err
}

// repeat copies a match that overlaps itself.
func repeat(out []byte, w, back, length int) {
	from, end := w-back, w+length
	for w < end {
		w += copy(out[w:end], out[from:w]) // twice as much each time
	}
}

// careful decodes one symbol near the ends of the buffers.
func (z *Reader) careful() error {
	z.top()
	e, ok := z.code(z.lit[:], litBits)
	switch {
	case !ok:
		return z.unexpectedEnd()
	case e == 0:
		return errCorrupt
	case e&literal != 0:
		z.out[z.w] = byte(e.value())
		z.w++
		return nil
	case e&endMark != 0:
		z.state = atBlock
		return nil
	}
	length, ok := z.withExtraBits(e)
	if !ok {
		return z.unexpectedEnd()
	}
	if e, ok = z.code(z.dist[:], distBits); !ok {
		return z.unexpectedEnd()
	}
	back, ok := z.withExtraBits(e)
	if !ok {
		return z.unexpectedEnd()
	}
	if back > z.w || e == 0 {
		return errCorrupt
	}
	repeat(z.out, z.w, back, length)
	z.w += length
	return nil
}

// code removes a code from bits; ok is false if the input ends within it.
func (z *Reader) code(table []entry, first uint) (e entry, ok bool) {
	held := z.bits & (1<<z.n - 1)
	e = table[held&(1<<first-1)]
	n := e.code()
	if e&second != 0 {
		e = table[e.second(held>>first)]
		n = first + e.code()
	}
	if n > z.n || n == 0 && z.n < missing(table[:1<<first]) {
		return e, false
	}
	z.drop(n)
	return e, true
}

// missing returns the length in bits of the unassigned codes, which the first level of a table
// lacks. Other incomplete codes have one code of one bit, or none (RFC 1951, section 3.2.7). The
// fixed codes lack two codes of 8 bits for lengths, and two codes of 5 bits, the shortest, for
// distances (section 3.2.6).
func missing(table []entry) uint {
	if &table[0] == &fixedTables().lit[0] {
		return 8
	}
	least := uint(0)
	for _, e := range table {
		n := e.code()
		if e&second != 0 {
			n = e.takes()
		}
		if n > 0 && (least == 0 || n < least) {
			least = n
		}
	}
	return least
}

// withExtraBits returns the value of e plus the extra bits after it.
func (z *Reader) withExtraBits(e entry) (v int, ok bool) {
	n := e.takes() - e.code()
	if n > z.n {
		return 0, false
	}
	v = e.value() + int(z.bits&(1<<n-1))
	z.drop(n)
	return v, true
}

// lengthOrder is the order in which the lengths of the code length codes are stored.
var lengthOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// codes reads the codes in the header of a block (RFC 1951, section 3.2.7).
func (z *Reader) codes() error {
	if err := z.need(14); err != nil {
		return err
	}
	lits, dists, order := int(z.bits&31)+257, int(z.bits>>5&31)+1, int(z.bits>>10&15)+4
	z.drop(14)
	if lits > maxLit || dists > maxDist {
		return errCorrupt
	}
	var lens [maxLit + maxDist]uint8
	for _, at := range lengthOrder[:order] {
		if err := z.need(3); err != nil {
			return err
		}
		lens[at] = uint8(z.bits & 7)
		z.drop(3)
	}
	table := z.ownDist[:] // not in use yet
	if !build(table, distBits, lens[:19], &symbols.plain) {
		return errCorrupt
	}
	clear(lens[:19])
	for i := 0; i < lits+dists; {
		z.top()
		e, ok := z.code(table, distBits)
		if !ok {
			return z.unexpectedEnd()
		}
		if e == 0 {
			return errCorrupt
		}
		if e.value() < 16 {
			lens[i] = uint8(e.value())
			i++
			continue
		}
		run := [...]struct{ base, extra uint }{{3, 2}, {3, 3}, {11, 7}}[e.value()-16]
		if z.n < run.extra {
			return z.unexpectedEnd()
		}
		n := int(run.base + uint(z.bits&(1<<run.extra-1)))
		z.drop(run.extra)
		if i+n > lits+dists || e.value() == 16 && i == 0 {
			return errCorrupt
		}
		if e.value() == 16 {
			for k := range n {
				lens[i+k] = lens[i-1]
			}
		}
		i += n
	}
	z.lit, z.dist = &z.ownLit, &z.ownDist
	if !build(z.lit[:], litBits, lens[:lits], &symbols.lit) || !build(z.dist[:], distBits, lens[lits:lits+dists], &symbols.dist) {
		return errCorrupt
	}
	return nil
}

// Flags of a header (RFC 1952, section 2.3.1).
const (
	hasSum     = 1 << 1
	hasExtra   = 1 << 2
	hasName    = 1 << 3
	hasComment = 1 << 4
)

// readHeader skips the header of a member.
func readHeader(br interface {
	io.Reader
	io.ByteReader
}) error {
	var head [10]byte
	if _, err := io.ReadFull(br, head[:]); err != nil {
		return err // io.EOF if the input is empty
	}
	if head[0] != 0x1f || head[1] != 0x8b || head[2] != 8 {
		return errHeader
	}
	sum := crc32.ChecksumIEEE(head[:])
	pass := func(n int) (b [2]byte, err error) {
		for ; n > 0; n-- {
			c, err := br.ReadByte()
			if err != nil {
				return b, readers.Unexpected(err)
			}
			b[0], b[1] = b[1], c
			sum = crc32.Update(sum, crc32.IEEETable, b[1:])
		}
		return b, nil
	}
	if head[3]&hasExtra != 0 {
		size, err := pass(2)
		if err == nil {
			_, err = pass(int(binary.LittleEndian.Uint16(size[:])))
		}
		if err != nil {
			return err
		}
	}
	for _, flag := range [...]byte{hasName, hasComment} {
		for more := head[3]&flag != 0; more; {
			b, err := pass(1)
			if err != nil {
				return err
			}
			more = b[1] != 0
		}
	}
	if head[3]&hasSum != 0 {
		want := uint16(sum)
		if got, err := pass(2); err != nil {
			return err
		} else if binary.LittleEndian.Uint16(got[:]) != want {
			return errHeader
		}
	}
	return nil
}

// Package inflate unpacks gzip (RFC 1951, RFC 1952) in half of the standard library's
// time: it decodes symbols out of one register, straight into the bytes that matches
// are copied from.
package inflate

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"hash/crc32"
	"io"
	"slices"
)

// Errors of damaged data. Data that end early are [io.ErrUnexpectedEOF].
var (
	ErrHeader   = errors.New("gzip: invalid header")
	ErrChecksum = errors.New("gzip: invalid checksum")
	ErrCorrupt  = errors.New("gzip: corrupt input")
	ErrLarge    = errors.New("gzip: member of more bytes than wanted")
)

const (
	history = 32 << 10 // bytes that a match can reach back
	ahead   = 64 << 10 // bytes unpacked at once
	slack   = 288      // what one match may write behind that, whole words at a time

	window = history + ahead + slack
)

// Reader unpacks one member of a gzip file. It takes no byte behind the member from
// the input. The zero Reader must be Reset; it is not safe for concurrent use.
type Reader struct {
	// Check, if set, is asked again and again, at the same places of a member in
	// whatever pieces its input comes, how many bytes behind the header have been
	// unpacked to how many. Its error ends the member.
	Check func(taken, given int64) error

	br   *bufio.Reader // nil where the input is in memory
	head bytes.Reader
	in   []byte // what br holds
	pos  int    // in[pos:] is not in bits yet
	bits uint64 // the next bits of the input, the first one lowest
	n    uint   // how many; what lies above them may be of in[pos:] already
	last bool   // br has nothing more

	broken error // of the input
	taken  int64 // bytes behind the header that were in and are no more
	given  int64 // bytes that were in out and are no more

	out  []byte // unpacked bytes; those before r may be copied from
	r, w int    // out[r:w] is unpacked and not taken

	state  state
	final  bool // this is the last block
	stored int  // bytes left in a stored block
	sum    uint32
	size   uint32
	err    error

	lit     *litTable
	dist    *distTable
	ownLit  litTable
	ownDist distTable
}

// state is what comes next in the input.
type state uint8

const (
	atBlock state = iota
	inStored
	inCodes
	atTrailer
)

// Reset begins with the member at the next byte of br and reads its header. io.EOF
// tells that br is at its end.
func (z *Reader) Reset(br *bufio.Reader) error {
	z.begin(br, nil)
	if z.out == nil {
		z.out = make([]byte, window)
	}
	z.err = readHeader(br)
	return z.err
}

// begin makes z ready for what stands behind a header.
func (z *Reader) begin(br *bufio.Reader, in []byte) {
	z.br, z.in, z.pos, z.bits, z.n, z.last = br, in, 0, 0, 0, false
	z.r, z.w, z.sum, z.size, z.final, z.state, z.broken, z.taken, z.given = 0, 0, 0, 0, false, atBlock, nil, 0, 0
}

// AppendMember appends to dst what the member at the beginning of in unpacks to, which
// may be most bytes, and returns how many bytes of in it takes. On an error, which is
// [ErrLarge] if it is more, dst comes back as it was.
func (z *Reader) AppendMember(dst, in []byte, most int) ([]byte, int, error) {
	z.head.Reset(in)
	if err := readHeader(&z.head); err != nil {
		return dst, 0, err
	}
	z.begin(nil, in)
	z.pos = len(in) - z.head.Len()
	own := z.out
	defer func() { z.out, z.in = own, nil }()
	size := len(dst)
	for at := size; ; at, z.w = at+z.w-history, history { // the window moves over dst
		dst = slices.Grow(dst[:at+z.w], window-z.w)
		z.out = dst[at : at+window]
		for z.w < history+ahead {
			err := z.advance()
			if err == nil && at+z.w-size > most {
				err = ErrLarge
			}
			if err == io.EOF {
				return dst[:at+z.w], z.pos, nil
			}
			if err != nil {
				return dst[:size], 0, err
			}
		}
	}
}

// Read returns io.EOF at the end of the member, where the input then stands.
func (z *Reader) Read(p []byte) (int, error) {
	for z.r == z.w {
		if z.err != nil {
			return 0, z.err
		}
		z.err = z.unpack()
		if z.err != nil {
			z.release()
		}
	}
	n := copy(p, z.out[z.r:z.w])
	z.r += n
	return n, nil
}

// unpack adds bytes to out, up to the end of a block or a full buffer.
func (z *Reader) unpack() error {
	if z.w >= history+ahead {
		z.given += int64(z.w - history)
		copy(z.out, z.out[z.w-history:z.w])
		z.r, z.w = history, history
		if z.Check != nil {
			if err := z.Check(z.taken+int64(z.pos)-int64(z.n>>3), z.given+history); err != nil {
				return err
			}
		}
	}
	return z.advance()
}

// advance adds bytes to out, which has room for them.
func (z *Reader) advance() error {
	from := z.w
	err := z.step()
	z.sum = crc32.Update(z.sum, crc32.IEEETable, z.out[from:z.w])
	z.size += uint32(z.w - from)
	if err == io.EOF { // the trailer has been read, into bits
		if uint32(z.bits) != z.sum || uint32(z.bits>>32) != z.size {
			return ErrChecksum
		}
	}
	return err
}

func (z *Reader) step() error {
	switch z.state {
	case atBlock:
		return z.block()
	case inStored:
		return z.copyStored()
	case inCodes:
		if err := z.fast(); err != nil || z.state != inCodes || z.w >= history+ahead {
			return err
		}
		return z.careful()
	}
	z.align()
	if err := z.need(64); err != nil {
		return err
	}
	z.n = 0
	return io.EOF
}

// block reads the head of a block.
func (z *Reader) block() error {
	if z.final {
		z.state = atTrailer
		return nil
	}
	if err := z.need(3); err != nil {
		return err
	}
	z.final = z.bits&1 != 0
	kind := z.bits >> 1 & 3
	z.drop(3)
	switch kind {
	case 0:
		z.align()
		if err := z.need(32); err != nil {
			return err
		}
		size := uint32(z.bits)
		z.drop(32)
		if size&0xffff != ^size>>16 {
			return ErrCorrupt
		}
		z.giveBack()
		z.stored, z.state = int(size&0xffff), inStored
	case 1:
		fixed := fixedTables()
		z.lit, z.dist, z.state = &fixed.lit, &fixed.dist, inCodes
	case 2:
		if err := z.codes(); err != nil {
			return err
		}
		z.state = inCodes
	default:
		return ErrCorrupt
	}
	return nil
}

// copyStored takes bytes of a stored block. No bits are held.
func (z *Reader) copyStored() error {
	if z.stored == 0 {
		z.state = atBlock
		return nil
	}
	if z.pos == len(z.in) && !z.more() {
		return z.endless()
	}
	n := copy(z.out[z.w:min(z.w+z.stored, history+ahead)], z.in[z.pos:])
	z.w, z.pos, z.stored = z.w+n, z.pos+n, z.stored-n
	return nil
}

// need fills bits with at least n.
func (z *Reader) need(n uint) error {
	for z.n < n {
		if z.pos == len(z.in) {
			if !z.more() {
				return z.endless()
			}
			continue // more may have taken whole bytes back
		}
		z.bits = z.bits&(1<<z.n-1) | uint64(z.in[z.pos])<<z.n
		z.pos++
		z.n += 8
	}
	return nil
}

// top fills bits with what a symbol can take, or what is left of the input.
func (z *Reader) top() {
	for z.n < symbolBits {
		switch {
		case z.pos < len(z.in):
			z.bits = z.bits&(1<<z.n-1) | uint64(z.in[z.pos])<<z.n
			z.pos++
			z.n += 8
		case z.last:
			return
		default:
			z.last = !z.more()
		}
	}
}

func (z *Reader) drop(n uint) {
	z.bits >>= n
	z.n -= n
}

// align drops the bits up to the next whole byte.
func (z *Reader) align() { z.drop(z.n & 7) }

// giveBack puts whole bytes of bits back to the input.
func (z *Reader) giveBack() {
	z.pos -= int(z.n >> 3)
	z.n &= 7
	z.bits &= 1<<z.n - 1
}

// more reads on in the input, and tells whether anything came. Whole bytes of bits
// are in the input again.
func (z *Reader) more() bool {
	if z.br == nil {
		return false
	}
	held := int(z.n >> 3)
	z.release()
	if z.br.Buffered() == held {
		if _, err := z.br.Peek(held + 1); err != nil && err != io.EOF {
			z.broken = err
		}
	}
	z.in, _ = z.br.Peek(z.br.Buffered())
	return len(z.in) > held
}

// release tells br what has been used.
func (z *Reader) release() {
	z.giveBack()
	z.br.Discard(z.pos)
	z.taken += int64(z.pos)
	z.in, z.pos = nil, 0
}

// endless returns why the input ended, which is not at the end of the member.
func (z *Reader) endless() error {
	return cmp.Or(z.broken, io.ErrUnexpectedEOF)
}

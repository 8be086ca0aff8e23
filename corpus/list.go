package corpus

import (
	"encoding/binary"
	"math"
	"math/bits"
	"sort"
)

// Lists of increasing numbers (postings). A list is split into blocks of 128.
//
//	one number    uvarint
//	one block     uvarint first, width, the other gaps minus 1, packed
//	more          for each block: width, the gaps minus 1 after its first number, packed;
//	              then for each block: uint32 first number, uint32 offset of the block in the list
//
// The number of entries is stored separately (the frequencies).
const blockLen = 128

// lister encodes a list incrementally.
type lister struct {
	dst   []byte
	start int // of the list in dst
	block [blockLen]uint32
	fill  int
	skips []byte
}

func (l *lister) begin(dst []byte) {
	l.dst, l.start, l.fill, l.skips = dst, len(dst), 0, l.skips[:0]
}

func (l *lister) add(x uint32) {
	if l.fill == blockLen {
		l.flush()
	}
	l.block[l.fill] = x
	l.fill++
}

func (l *lister) flush() {
	l.skips = binary.LittleEndian.AppendUint32(l.skips, l.block[0])
	l.skips = binary.LittleEndian.AppendUint32(l.skips, uint32(len(l.dst)-l.start))
	l.dst = appendGaps(l.dst, l.block[:l.fill])
	l.fill = 0
}

// end returns dst with the list appended.
func (l *lister) end() []byte {
	if len(l.skips) == 0 {
		if l.fill > 0 {
			l.dst = binary.AppendUvarint(l.dst, uint64(l.block[0]))
		}
		if l.fill > 1 {
			l.dst = appendGaps(l.dst, l.block[:l.fill])
		}
		return l.dst
	}
	l.flush()
	return append(l.dst, l.skips...)
}

func appendGaps(dst []byte, xs []uint32) []byte {
	all := uint32(0)
	for i := 1; i < len(xs); i++ {
		all |= xs[i] - xs[i-1] - 1
	}
	width := uint(bits.Len32(all))
	dst = append(dst, byte(width))
	acc, fill := uint64(0), uint(0)
	for i := 1; i < len(xs); i++ {
		acc |= uint64(xs[i]-xs[i-1]-1) << fill
		fill += width
		if fill >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(acc))
			acc >>= 32
			fill -= 32
		}
	}
	for ; fill > 0; fill -= min(fill, 8) {
		dst = append(dst, byte(acc))
		acc >>= 8
	}
	return dst
}

// cursor reads a list. Its numbers increase and stay below a bound. A damaged list that
// violates this ends early.
type cursor struct {
	list  []byte // of this list, capacity up to the end of the section
	n     int    // total number of entries
	skips []byte // nil with one block
	next  int    // number of the next block
	block [blockLen]uint32
	at    int // in block
	fill  int
	least int64 // lower bound of the next block's first number
	most  int64 // exclusive upper bound of all numbers
}

// reset starts to read a list of n numbers below most.
func (c *cursor) reset(list []byte, n int, most int64) {
	c.list, c.n, c.skips, c.next, c.at, c.fill, c.least, c.most = list, n, nil, 0, 0, 0, 0, most
	if n > blockLen {
		k := (n + blockLen - 1) / blockLen
		if 8*k > len(list) {
			c.n = 0
			return
		}
		c.skips = list[len(list)-8*k:]
	}
}

// peek returns the current number without advancing.
func (c *cursor) peek() (x uint32, ok bool) {
	if c.at == c.fill && !c.load() {
		return 0, false
	}
	return c.block[c.at], true
}

// step advances past the number that peek returned.
func (c *cursor) step() { c.at++ }

// seek advances to the first number that is at least x.
func (c *cursor) seek(x uint32) {
	if c.skips != nil && (c.at == c.fill || c.block[c.fill-1] < x) {
		rest := len(c.skips)/8 - c.next
		k := sort.Search(rest, func(i int) bool {
			return binary.LittleEndian.Uint32(c.skips[8*(c.next+i):]) > x
		})
		if k > 1 { // the last block that begins at x or before
			c.next += k - 1
			c.at, c.fill = 0, 0
		}
	}
	for {
		if c.at == c.fill && !c.load() {
			return
		}
		if c.block[c.fill-1] >= x {
			break
		}
		c.at = c.fill
	}
	c.at += sort.Search(c.fill-c.at, func(i int) bool { return c.block[c.at+i] >= x })
}

// load decodes the next block. It reports whether there is one.
func (c *cursor) load() bool {
	c.at, c.fill = 0, 0
	done := c.next * blockLen
	if done >= c.n {
		return false
	}
	n := min(c.n-done, blockLen)
	var first uint32
	var from int
	if c.skips == nil {
		x, k := binary.Uvarint(c.list)
		if k <= 0 {
			c.n = 0
			return false
		}
		first, from = uint32(x), k
	} else {
		first = binary.LittleEndian.Uint32(c.skips[8*c.next:])
		from = int(binary.LittleEndian.Uint32(c.skips[8*c.next+4:]))
	}
	c.block[0] = first
	c.next++
	if int64(first) < c.least || n > 1 && !c.gaps(from, n) || int64(c.block[n-1]) >= c.most {
		c.n = 0
		return false
	}
	c.fill, c.least = n, int64(c.block[n-1])+1
	return true
}

// gaps decodes the n-1 gaps at byte from of the list. It reports whether they are
// valid.
func (c *cursor) gaps(from, n int) bool {
	b := c.list[:cap(c.list)] // loads may read past the list; the section is padded
	if from < 0 || from >= len(b) {
		return false
	}
	width := uint(b[from])
	b = b[from+1:]
	if width > 32 || int(width)*(n-1)/8+8 > len(b) {
		return false
	}
	mask := uint64(1)<<width - 1
	x := uint64(c.block[0])
	bit := uint(0)
	for i := 1; i < n; i++ {
		x += binary.LittleEndian.Uint64(b[bit>>3:])>>(bit&7)&mask + 1
		c.block[i] = uint32(x)
		bit += width
	}
	return x <= math.MaxUint32
}

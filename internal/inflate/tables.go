package inflate

import (
	"math/bits"
	"sync"
)

const (
	maxLit  = 286 // codes of literals and lengths
	maxDist = 30  // codes of distances
	maxLen  = 15  // bits of a code

	litBits  = 11 // bits that index the first-level table
	distBits = 9

	symbolBits = 2*maxLen + 5 + 13 // maximum bits of a length and its distance
)

// entry is the meaning of a code, 0 if there is no such code:
//
//	bits 0 to 5    bits that it takes: of the code, or of its rest in a second-level table, and extra bits
//	bits 8 to 11   bits of the code, or of its rest, without the extra bits
//	bits 12 to 14  kind
//	bits 16 to 31  literal, length or distance without the value of the extra bits
//
// An entry of the kind second takes the bits of the first-level table. Its bits 8 to 11 are the number
// of bits that index the second-level table, and its value is the offset of that table.
type entry uint32

const (
	literal entry = 1 << 12
	second  entry = 1 << 13
	endMark entry = 1 << 14
)

func (e entry) takes() uint { return uint(e & 63) }
func (e entry) code() uint  { return uint(e >> 8 & 15) }
func (e entry) value() int  { return int(e >> 16) }

// withExtra returns the value of e plus its extra bits. The code is at the start of bits.
func (e entry) withExtra(bits uint64) int {
	return e.value() + int(bits&(1<<e.takes()-1)>>e.code())
}

// second returns the index of the second-level entry. The rest of the code is at the start of bits.
func (e entry) second(bits uint64) int { return e.value() + int(bits&(1<<e.code()-1)) }

// Tables are indexed by the next bits of the input. Second-level tables for longer codes follow the
// first. The sizes are powers of two above the size that any code needs.
type (
	litTable  [4096]entry
	distTable [2048]entry
)

// symbols holds the meaning of each code.
var symbols = func() (s struct{ lit, dist, plain [288]entry }) {
	for i := range s.plain {
		s.plain[i] = literal | entry(i)<<16
	}
	for i := range 256 {
		s.lit[i] = literal | entry(i)<<16
	}
	s.lit[256] = endMark
	base := 3
	for i := 257; i < 285; i++ {
		extra := max(0, (i-261)/4)
		s.lit[i] = entry(extra) | entry(base)<<16
		base += 1 << extra
	}
	s.lit[285] = 258 << 16
	base = 1
	for i := range maxDist {
		extra := max(0, i/2-1)
		s.dist[i] = entry(extra) | entry(base)<<16
		base += 1 << extra
	}
	return s
}()

// fixedTables returns the tables of blocks with fixed codes (RFC 1951, section 3.2.6).
var fixedTables = sync.OnceValue(func() *struct {
	lit  litTable
	dist distTable
} {
	var t struct {
		lit  litTable
		dist distTable
	}
	var lens [288]uint8
	for i := range lens {
		lens[i] = 8
		switch {
		case i >= 280:
		case i >= 256:
			lens[i] = 7
		case i >= 144:
			lens[i] = 9
		}
	}
	build(t.lit[:], litBits, lens[:], &symbols.lit)
	for i := range 32 {
		lens[i] = 5
	}
	build(t.dist[:], distBits, lens[:32], &symbols.dist)
	return &t
})

// build fills a table with the canonical code of the given lengths and reports whether the code is
// valid: complete, or empty, or a single code of one bit. Codes of symbols without a meaning remain
// empty.
func build(table []entry, first uint, lens []uint8, meaning *[288]entry) bool {
	var rest, start [maxLen + 2]int // remaining codes of each length; index of the first symbol of each length
	for _, n := range lens {
		rest[n]++
	}
	rest[0] = 0
	codes, longest := 0, uint(0) // fraction of all strings of maxLen bits
	for n := uint(1); n <= maxLen; n++ {
		start[n+1] = start[n] + rest[n]
		codes += rest[n] << (maxLen - n)
		if rest[n] > 0 {
			longest = n
		}
	}
	if codes != 1<<maxLen && codes != 0 && (longest != 1 || rest[1] != 1) {
		return false
	}
	var sorted [288]uint16
	for sym, n := range lens {
		if n > 0 {
			sorted[start[n]] = uint16(sym)
			start[n]++
		}
	}
	clear(table[:1<<first])
	end := 1 << first // of the tables so far
	code, n := 0, uint(1)
	for _, sym := range sorted[:start[longest]] {
		for rest[n] == 0 {
			code, n = code<<1, n+1
		}
		at := int(bits.Reverse16(uint16(code)) >> (16 - n))
		e, size, step := meaning[sym], 1<<first, 1<<n
		length := n
		if n > first {
			root := &table[at&(1<<first-1)]
			if *root == 0 {
				width := secondBits(rest[:], n, first, longest)
				*root = second | entry(first) | entry(width)<<8 | entry(end)<<16
				clear(table[end : end+1<<width])
				end += 1 << width
			}
			at, size, step = root.value()+at>>first, root.value()+1<<root.code(), 1<<(n-first)
			length = n - first
		}
		if e != 0 {
			e += entry(length)<<8 + entry(length)
			for ; at < size; at += step {
				table[at] = e
			}
		}
		rest[n]--
		code++
	}
	return true
}

// secondBits returns the number of bits that index a second-level table whose shortest code has n
// bits. Codes are assigned by length; the table holds codes until it is full.
func secondBits(rest []int, n, first, longest uint) uint {
	width := n - first
	for left := 1 << width; first+width < longest; width++ {
		left -= rest[first+width]
		if left <= 0 {
			break
		}
		left <<= 1
	}
	return width
}

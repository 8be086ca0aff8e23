// Package simhash tells near-duplicates by fingerprints of 64 bits: those of texts
// that share most of their word n-grams differ in few bits.
//
// Fingerprints: Charikar, Similarity estimation techniques from rounding
// algorithms, STOC 2002. That at most 3 different bits mean a near-duplicate on the
// web, and tables by blocks of bits to find such: Manku, Jain and Das Sarma,
// Detecting near-duplicates for web crawling, WWW 2007.
//
// Unstable: this package may change in any release.
package simhash

import (
	"iter"
	"math/bits"
	"slices"

	"chaffinch/dedup/shingle"
)

// words is the length of the n-grams. With single words long texts of one language lie
// near each other; with three a changed word of a short text leads too far away.
const words = 2

// Hasher makes fingerprints. It is not safe for concurrent use.
type Hasher struct {
	shingler      *shingle.Shingler
	tokens, grams []uint64
	slots         []uint64 // a table of the n-grams of a text
}

// NewHasher returns a Hasher.
func NewHasher() *Hasher {
	cfg := shingle.Default
	cfg.N = words
	return &Hasher{shingler: shingle.New(cfg)}
}

// Of returns the fingerprint of a text: case and punctuation do not count. It is 0 if
// the text has no word.
func (h *Hasher) Of(text string) uint64 {
	h.tokens = h.shingler.Tokens(h.tokens[:0], []byte(text), false)
	h.grams = shingle.NGrams(h.grams[:0], h.tokens, min(words, len(h.tokens)))
	h.unique()
	var ones [64]int
	for part := range slices.Chunk(h.grams, 255) { // what a lane holds
		var lanes [8]uint64
		for _, g := range part {
			for i := range lanes {
				lanes[i] += spread[byte(g>>(8*i))]
			}
		}
		for bit := range ones {
			ones[bit] += int(byte(lanes[bit/8] >> (bit % 8 * 8)))
		}
	}
	var f uint64
	for bit, n := range ones {
		if 2*n > len(h.grams) {
			f |= 1 << bit
		}
	}
	return f
}

// unique leaves each n-gram once: what a text repeats counts no more than the rest.
func (h *Hasher) unique() {
	size := 2 << bits.Len(uint(len(h.grams)))
	h.slots = slices.Grow(h.slots[:0], size)[:size]
	clear(h.slots) // 0 is an empty slot; an n-gram of that hash counts as often as it stands there
	h.grams = slices.DeleteFunc(h.grams, func(g uint64) bool {
		i := g % uint64(size)
		for h.slots[i] != 0 && h.slots[i] != g {
			i = (i + 1) % uint64(size)
		}
		seen := h.slots[i] == g && g != 0
		h.slots[i] = g
		return seen
	})
}

// spread has each bit of a byte in a byte of its own.
var spread = func() (t [256]uint64) {
	for b := range t {
		for bit := range 8 {
			t[b] |= uint64(b) >> bit & 1 << (8 * bit)
		}
	}
	return t
}()

// Near is the number of bits in which near-duplicates differ at most.
const Near = 3

// Blocks of BlockBits: of Near+1 blocks one is the same in near-duplicates.
const (
	Blocks    = Near + 1
	BlockBits = 64 / Blocks
)

// maxLooks bounds the fingerprints that are compared for each block: in a table of
// a million unlike texts there are about 16.
const maxLooks = 4096

// Table holds the last fingerprints that were added, each with a value, and finds
// those near another one. What it finds depends on the order of Add alone.
type Table struct {
	size    int
	count   int // that were ever added; the n-th of them has number n, from 1 on
	entries []entry
	last    [Blocks][]uint32 // by the bits of a block: the last number with these
}

type entry struct {
	print uint64
	value int64
	prev  [Blocks]uint32 // the number before with the same block
}

// NewTable returns a table of the last size fingerprints. It takes 32 bytes for each,
// once they are there, and a megabyte.
func NewTable(size int) *Table {
	t := &Table{size: size}
	for b := range t.last {
		t.last[b] = make([]uint32, 1<<BlockBits)
	}
	return t
}

func block(print uint64, b int) uint64 { return print >> (b * BlockBits) & (1<<BlockBits - 1) }

// Add adds a fingerprint; of a full table the oldest goes.
func (t *Table) Add(print uint64, value int64) {
	t.count++
	e := entry{print: print, value: value}
	for b := range e.prev {
		k := block(print, b)
		e.prev[b], t.last[b][k] = t.last[b][k], uint32(t.count)
	}
	if len(t.entries) < t.size {
		t.entries = append(t.entries, e)
		return
	}
	t.entries[(t.count-1)%t.size] = e
}

// Find returns the fingerprint nearest to print and its value, of equally near ones the
// latest; ok is false if none differs in at most Near bits.
func (t *Table) Find(print uint64) (near uint64, value int64, ok bool) {
	nearest, found := Near+1, 0
	for b := range Blocks {
		n := int(t.last[b][block(print, b)])
		for range maxLooks {
			if n == 0 || n+t.size <= t.count { // gone, and all before it
				break
			}
			e := &t.entries[(n-1)%t.size]
			if d := bits.OnesCount64(e.print ^ print); d < nearest || d == nearest && d <= Near && n > found {
				nearest, found, near, value = d, n, e.print, e.value
			}
			n = int(e.prev[b])
		}
	}
	return near, value, found > 0
}

// Len returns the number of fingerprints in the table.
func (t *Table) Len() int { return len(t.entries) }

// All returns the fingerprints in the table with their values, the oldest first.
func (t *Table) All() iter.Seq2[uint64, int64] {
	return func(yield func(uint64, int64) bool) {
		for n := max(t.count-t.size, 0); n < t.count; n++ {
			if e := &t.entries[n%t.size]; !yield(e.print, e.value) {
				return
			}
		}
	}
}

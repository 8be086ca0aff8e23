// Package simhash detects near-duplicates by fingerprints of 64 bits: texts that share most of
// their word n-grams have fingerprints that differ in few bits. [Hasher.Of] returns a fingerprint;
// [Table.Find] finds a similar one.
//
// Fingerprints: Charikar, Similarity estimation techniques from rounding algorithms, STOC 2002. The
// limit of 3 different bits for near-duplicates on the web, and tables by blocks of bits to find
// them: Manku, Jain and Das Sarma, Detecting near-duplicates for web crawling, WWW 2007.
//
// Unstable: this package may change in any release.
package simhash

import (
	"iter"
	"math/bits"
	"slices"

	"chaffinch/dedup/shingle"
)

// words is the length of the n-grams. With single words, long texts in one language are too
// similar; with three, a changed word makes short texts too different.
const words = 2

// Hasher computes fingerprints. It is not safe for concurrent use.
type Hasher struct {
	shingler      *shingle.Shingler
	tokens, grams []uint64
	slots         []uint64 // hash table of the n-grams of a text
}

// NewHasher returns a Hasher.
func NewHasher() *Hasher {
	cfg := shingle.Default
	cfg.N = words
	return &Hasher{shingler: shingle.New(cfg)}
}

// Of returns the fingerprint of a text, regardless of case and punctuation. It is 0 if the text has
// no words.
func (h *Hasher) Of(text string) uint64 {
	h.tokens = h.shingler.Tokens(h.tokens[:0], []byte(text), false)
	h.grams = shingle.NGrams(h.grams[:0], h.tokens, min(words, len(h.tokens)))
	h.unique()
	var ones [64]int
	for part := range slices.Chunk(h.grams, 255) { // the most that fit in a lane
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

// unique removes repeated n-grams, so that repetition adds no weight.
func (h *Hasher) unique() {
	size := 2 << bits.Len(uint(len(h.grams)))
	h.slots = slices.Grow(h.slots[:0], size)[:size]
	clear(h.slots) // 0 is an empty slot; an n-gram with hash 0 is not deduplicated
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

// spread maps a byte to a word with one bit in each byte.
var spread = func() (t [256]uint64) {
	for b := range t {
		for bit := range 8 {
			t[b] |= uint64(b) >> bit & 1 << (8 * bit)
		}
	}
	return t
}()

// Near is the most bits in which the fingerprints of near-duplicates differ.
const Near = 3

// Fingerprints consist of Blocks blocks of BlockBits bits. Near-duplicates share at least one
// block.
const (
	Blocks    = Near + 1
	BlockBits = 64 / Blocks
)

// maxCompared is the most fingerprints that are compared for each block. A table of a million
// unrelated texts has about 16.
const maxCompared = 4096

// Table holds the most recent fingerprints, each with a value, and finds similar ones. Results
// depend only on the order of Add.
type Table struct {
	size        int
	count       int // number of added fingerprints; they are numbered from 1
	entries     []entry
	lastNumbers [Blocks][]uint32 // per block and value of its bits, the number of the last fingerprint
}

type entry struct {
	print uint64
	value int64
	prev  [Blocks]uint32 // number of the previous fingerprint with the same block
}

// NewTable returns a table of the last size fingerprints. It takes up to 32 bytes for each, and a
// megabyte.
func NewTable(size int) *Table {
	t := &Table{size: size}
	for b := range t.lastNumbers {
		t.lastNumbers[b] = make([]uint32, 1<<BlockBits)
	}
	return t
}

func block(print uint64, b int) uint64 { return print >> (b * BlockBits) & (1<<BlockBits - 1) }

// Add adds a fingerprint. A full table drops the oldest one.
func (t *Table) Add(print uint64, value int64) {
	t.count++
	e := entry{print: print, value: value}
	for b := range e.prev {
		k := block(print, b)
		e.prev[b], t.lastNumbers[b][k] = t.lastNumbers[b][k], uint32(t.count)
	}
	if len(t.entries) < t.size {
		t.entries = append(t.entries, e)
		return
	}
	t.entries[(t.count-1)%t.size] = e
}

// Find returns the fingerprint nearest to print and its value, the latest of equally near ones; ok
// is false if all differ in more than Near bits.
func (t *Table) Find(print uint64) (near uint64, value int64, ok bool) {
	nearest, found := Near+1, 0
	for b := range Blocks {
		n := int(t.lastNumbers[b][block(print, b)])
		for range maxCompared {
			if n == 0 || n+t.size <= t.count { // dropped, like all before it
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

// All yields the fingerprints in the table with their values, oldest first.
func (t *Table) All() iter.Seq2[uint64, int64] {
	return func(yield func(uint64, int64) bool) {
		for n := max(t.count-t.size, 0); n < t.count; n++ {
			if e := &t.entries[n%t.size]; !yield(e.print, e.value) {
				return
			}
		}
	}
}

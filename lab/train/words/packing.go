package words

import (
	"encoding/binary"
	"math"
	"math/bits"

	"chaffinch/text/lm"
)

// packing packs ids below a limit into keys that compare as bytes like the sequences of ids.
type packing struct{ bits uint }

// newPacking returns a packing of ids below n.
func newPacking(n int) packing { return packing{uint(max(1, bits.Len(uint(n-1))))} }

// size returns the size in bytes of a key of k ids.
func (p packing) size(k int) int { return (k*int(p.bits) + 7) / 8 }

// put writes the key of ids.
func (p packing) put(key []byte, ids []uint32) {
	acc, n := uint64(0), uint(0) // n pending bits, from the top of acc
	for _, id := range ids {
		acc |= uint64(id) << (64 - p.bits) >> n
		if n += p.bits; n >= 32 {
			binary.BigEndian.PutUint32(key, uint32(acc>>32))
			key, acc, n = key[4:], acc<<32, n-32
		}
	}
	for i := 0; n > 8*uint(i); i++ {
		key[i] = byte(acc >> (56 - 8*i))
	}
}

// id returns the i-th id of a key. At least eight bytes must follow the key in its record.
func (p packing) id(rec []byte, i int) uint32 {
	at := uint(i) * p.bits
	return uint32(binary.BigEndian.Uint64(rec[at>>3:]) << (at & 7) >> (64 - p.bits))
}

// suffixes is the layout of n-grams in records in the order of a model: the last word, then the
// packed scrambled ids of the words to the left.
type suffixes struct {
	packing
	words int // of the model
}

// size returns the size in bytes of the ids of k words.
func (s suffixes) size(k int) int { return s.packing.size(1) + s.packing.size(k-1) }

// first returns the size in bytes of the last word: the only sort key if records are added in the
// order of the words to the left.
func (s suffixes) first() int { return s.packing.size(1) }

// put writes the ids of an n-gram; the ids to the left are scrambled.
func (s suffixes) put(rec []byte, last uint32, left []uint32) {
	s.packing.put(rec, []uint32{last})
	s.packing.put(rec[s.first():], left)
}

// read reads k words, the last one first.
func (s suffixes) read(words *[lm.MaxOrder]uint32, rec []byte, k int) {
	words[0] = s.id(rec, 0)
	left := rec[s.first():]
	for i := range k - 1 {
		words[i+1] = lm.Unscramble(s.id(left, i), s.words)
	}
}

// counted is the layout of n-grams of k words in records by context: the packed ids of the context,
// scrambled, the nearest word first, and of the last word, then the counts.
type counted struct {
	packing
	k    int
	mass bool // there is a mass; otherwise each weight is 1, and the mass is the count
}

func (c counted) record() int {
	n := c.size(c.k) + 8
	if c.mass {
		n += 8
	}
	return n
}

// put writes a record; ids holds the context followed by the last word.
func (c counted) put(rec []byte, ids []uint32, x entry) {
	c.packing.put(rec, ids)
	rec = rec[c.size(c.k):]
	n := x.n << 1
	if x.out {
		n++
	}
	binary.LittleEndian.PutUint64(rec, n)
	if c.mass {
		binary.LittleEndian.PutUint64(rec[8:], math.Float64bits(x.mass))
	}
}

// entry reads the last word and the counts of a record.
func (c counted) entry(rec []byte) entry {
	x := entry{w: c.id(rec, c.k-1)}
	rec = rec[c.size(c.k):]
	n := binary.LittleEndian.Uint64(rec)
	x.n, x.out = n>>1, n&1 == 1
	if x.mass = float64(x.n); c.mass {
		x.mass = math.Float64frombits(binary.LittleEndian.Uint64(rec[8:]))
	}
	return x
}

// entry is an n-gram of a given context.
type entry struct {
	w    uint32 // its last word
	out  bool   // pruned from the model; it only counts for its context
	n    uint64
	mass float64
}

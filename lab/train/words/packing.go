package words

import (
	"encoding/binary"
	"math"
	"math/bits"

	"chaffinch/text/lm"
)

// packing packs ids below some number into keys that compare as bytes like the
// ids one after the other.
type packing struct{ bits uint }

// newPacking packs ids below n.
func newPacking(n int) packing { return packing{uint(max(1, bits.Len(uint(n-1))))} }

// size returns the bytes of a key of k ids.
func (p packing) size(k int) int { return (k*int(p.bits) + 7) / 8 }

// put writes the key of ids.
func (p packing) put(key []byte, ids []uint32) {
	acc, n := uint64(0), uint(0) // n bits that wait, from the top of acc
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

// id returns the i-th id of a key, which stands in a record that goes on for at
// least eight bytes behind it.
func (p packing) id(rec []byte, i int) uint32 {
	at := uint(i) * p.bits
	return uint32(binary.BigEndian.Uint64(rec[at>>3:]) << (at & 7) >> (64 - p.bits))
}

// suffixes is how n-grams stand in records in the order of a model: the last
// word, and behind it the packed scrambled ids of those to the left.
type suffixes struct {
	packing
	words int // of the model
}

// size returns the bytes of the ids of k words.
func (s suffixes) size(k int) int { return s.packing.size(1) + s.packing.size(k-1) }

// first returns those of the last word: all that is to be sorted by where records
// come in the order of the words to the left.
func (s suffixes) first() int { return s.packing.size(1) }

// put writes the ids of an n-gram, of which those to the left are scrambled.
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

// counted is how n-grams of k words stand in records by context: the packed ids of
// the context, scrambled, the nearest word first, and of the last word; then what
// is counted.
type counted struct {
	packing
	k    int
	mass bool // there is a mass; else each weight is 1, and the mass is the count
}

func (c counted) record() int {
	n := c.size(c.k) + 8
	if c.mass {
		n += 8
	}
	return n
}

// put writes a record, the last word behind its context in ids.
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

// entry reads the last word of a record and what is counted.
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

// entry is an n-gram of one context.
type entry struct {
	w    uint32 // its last word
	out  bool   // left out of the model, where it only counts for its context
	n    uint64
	mass float64
}

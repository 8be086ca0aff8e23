package wordtable

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
)

// Words numbers distinct words in the order of their first occurrence. The zero value is empty.
type Words struct {
	text  []byte   // the words, one after another
	ends  []uint64 // where each word ends in text
	slots []slot   // open addressing; the length is a power of two
	seed  uint64   // of the hashes, against words chosen to collide
}

// slot holds a word, so that most words are compared without another access to memory.
type slot struct {
	head   uint64 // the first eight bytes, followed by zeros
	size   uint32 // in bytes
	number uint32 // 1 + the number of the word; 0 if the slot is free
}

// slotBytes is the size of a slot in memory.
const slotBytes = 16

// minSlots is the length of the smallest hash table.
const minSlots = 1 << 8

// Len returns the number of words.
func (w *Words) Len() int { return len(w.ends) }

// TextLen returns the total length of the words in bytes.
func (w *Words) TextLen() int { return len(w.text) }

// Memory returns an upper bound of the bytes held.
func (w *Words) Memory() int64 {
	return int64(cap(w.text)) + 8*int64(cap(w.ends)) + slotBytes*int64(len(w.slots))
}

// Word returns the word with a number. It must not be modified.
func (w *Words) Word(n int) []byte {
	from := uint64(0)
	if n > 0 {
		from = w.ends[n-1]
	}
	return w.text[from:w.ends[n]]
}

// Add returns the number of a word. A new word gets the number Len.
func (w *Words) Add(word []byte) int { return w.add(word, math.MaxInt) }

// add is Add for a table of at most most words. It returns -1 for a new word if the table is full.
func (w *Words) add(word []byte, most int) int {
	if len(w.slots) == 0 {
		w.slots, w.seed = make([]slot, minSlots), rand.Uint64()
	}
	head, size := load(word), uint32(len(word))
	mask := uint64(len(w.slots) - 1)
	for at := w.hash(head, word) & mask; ; at = (at + 1) & mask {
		s := &w.slots[at]
		if s.number == 0 {
			if len(w.ends) >= most {
				return -1
			}
			*s = slot{head, size, uint32(len(w.ends)) + 1}
			w.text = append(w.text, word...)
			w.ends = append(w.ends, uint64(len(w.text)))
			if 4*len(w.ends) > 3*len(w.slots) {
				w.grow()
			}
			return len(w.ends) - 1
		}
		if s.head == head && s.size == size && (size <= 8 || string(w.Word(int(s.number)-1)) == string(word)) {
			return int(s.number) - 1
		}
	}
}

// grow doubles the number of slots.
func (w *Words) grow() {
	old := w.slots
	w.slots = make([]slot, 2*len(old))
	mask := uint64(len(w.slots) - 1)
	for _, s := range old {
		if s.number == 0 {
			continue
		}
		at := w.hash(s.head, w.Word(int(s.number)-1)) & mask
		for w.slots[at].number != 0 {
			at = (at + 1) & mask
		}
		w.slots[at] = s
	}
}

// Cut keeps the first n words. It removes the others in reverse order of insertion, so that no search
// for a word ends early.
func (w *Words) Cut(n int) {
	if n == 0 && 8*len(w.ends) > len(w.slots) {
		clear(w.slots)
		w.text, w.ends = w.text[:0], w.ends[:0]
		return
	}
	mask := uint64(len(w.slots) - 1)
	for k := len(w.ends) - 1; k >= n; k-- {
		word := w.Word(k)
		at := w.hash(load(word), word) & mask
		for w.slots[at].number != uint32(k)+1 {
			at = (at + 1) & mask
		}
		w.slots[at] = slot{}
		w.text, w.ends = w.text[:len(w.text)-len(word)], w.ends[:k]
	}
}

// hash returns the hash of a word that begins with head.
func (w *Words) hash(head uint64, word []byte) uint64 {
	h := mix(head ^ w.seed + uint64(len(word)))
	for len(word) > 8 {
		word = word[8:]
		h = mix(h ^ load(word))
	}
	return h
}

func mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// load returns the first eight bytes of b as a number, with zeros after a shorter b.
func load(b []byte) uint64 {
	switch n := uint(len(b)); {
	case n >= 8:
		return binary.LittleEndian.Uint64(b)
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<(8*(n-4))
	case n >= 2:
		return uint64(binary.LittleEndian.Uint16(b)) | uint64(binary.LittleEndian.Uint16(b[n-2:]))<<(8*(n-2))
	case n == 1:
		return uint64(b[0])
	}
	return 0
}

// Package wordtable maps words to values in a flat hash table. All words are in one byte slice,
// so that a table of many words has few pointers and adding a word rarely allocates.
package wordtable

import (
	"iter"

	"github.com/zeebo/xxh3"
)

// Table maps words to values. The zero value is empty. A word is found by its 64-bit hash and
// compared byte by byte.
type Table[T any] struct {
	entries []entry[T]
	names   []byte   // the words, one after another
	slots   []uint64 // 0, or 1 + index of an entry below the upper half of its hash; the length is a power of two
}

type entry[T any] struct {
	hash  uint64
	end   uint32 // of the word in names
	value T
}

// minSlots is the length of the smallest hash table.
const minSlots = 1 << 8

// At returns the value of a word. It adds a new word with the zero value, unless the table has
// most words: then it returns nil. The value is valid until a word is added.
func (t *Table[T]) At(word []byte, most int) *T {
	if len(t.slots) == 0 {
		t.slots = make([]uint64, minSlots)
	}
	hash := xxh3.Hash(word)
	upper := hash &^ lower
	mask := len(t.slots) - 1
	at := int(hash) & mask
	for ; t.slots[at] != 0; at = (at + 1) & mask {
		if t.slots[at]&^lower != upper {
			continue
		}
		i := int(t.slots[at]&lower) - 1
		if e := &t.entries[i]; e.hash == hash && string(t.word(i)) == string(word) {
			return &e.value
		}
	}
	if len(t.entries) >= most {
		return nil
	}
	t.names = append(t.names, word...)
	t.entries = append(t.entries, entry[T]{hash: hash, end: uint32(len(t.names))})
	n := len(t.entries)
	t.slots[at] = upper | uint64(n)
	if 2*n > len(t.slots) {
		t.grow()
	}
	return &t.entries[n-1].value
}

// lower masks the lower half of a hash.
const lower = 1<<32 - 1

// grow doubles the hash table.
func (t *Table[T]) grow() {
	t.slots = make([]uint64, 2*len(t.slots))
	mask := len(t.slots) - 1
	for i := range t.entries {
		hash := t.entries[i].hash
		at := int(hash) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = hash&^lower | uint64(i+1)
	}
}

// word returns the i-th word.
func (t *Table[T]) word(i int) []byte {
	start := uint32(0)
	if i > 0 {
		start = t.entries[i-1].end
	}
	return t.names[start:t.entries[i].end]
}

// Len returns the number of words.
func (t *Table[T]) Len() int { return len(t.entries) }

// All yields all words and their values, in the order in which they were added. A word is valid
// until the table is reset.
func (t *Table[T]) All() iter.Seq2[[]byte, *T] {
	return func(yield func([]byte, *T) bool) {
		for i := range t.entries {
			if !yield(t.word(i), &t.entries[i].value) {
				return
			}
		}
	}
}

// Reset removes all words and keeps the memory.
func (t *Table[T]) Reset() {
	if 8*len(t.entries) > len(t.slots) {
		clear(t.slots)
	} else {
		mask := len(t.slots) - 1
		for i := range t.entries {
			at := int(t.entries[i].hash) & mask
			for t.slots[at] != 0 {
				t.slots[at] = 0
				at = (at + 1) & mask
			}
		}
	}
	t.entries, t.names = t.entries[:0], t.names[:0]
}

// Package wordtable numbers words, and maps words to values, in flat hash tables. All words are in
// one byte slice, so that a table of many words has few pointers and adding a word rarely allocates.
package wordtable

import "iter"

// Table maps words to values. The zero value is empty.
type Table[T any] struct {
	words  Words
	values []T
}

// At returns the value of a word. It adds a new word with the zero value, unless the table has
// most words: then it returns nil. The value is valid until a word is added.
func (t *Table[T]) At(word []byte, most int) *T {
	n := t.words.add(word, most)
	if n < 0 {
		return nil
	}
	if n == len(t.values) {
		t.values = append(t.values, *new(T))
	}
	return &t.values[n]
}

// Len returns the number of words.
func (t *Table[T]) Len() int { return len(t.values) }

// All yields all words and their values, in the order in which they were added. A word is valid
// until the table is reset.
func (t *Table[T]) All() iter.Seq2[[]byte, *T] {
	return func(yield func([]byte, *T) bool) {
		for i := range t.values {
			if !yield(t.words.Word(i), &t.values[i]) {
				return
			}
		}
	}
}

// Reset removes all words and keeps the memory.
func (t *Table[T]) Reset() {
	t.words.Cut(0)
	clear(t.values)
	t.values = t.values[:0]
}

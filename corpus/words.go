package corpus

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"chaffinch/internal/parallel"
	"chaffinch/internal/wordtable"
)

// words numbers and counts distinct byte strings in the order of their first occurrence.
type words struct {
	table wordtable.Words
	count []uint32 // number of occurrences of word i
	last  uint32   // word that addAgain added last
}

func newWords() *words { return new(words) }

func (w *words) len() int { return len(w.count) }

// memory returns an upper bound of the bytes held.
func (w *words) memory() int64 { return w.table.Memory() + 4*int64(cap(w.count)) }

func (w *words) word(i uint32) []byte { return w.table.Word(int(i)) }

// reserve makes counts for the words up to number n.
func (w *words) reserve(n int) {
	if n >= len(w.count) {
		w.count = append(w.count, make([]uint32, n+1-len(w.count))...)
	}
}

// add counts b and returns its number.
func (w *words) add(b []byte) uint32 {
	n := w.table.Add(b)
	w.reserve(n)
	w.count[n]++
	return uint32(n)
}

// addAgain is add, but faster for the word that it added last.
func (w *words) addAgain(b []byte) uint32 {
	if int(w.last) < len(w.count) && string(w.word(w.last)) == string(b) {
		w.count[w.last]++
	} else {
		w.last = w.add(b)
	}
	return w.last
}

// sortedWord is a word while words are sorted.
type sortedWord struct {
	head uint64 // the first 8 bytes, which nearly always decide
	n    uint32
}

// compare orders two words by their bytes.
func (w *words) compare(a, b sortedWord) int {
	if a.head != b.head {
		return cmp.Compare(a.head, b.head)
	}
	return bytes.Compare(w.word(a.n), w.word(b.n))
}

// sortedAtOnce is the minimum number of words that are sorted in parts.
const sortedAtOnce = 1 << 12

// sorted returns the numbers of the words that occur, in the order of the words' bytes.
func (w *words) sorted() []uint32 {
	es := make([]sortedWord, 0, w.len())
	for i, n := range w.count {
		if n > 0 {
			var head [8]byte
			copy(head[:], w.word(uint32(i)))
			es = append(es, sortedWord{binary.BigEndian.Uint64(head[:]), uint32(i)})
		}
	}
	parts := [][]sortedWord{es}
	if len(es) >= sortedAtOnce {
		parts = byPrefix(es)
	}
	parallel.Each(0, len(parts), func(i int) { slices.SortFunc(parts[i], w.compare) })
	out := make([]uint32, 0, len(es))
	for _, part := range parts {
		for _, e := range part {
			out = append(out, e.n)
		}
	}
	return out
}

// byPrefix returns the words in parts, which are sorted by the first two bytes.
func byPrefix(es []sortedWord) (parts [][]sortedWord) {
	const prefixes = 1 << 16
	ends := make([]int, prefixes)
	for _, e := range es {
		ends[e.head>>48]++
	}
	from := 0
	for i, n := range ends {
		ends[i] = from
		from += n
	}
	sorted := make([]sortedWord, len(es))
	for _, e := range es {
		at := &ends[e.head>>48]
		sorted[*at] = e
		*at++
	}
	from = 0
	for _, to := range ends {
		if to > from {
			parts = append(parts, sorted[from:to])
			from = to
		}
	}
	return parts
}

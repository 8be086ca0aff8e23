package corpus

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"runtime"
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

// sortedAtOnce is the minimum number of words that are sorted in two halves.
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
	out := make([]uint32, 0, len(es))
	x, y := es, es[len(es):]
	if len(es) >= sortedAtOnce && runtime.GOMAXPROCS(0) > 1 {
		x, y = es[:len(es)/2], es[len(es)/2:]
	}
	parallel.Each(2, 2, func(i int) { slices.SortFunc([][]sortedWord{x, y}[i], w.compare) })
	for len(x) > 0 && len(y) > 0 {
		if w.compare(x[0], y[0]) < 0 {
			out, x = append(out, x[0].n), x[1:]
		} else {
			out, y = append(out, y[0].n), y[1:]
		}
	}
	for _, rest := range [][]sortedWord{x, y} {
		for _, e := range rest {
			out = append(out, e.n)
		}
	}
	return out
}

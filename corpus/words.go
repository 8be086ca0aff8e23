package corpus

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"runtime"
	"slices"

	"chaffinch/internal/parallel"
)

// words numbers distinct byte strings in the order of their first occurrence.
type words struct {
	seed  maphash.Seed
	text  []byte   // all words, one after another
	ends  []uint32 // where word i ends in text
	hash  []uint32
	count []uint32 // number of occurrences of word i
	table []uint32 // open addressing: 1 + number of the word, 0 = free
}

func newWords() *words {
	return &words{seed: maphash.MakeSeed(), table: make([]uint32, 1<<10)}
}

func (w *words) len() int { return len(w.ends) }

// memory returns an upper bound of the bytes held, including while the tables double.
func (w *words) memory() int64 {
	return int64(cap(w.text)) + 4*int64(cap(w.ends)+cap(w.hash)+cap(w.count)+len(w.table))
}

func (w *words) word(i uint32) []byte {
	from := uint32(0)
	if i > 0 {
		from = w.ends[i-1]
	}
	return w.text[from:w.ends[i]]
}

// add counts b and returns its number.
func (w *words) add(b []byte) uint32 {
	h := uint32(maphash.Bytes(w.seed, b))
	mask := uint32(len(w.table) - 1)
	i := h & mask
	for ; w.table[i] != 0; i = (i + 1) & mask {
		if n := w.table[i] - 1; w.hash[n] == h && bytes.Equal(w.word(n), b) {
			w.count[n]++
			return n
		}
	}
	n := uint32(len(w.ends))
	w.table[i] = n + 1
	w.text = append(w.text, b...)
	w.ends = append(w.ends, uint32(len(w.text)))
	w.hash = append(w.hash, h)
	w.count = append(w.count, 1)
	if 2*len(w.ends) > len(w.table) {
		w.grow()
	}
	return n
}

func (w *words) grow() {
	w.table = make([]uint32, 2*len(w.table))
	mask := uint32(len(w.table) - 1)
	for n, h := range w.hash {
		i := h & mask
		for w.table[i] != 0 {
			i = (i + 1) & mask
		}
		w.table[i] = uint32(n) + 1
	}
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

// sorted returns the numbers in the order of the words' bytes.
func (w *words) sorted() []uint32 {
	es := make([]sortedWord, len(w.ends))
	for i := range es {
		var head [8]byte
		copy(head[:], w.word(uint32(i)))
		es[i] = sortedWord{binary.BigEndian.Uint64(head[:]), uint32(i)}
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

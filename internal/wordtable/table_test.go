package wordtable

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
)

// TestTable compares a table with a map, through growth and several resets.
func TestTable(t *testing.T) {
	var table Table[int]
	for _, n := range []int{3, 5000, 10, 1, 300, 0, 40} {
		want := map[string]int{}
		for i := range 3 * n {
			word := fmt.Sprint("w", i%n*i%(n+7))
			*table.At([]byte(word), 1<<20) += i
			want[word] += i
		}
		got := map[string]int{}
		for word, v := range table.All() {
			got[string(word)] = *v
		}
		if !maps.Equal(got, want) || table.Len() != len(want) {
			t.Fatalf("%d words: %d of %d, or other values", n, len(got), len(want))
		}
		table.Reset()
		if table.Len() != 0 {
			t.Fatalf("%d words after a reset", table.Len())
		}
	}
}

// TestMost adds words up to the limit only.
func TestMost(t *testing.T) {
	var table Table[int]
	for i := range 5 {
		v := table.At([]byte{'a' + byte(i)}, 3)
		if (v != nil) != (i < 3) {
			t.Errorf("word %d: %v", i, v)
		}
	}
	if v := table.At([]byte("b"), 3); v == nil {
		t.Error("a word of a full table was not found")
	}
}

// TestAllocations: a table that is reused allocates nothing.
func TestAllocations(t *testing.T) {
	var table Table[int32]
	words := make([][]byte, 1000)
	for i := range words {
		words[i] = fmt.Append(nil, "word", i)
	}
	fill := func() {
		for _, w := range words {
			*table.At(w, 1<<20)++
		}
		table.Reset()
	}
	if fill(); testing.AllocsPerRun(10, fill) > 0 {
		t.Error("a reused table allocates")
	}
}

// TestCut removes the last words: the others are still found, with their numbers.
func TestCut(t *testing.T) {
	word := func(i int) []byte { return bytes.Repeat(fmt.Append(nil, i, "-"), 1+i%3) }
	for range 50 { // with different hashes
		var w Words
		for _, n := range []int{300, 290, 100, 10, 1, 0} {
			for i := range 300 {
				if got := w.Add(word(i)); got != i {
					t.Fatalf("word %d has the number %d", i, got)
				}
			}
			if w.Cut(n); w.Len() != n {
				t.Fatalf("%d words, wanted %d", w.Len(), n)
			}
			for i := range n {
				if got := w.Add(word(i)); got != i || !bytes.Equal(w.Word(i), word(i)) {
					t.Fatalf("cut to %d words: word %d is %q, with the number %d", n, i, w.Word(i), got)
				}
			}
		}
	}
}

// TestRecent compares a table of many words, most of them short and frequent, with a map.
func TestRecent(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var w Words
	want := map[string]int{}
	for i := range 150_000 {
		var word []byte
		if n := int(rnd.ExpFloat64() * 3000); n%5 == 0 {
			word = binary.LittleEndian.AppendUint64(nil, uint64(n))[:n%10%9] // with zeros, in a longer slice
		} else {
			word = fmt.Append(make([]byte, 0, n%13), "w", n)
		}
		if i == 100_000 {
			w.Cut(3 * len(want) / 4)
			for word, n := range want {
				if n >= w.Len() {
					delete(want, word)
				}
			}
		}
		n, ok := want[string(word)]
		if !ok {
			n = len(want)
			want[string(word)] = n
		}
		if got := w.Add(word); got != n || !bytes.Equal(w.Word(n), word) {
			t.Fatalf("word %d, %q: number %d, want %d", i, word, got, n)
		}
	}
	if w.recent == nil || w.Len() != len(want) {
		t.Errorf("%d words, want %d; %d recent ones", w.Len(), len(want), len(w.recent))
	}
}

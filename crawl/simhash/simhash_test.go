package simhash

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
)

// sentence makes a text of n words.
func sentence(r *rand.Rand, n int) []string {
	var list []string
	for range n {
		list = append(list, fmt.Sprintf("word%d", r.IntN(5000)))
	}
	return list
}

// TestOf wants texts that share most of their words to be near, others not.
func TestOf(t *testing.T) {
	h := NewHasher()
	if h.Of("") != 0 || h.Of(" ... !") != 0 {
		t.Error("a text without words has a fingerprint")
	}
	if h.Of("Is mise") == 0 || h.Of("Is mise!") != h.Of("is  mise") || h.Of("mise is") == h.Of("is mise") {
		t.Error("two words: case and punctuation should not count, their order should")
	}
	r := rand.New(rand.NewPCG(1, 2))
	near, far := 0, 64
	for range 100 {
		text := sentence(r, 1000)
		one, other := h.Of(strings.Join(text, " ")), h.Of(strings.Join(sentence(r, 1000), " "))
		text[r.IntN(1000)] = "changed"
		if bits.OnesCount64(one^h.Of(strings.Join(text, " "))) <= Near {
			near++
		}
		far = min(far, bits.OnesCount64(one^other))
	}
	if near < 85 || far <= 4*Near {
		t.Errorf("of texts with a changed word of 1,000 %d of 100 are near; another text differs in at least %d bits", near, far)
	}
}

// plain is a table that looks at all.
type plain struct {
	prints []uint64
	values []int64
}

func (p *plain) find(size int, print uint64) (value int64, ok bool) {
	nearest := Near + 1
	for i := max(len(p.prints)-size, 0); i < len(p.prints); i++ {
		if d := bits.OnesCount64(p.prints[i] ^ print); d <= Near && d <= nearest {
			nearest, value, ok = d, p.values[i], true
		}
	}
	return value, ok
}

// TestTable compares a table with one that looks at all, and with one made of its entries.
func TestTable(t *testing.T) {
	const size = 200
	r := rand.New(rand.NewPCG(3, 4))
	table, all := NewTable(size), plain{}
	found := 0
	for i := range int64(3000) {
		print := r.Uint64()
		if n := len(all.prints); n > 0 && r.IntN(2) == 0 { // near one that may be gone
			print = all.prints[max(n-1-r.IntN(2*size), 0)]
			for range r.IntN(6) {
				print ^= 1 << r.IntN(64)
			}
		}
		near, value, ok := table.Find(print)
		want, wanted := all.find(size, print)
		if value != want || ok != wanted {
			t.Fatalf("%d: found %d, %v, want %d, %v", i, value, ok, want, wanted)
		}
		if ok {
			if bits.OnesCount64(near^print) > Near {
				t.Fatalf("%d: %x is not near %x", i, near, print)
			}
			found++
		}
		table.Add(print, i)
		all.prints, all.values = append(all.prints, print), append(all.values, i)
		if r.IntN(100) == 0 {
			again := NewTable(size)
			for print, value := range table.All() {
				again.Add(print, value)
			}
			table = again
		}
	}
	if found < 500 || found > 2500 {
		t.Errorf("%d of 3,000 were near another: the test shows nothing", found)
	}
}

// TestBits compares the counting of bits with one that takes them one by one.
func TestBits(t *testing.T) {
	h := NewHasher()
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 3, 255, 256, 257, 2000} {
		got := h.Of(strings.Join(sentence(r, n), " "))
		var want uint64
		for bit := range 64 {
			ones := 0
			for _, g := range h.grams {
				ones += int(g >> bit & 1)
			}
			if 2*ones > len(h.grams) {
				want |= 1 << bit
			}
		}
		if got != want {
			t.Errorf("%d words: %x, want %x", n, got, want)
		}
	}
}

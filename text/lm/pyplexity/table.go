package pyplexity

import "github.com/zeebo/xxh3"

// table maps n-grams to probabilities. It holds a 64-bit hash for each key
// instead of the key, in open addressing with linear probing.
type table struct {
	slots []slot // a power of two
	n     int
}

type slot struct {
	hash uint64 // 0 marks a free slot
	p    float64
}

func hash(key []byte) uint64 { return max(xxh3.Hash(key), 1) }

// grow reserves space for n keys in total.
func (t *table) grow(n int) {
	size := 16
	for size*3/4 < n {
		size *= 2
	}
	old := t.slots
	t.slots = make([]slot, size)
	for _, s := range old {
		if s.hash != 0 {
			*t.find(s.hash) = s
		}
	}
}

// find returns the slot of a hash, or the free slot for it.
func (t *table) find(h uint64) *slot {
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.hash == h || s.hash == 0 {
			return s
		}
	}
}

// put sets the probability of key.
func (t *table) put(key []byte, p float64) {
	if t.n >= len(t.slots)*3/4 {
		t.grow(t.n + t.n/2 + 1)
	}
	h := hash(key)
	s := t.find(h)
	if s.hash == 0 {
		t.n++
	}
	*s = slot{h, p}
}

// get returns the probability of key, 0 if it is not in the table.
func (t *table) get(key []byte) float64 { return t.find(hash(key)).p }

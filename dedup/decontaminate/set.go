package decontaminate

import "math/bits"

// set maps the hashes of n-grams to the first test document that contains them. It
// uses open addressing with linear probing and is at most three quarters full. A
// filter of 8 bits per slot rejects most n-grams of a corpus first. Hashes are well
// mixed, so their bits are used directly. Several goroutines may read it.
type set struct {
	keys   []uint64 // 0 is free
	tests  []uint32
	filter []uint64
	n      int
	shift  int // 64 less the binary logarithm of len(keys)
}

// placeBytes is the memory of one slot, in bytes.
const placeBytes = 8 + 4 + 1

func newSet() *set {
	s := new(set)
	s.grow(1 << 10)
	return s
}

func (s *set) grow(places int) {
	old := *s
	*s = set{keys: make([]uint64, places), tests: make([]uint32, places), filter: make([]uint64, places/8), shift: 64 - bits.TrailingZeros(uint(places))}
	for i, h := range old.keys {
		if h != 0 {
			s.add(h, old.tests[i])
		}
	}
}

// full reports whether adding a hash makes the table grow.
func (s *set) full() bool { return 4*(s.n+1) > 3*len(s.keys) }

func (s *set) bytes() int64 { return int64(len(s.keys)) * placeBytes }

// add adds a hash unless the set contains it.
func (s *set) add(h uint64, test uint32) {
	h = max(h, 1)
	if s.full() {
		s.grow(2 * len(s.keys))
	}
	i := int(h >> s.shift)
	for s.keys[i] != 0 && s.keys[i] != h {
		i = (i + 1) & (len(s.keys) - 1)
	}
	if s.keys[i] == h {
		return
	}
	s.keys[i], s.tests[i] = h, test
	s.n++
	word, bit := s.bit(h)
	s.filter[word] |= bit
}

// find returns the test document of a hash.
func (s *set) find(h uint64) (test uint32, ok bool) {
	h = max(h, 1)
	if word, bit := s.bit(h); s.filter[word]&bit == 0 {
		return 0, false
	}
	i := int(h >> s.shift)
	for s.keys[i] != 0 {
		if s.keys[i] == h {
			return s.tests[i], true
		}
		i = (i + 1) & (len(s.keys) - 1)
	}
	return 0, false
}

// bit returns the position of h in the filter.
func (s *set) bit(h uint64) (word int, bit uint64) {
	return int(h & uint64(len(s.filter)-1)), 1 << (h >> 26 & 63)
}

package decontaminate

import "math/bits"

// set maps the hashes of n-grams to the first test document that has them: open
// addressing with linear probing, at most three quarters full, behind a filter
// of 8 bits a place, which most n-grams of a corpus do not pass. Hashes are
// mixed well, so their bits are taken as they are. It can be read by several
// goroutines.
type set struct {
	keys   []uint64 // 0 is free
	tests  []uint32
	filter []uint64
	n      int
	shift  int // 64 less the binary logarithm of len(keys)
}

// placeBytes is what one place of a table takes.
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

// full tells that one more hash makes the table grow.
func (s *set) full() bool { return 4*(s.n+1) > 3*len(s.keys) }

func (s *set) bytes() int64 { return int64(len(s.keys)) * placeBytes }

// add adds a hash, if it is not there.
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

// bit returns the place of h in the filter.
func (s *set) bit(h uint64) (word int, bit uint64) {
	return int(h & uint64(len(s.filter)-1)), 1 << (h >> 26 & 63)
}

package filter

// sieve finds hashes that may have been added more than once. It takes less memory than a
// table: two bits per place, and few hashes share a place.
type sieve struct {
	words []places
	shift int
}

// places holds 64 places: whether hashes were added once and twice.
type places struct{ once, twice uint64 }

// bitsOfHash is the minimum number of places per hash.
const bitsOfHash = 16

// reset empties s and reserves space for n hashes.
func (s *sieve) reset(n int) {
	words, bits := 16, 4
	for 64*words < bitsOfHash*n {
		words *= 2
		bits++
	}
	if words > cap(s.words) {
		s.words = make([]places, words)
	}
	s.words, s.shift = s.words[:words], 64-6-bits
	clear(s.words)
}

// place returns the position of the bits of a hash.
func (s *sieve) place(hash uint64) (word, bit uint64) {
	i := hash * 0x9e3779b97f4a7c15 >> s.shift
	return i >> 6, 1 << (i & 63)
}

func (s *sieve) add(hash uint64) {
	word, bit := s.place(hash)
	w := &s.words[word]
	w.twice |= w.once & bit
	w.once |= bit
}

// again reports whether a hash was added more than once, or another hash with the same place
// was added.
func (s *sieve) again(hash uint64) bool {
	word, bit := s.place(hash)
	return s.words[word].twice&bit != 0
}

package filter

// sieve finds hashes that may have been added more than once. It takes less memory than a
// table: a byte per place, and few hashes share a place.
type sieve struct {
	places []uint8 // 0, 1, or more for hashes that were added more than once
	shift  uint8
}

// placesOfHash is the minimum number of places per hash.
const placesOfHash = 8

// reset empties s and reserves space for n hashes.
func (s *sieve) reset(n int) {
	size, bits := 1<<10, 10
	for size < placesOfHash*n {
		size *= 2
		bits++
	}
	if size > cap(s.places) {
		s.places = make([]uint8, size)
	}
	s.places, s.shift = s.places[:size], uint8(64-bits)
	clear(s.places)
}

func (s *sieve) add(hash uint64) {
	p := &s.places[hash*0x9e3779b97f4a7c15>>(s.shift&63)]
	*p = *p<<1 | 1
}

// again reports whether a hash was added more than once, or another hash with the same place
// was added.
func (s *sieve) again(hash uint64) bool { return s.more(hash) != 0 }

// more returns 1 for the hashes of again, 0 for others.
func (s *sieve) more(hash uint64) int {
	return int(s.places[hash*0x9e3779b97f4a7c15>>(s.shift&63)] >> 1 & 1)
}

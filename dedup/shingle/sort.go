package shingle

import (
	"math/bits"
	"slices"
)

// Sorter sorts hashes, faster than package slices since hashes are uniform. It keeps its buffers for
// the next call and is not safe for concurrent use.
type Sorter struct {
	aux  []uint64
	next []uint32
}

// Sort sorts hashes in ascending order.
func (s *Sorter) Sort(hashes []uint64) {
	n := len(hashes)
	if n < 32 {
		slices.Sort(hashes)
		return
	}
	// About two hashes share their first bits.
	digit := min(bits.Len(uint(n))-1, 14)
	s.next = append(s.next[:0], make([]uint32, 1<<digit+1)...)
	for _, h := range hashes {
		s.next[h>>(64-digit)+1]++
	}
	for i := range 1 << digit {
		s.next[i+1] += s.next[i]
	}
	s.aux = append(s.aux[:0], hashes...)
	for _, h := range s.aux {
		at := &s.next[h>>(64-digit)]
		hashes[*at] = h
		*at++
	}
	from := uint32(0)
	for _, end := range s.next[:1<<digit] {
		if end-from > 1 {
			slices.Sort(hashes[from:end])
		}
		from = end
	}
}

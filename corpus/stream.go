package corpus

import (
	"math/bits"
	"slices"
)

// stream yields places in increasing order.
type stream interface {
	// next returns the first place that is at least from. from never decreases.
	next(from uint32) (place uint32, ok bool)
}

// under returns the sorted values of the source attribute of a whose derived values
// are in ids.
func (a *Attr) under(ids []uint32) (all []uint32) {
	var c cursor
	for _, id := range ids {
		for a.open(&c, id); ; c.step() {
			x, ok := c.peek()
			if !ok {
				break
			}
			all = append(all, x)
		}
	}
	slices.Sort(all)
	return all
}

// stream returns the places from first to end-1, and possibly more, with one of the
// values ids, which must be sorted. Places are tokens, or structures for an attribute
// of structures. It yields no places once d has expired.
func (a *Attr) stream(d *deadline, ids []uint32, first, end uint32) stream {
	if a.from != nil {
		a, ids = a.from, a.under(ids)
	}
	return newValuePlaces(a, ids).stream(d, first, end)
}

// listStream reads the list of one value.
type listStream struct{ c cursor }

func (s *listStream) next(from uint32) (uint32, bool) {
	if x, ok := s.c.peek(); !ok || x >= from {
		return x, ok
	}
	s.c.seek(from)
	return s.c.peek()
}

// mergeStream merges a few lists.
type mergeStream []cursor

func (s mergeStream) next(from uint32) (place uint32, ok bool) {
	for i := range s {
		c := &s[i]
		x, have := c.peek()
		if have && x < from {
			c.seek(from)
			x, have = c.peek()
		}
		if have && (!ok || x < place) {
			place, ok = x, true
		}
	}
	return place, ok
}

// scanStream scans the text.
type scanStream struct {
	d   *deadline
	a   *Attr
	set idSet
	end uint32
}

func (s *scanStream) next(from uint32) (uint32, bool) {
	for ; from < s.end; from++ {
		if from&0xffff == 0 && s.d.Over(0x10000) {
			break
		}
		if s.set.has(uint32(s.a.ids.At(int(from)))) {
			return from, true
		}
	}
	return 0, false
}

// idSet is a set of values or of places, one bit each.
type idSet []uint64

func newIDSet(n int, ids []uint32) idSet {
	s := make(idSet, (n+63)/64)
	for _, id := range ids {
		s.add(id)
	}
	return s
}

func (s idSet) add(id uint32) {
	if int(id>>6) < len(s) { // otherwise the index is damaged
		s[id>>6] |= 1 << (id & 63)
	}
}

func (s idSet) has(id uint32) bool {
	return int(id>>6) < len(s) && s[id>>6]>>(id&63)&1 != 0
}

// next returns the first element that is at least from.
func (s idSet) next(from uint32) (x uint32, ok bool) {
	i := int(from >> 6)
	if i >= len(s) {
		return 0, false
	}
	for word := s[i] &^ (1<<(from&63) - 1); ; word = s[i] {
		if word != 0 {
			return uint32(64*i + bits.TrailingZeros64(word)), true
		}
		if i++; i == len(s) {
			return 0, false
		}
	}
}

// count returns the number of elements.
func (s idSet) count() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

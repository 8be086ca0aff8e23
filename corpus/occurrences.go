package corpus

import (
	"context"
	"iter"
	"slices"
)

// inverse returns a function that lists the values of corpus c for a key.
func (v *vocabulary) inverse(c int) func(key uint32) []uint32 {
	if !v.fold && c == 0 {
		return func(key uint32) []uint32 {
			if key >= v.from[1] {
				return nil
			}
			return []uint32{key}
		}
	}
	from := make([]uint32, v.len()+1)
	for _, k := range v.keys[c] {
		if k != none {
			from[k+1]++
		}
	}
	for k := range v.len() {
		from[k+1] += from[k]
	}
	ids := make([]uint32, from[v.len()])
	at := slices.Clone(from[:v.len()])
	for id, k := range v.keys[c] {
		if k != none {
			ids[at[k]] = uint32(id)
			at[k]++
		}
	}
	return func(key uint32) []uint32 { return ids[from[key]:from[key+1]] }
}

// occurrences yields the positions of a sequence of words, in ascending order. lists
// holds the ascending allowed values for each word of the sequence. Occurrences do
// not cross a boundary of border, if not nil, or of the part of c. It stops early
// when ctx ends.
func (c *Corpus) occurrences(ctx context.Context, a *Attr, lists [][]uint32, border *Struct) iter.Seq[int64] {
	rare, least := 0, int64(-1)
	for i, ids := range lists {
		n := int64(0)
		for _, id := range ids {
			n += a.Freq(id)
		}
		if least < 0 || n < least {
			rare, least = i, n
		}
	}
	return func(yield func(int64) bool) {
		d := newDeadline(ctx)
		places, part := a.stream(d, lists[rare], 0, infinite), follower{c: c}
		for at, ok := places.next(0); ok && !d.Over(0); at, ok = places.next(at + 1) {
			p := int64(at) - int64(rare)
			start, end, _ := part.find(p)
			if p >= start && p+int64(len(lists)) <= end && follows(a, p, lists, rare) && !crosses(border, p, len(lists)) && !yield(p) {
				return
			}
		}
	}
}

// follows reports whether the words from p match the lists. The word at index
// known is known to match.
func follows(a *Attr, p int64, lists [][]uint32, known int) bool {
	for i, ids := range lists {
		if i == known {
			continue
		}
		if _, ok := slices.BinarySearch(ids, a.At(p+int64(i))); !ok {
			return false
		}
	}
	return true
}

// crosses reports whether an occurrence of s begins or ends between two of the n
// tokens from p.
func crosses(s *Struct, p int64, n int) bool {
	if s == nil || n == 1 {
		return false
	}
	if i, ok := s.Find(p); ok {
		_, end := s.Span(i)
		return end < p+int64(n)
	}
	for q := p + 1; q < p+int64(n); q++ {
		if _, ok := s.Find(q); ok {
			return true
		}
	}
	return false
}

// place finds the occurrence of a structure that holds a position. For ascending
// positions it rarely searches.
type place struct {
	s          *Struct
	i          int
	start, end int64
}

// find returns the occurrence that holds pos, or -1.
func (x *place) find(pos int64) int {
	if x.start <= pos && pos < x.end {
		return x.i
	}
	i, ok := x.s.Find(pos)
	if !ok {
		return -1
	}
	x.i = i
	x.start, x.end = x.s.Span(i)
	return i
}

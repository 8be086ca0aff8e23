package plagiarism

import (
	"slices"

	"chaffinch/dedup/shingle"
)

// A long text is compared in sections. Sections overlap, so that each passage up
// to the length of the overlap is entirely in one section.
const (
	sectionWords = 1 << 14
	sectionLap   = 1 << 11
)

// section is a piece of a text prepared for alignment. It holds the words as numbers
// from 0, in the order of their hashes, and their places.
type section struct {
	words
	text  string   // the whole text
	id    []int32  // number of each word
	types []uint64 // hash of each number
	short []uint8  // length of the normalized word of each number
	first []int32  // of each number, its first index in where, followed by the end
	where []int32  // places by number
	table numbers
}

// each splits text and calls fn for each section. During the call, s is the section. Its words are
// not numbered. An empty text has no sections.
func (s *section) each(text string, fn func()) {
	s.text = text
	from := 0
	for {
		s.reset(from)
		next := s.cut(text, from, sectionWords)
		if s.len() == 0 {
			return
		}
		lap := s.len() - sectionLap
		full := s.len() >= sectionWords
		if full {
			from += int(s.place[lap].start)
		}
		fn()
		if !full || next >= len(text) {
			return
		}
	}
}

// number assigns numbers to the words.
func (s *section) number(sorter *shingle.Sorter) {
	s.types = append(s.types[:0], s.hash...)
	sorter.Sort(s.types)
	s.types = slices.Compact(s.types)
	t := &s.table
	t.fill(s.types)
	n := len(s.types)
	s.id = resize(s.id, s.len())
	s.short = resize(s.short, n)
	s.first = resize(s.first, n+1)
	s.where = resize(s.where, s.len())
	clear(s.first)
	for i, h := range s.hash {
		k := t.get(h)
		s.id[i] = k
		s.short[k] = s.place[i].runes
		s.first[k+1]++
	}
	for k := range n {
		s.first[k+1] += s.first[k]
	}
	for i, k := range s.id {
		s.where[s.first[k]] = int32(i)
		s.first[k]++ // at last, the first place of the next number
	}
	copy(s.first[1:], s.first[:n])
	s.first[0] = 0
}

// places returns the places of the word with number k.
func (s *section) places(k int32) []int32 { return s.where[s.first[k]:s.first[k+1]] }

func (s *section) count(k int32) int { return int(s.first[k+1] - s.first[k]) }

func resize[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n, n+n/4)
	}
	return b[:n]
}

// numbers is a hash table from word hashes to their numbers.
type numbers struct {
	mask uint64
	at   []int32 // number + 1
	key  []uint64
}

// fill replaces the words by types, which have the numbers from 0 on.
func (t *numbers) fill(types []uint64) {
	size := 8
	for size < 2*len(types) {
		size *= 2
	}
	t.mask, t.at, t.key = uint64(size-1), resize(t.at, size), types
	clear(t.at)
	for k, h := range types {
		i := h & t.mask
		for t.at[i] != 0 {
			i = (i + 1) & t.mask
		}
		t.at[i] = int32(k) + 1
	}
}

// get returns the number of a word, or -1 if it is missing.
func (t *numbers) get(h uint64) int32 {
	i := h & t.mask
	for t.at[i] != 0 {
		if k := t.at[i] - 1; t.key[k] == h {
			return k
		}
		i = (i + 1) & t.mask
	}
	return -1
}

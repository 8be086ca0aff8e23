package lines

import (
	"math/bits"
	"slices"

	"chaffinch/internal/truth"
)

// tally counts the occurrences of a key in a document.
type tally struct {
	key         uint64
	lines       int32 // lines with the key
	first, last int32 // first and last such line
	prev        int32 // such line before the last, or -1
	long        int32 // long lines with the key
}

// tallies is a hash table with linear probing. It is reused.
type tallies struct {
	slots []int32 // index in list plus one
	list  []tally
	shift uint
}

// reset empties the table and reserves space for n keys.
func (t *tallies) reset(n int) {
	size := max(4, bits.Len(uint(4*n)))
	if cap(t.slots) < 1<<size {
		t.slots = make([]int32, 1<<size)
	}
	t.slots = t.slots[:1<<size]
	clear(t.slots)
	t.list = slices.Grow(t.list[:0], n)
	t.shift = uint(64 - size)
}

// add counts line under key and returns the index of its tally. long is 1 for a long line, otherwise 0.
func (t *tallies) add(key uint64, line, long int32) int32 {
	slots, list := t.slots, t.list
	at := key * 0x9E3779B97F4A7C15 >> (t.shift & 63)
	for slots[at] != 0 {
		i := slots[at] - 1
		if e := &list[i]; e.key == key {
			if e.last != line {
				e.lines++
				e.long += long
				e.prev, e.last = e.last, line
			}
			return i
		}
		at = (at + 1) & uint64(len(slots)-1)
	}
	n := len(list)
	t.list = list[:n+1]
	e := &t.list[n] // set in place: copying a struct doubles the time
	e.key, e.lines, e.first, e.last, e.prev, e.long = key, 1, line, line, -1, long
	slots[at] = int32(n + 1)
	return int32(n)
}

// Salts of the keys of tallies.
const (
	saltLine  = 0x9E3779B97F4A7C15
	saltHead1 = 0xC2B2AE3D27D4EB4F
	saltHead2 = 0x165667B19E3779F9
	saltTail2 = 0x27D4EB2F165667C5
	saltThree = 0x85EBCA77C2B2AE63
	saltOne   = 0x94D049BB133111EB
)

// keys holds the indexes of a line's tallies, -1 if the line has no such part.
type keys struct {
	line, head1, head2, tail2 int32
	twin                      int32 // earlier line with the same words, or -1
}

// repeat finds repeated parts of lines and sets the repetition columns. Its time is linear
// in the words.
func (s *sheet) repeat() {
	s.tallies.reset(4*s.n + 2*len(s.hashes))
	s.ones = grow(s.ones, len(s.hashes))
	s.keys = grow(s.keys, s.n)
	s.threes = grow(s.threes, len(s.hashes))
	for i := range s.n {
		st, k := &s.stats[i], &s.keys[i]
		*k = keys{-1, -1, -1, -1, -1}
		if st.chars == 0 {
			continue
		}
		line, long := int32(i), int32(truth.Int(st.words >= longWords))
		words := s.hashes[st.from:st.to]
		k.line = s.tallies.add(st.folded^saltLine, line, long)
		k.twin = s.tallies.list[k.line].prev
		seen, n := 0, len(words)
		if n > 0 {
			k.head1 = s.tallies.add(uint64(words[0])*saltHead1, line, long)
		}
		if n > 1 {
			k.head2 = s.tallies.add((uint64(words[0])<<32|uint64(words[1]))*saltHead2, line, long)
			k.tail2 = s.tallies.add((uint64(words[n-2])<<32|uint64(words[n-1]))*saltTail2, line, long)
		}
		for j, w := range words {
			s.ones[int(st.from)+j] = s.tallies.add(uint64(w)*saltOne, line, long)
		}
		for j := 2; j < n; j++ {
			key := (uint64(words[j-2])*saltThree ^ uint64(words[j-1])<<32 ^ uint64(words[j])) * saltThree
			t := s.tallies.add(key, line, long)
			s.threes[int(st.from)+j] = t
			if s.tallies.list[t].first != line {
				seen++
			}
		}
		if n > 2 {
			s.set(i, colSeenBefore, ratio(float32(seen), float32(n-2)))
		} else if k.twin >= 0 {
			s.set(i, colSeenBefore, 1)
		}
	}
	for i := range s.n {
		s.repeated(i)
	}
}

// repeated sets the columns of a line that depend on the whole document.
func (s *sheet) repeated(i int) {
	st, k := &s.stats[i], &s.keys[i]
	if k.line < 0 {
		return
	}
	list := s.tallies.list
	t := &list[k.line]
	s.set(i, colCopies, log1(float32(t.lines-1)))
	s.set(i, colEarlier, truth.Float32(int(t.first) < i))
	s.set(i, colLater, truth.Float32(int(t.last) > i))
	if k.twin >= 0 {
		s.set(i, colDistance, 1/float32(i-int(k.twin)))
		s.set(i, colTwin, truth.Float32(int(k.twin) == i-1))
	}
	if k.head1 >= 0 {
		s.set(i, colHead1, log1(float32(list[k.head1].lines-1)))
	}
	if k.head2 >= 0 {
		s.set(i, colHead2, log1(float32(list[k.head2].lines-1)))
		s.set(i, colTail2, log1(float32(list[k.tail2].lines-1)))
	}
	seen := 0
	for j := st.from + 2; j < st.to; j++ {
		if list[s.threes[j]].lines > 1 {
			seen++
		}
	}
	if st.read > 2 {
		s.set(i, colSeenElsewhere, ratio(float32(seen), float32(st.read-2)))
	} else {
		s.set(i, colSeenElsewhere, truth.Float32(t.lines > 1))
	}
}

package plagiarism

import "math/bits"

// wordSet is a set of word hashes: a table with open addressing. A nil one is empty.
type wordSet struct {
	shift uint
	slots []uint64 // 0 if empty
	zero  bool     // whether the hash 0 is in the set
}

func newWordSet(hashes []uint64) *wordSet {
	n := bits.Len(uint(4*len(hashes))) + 1
	s := &wordSet{uint(64 - n), make([]uint64, 1<<n), false}
	for _, h := range hashes {
		i := h >> s.shift
		for s.slots[i] != 0 && s.slots[i] != h {
			i = (i + 1) & uint64(len(s.slots)-1)
		}
		s.slots[i] = h
		s.zero = s.zero || h == 0
	}
	return s
}

func (s *wordSet) has(h uint64) bool {
	if s == nil {
		return false
	}
	for i := h >> s.shift; ; i = (i + 1) & uint64(len(s.slots)-1) {
		switch s.slots[i] {
		case 0:
			return h == 0 && s.zero
		case h:
			return true
		}
	}
}

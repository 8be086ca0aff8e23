package crawl

import (
	"maps"
	"slices"
)

// textSet has the fingerprints of the last texts, at least half and at most twice half of
// most: when one half is full, the older one goes.
type textSet struct {
	half         int
	young, older map[uint64]struct{}
}

// maxTexts is the number of texts of which exact copies are found.
const maxTexts = 4 << 20

func newTextSet(most int) *textSet {
	return &textSet{half: max(most/2, 1), young: map[uint64]struct{}{}, older: map[uint64]struct{}{}}
}

// has reports whether a text is known.
func (s *textSet) has(text uint64) bool {
	_, young := s.young[text]
	_, older := s.older[text]
	return young || older
}

// add adds a text. One that comes again is as young as a new one.
func (s *textSet) add(text uint64) {
	if len(s.young) >= s.half {
		s.young, s.older = map[uint64]struct{}{}, s.young
	}
	s.young[text] = struct{}{}
}

// save returns what load reads: the same of the same texts.
func (s *textSet) save() [2][]uint64 {
	return [2][]uint64{slices.Sorted(maps.Keys(s.older)), slices.Sorted(maps.Keys(s.young))}
}

func (s *textSet) load(saved [2][]uint64) {
	for i, to := range []map[uint64]struct{}{s.older, s.young} {
		for _, text := range saved[i] {
			to[text] = struct{}{}
		}
	}
}

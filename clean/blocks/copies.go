package blocks

// copyWords is the minimum number of words of running text in a run of blocks that is
// dropped as a copy.
const copyWords = 30

// dropCopies drops text that is repeated on the page: runs of two or more kept blocks in the
// same order, and single blocks in quotations of other posts. Examples of runs are an
// article repeated for small screens and the items of a rotating carousel. Repeated words of
// a form after each offer are shorter and stay. Hidden blocks neither are copies nor have
// copies.
func (s *scratch) dropCopies() {
	sh := &s.sheet
	s.latest = grow(s.latest, len(sh.copies.list))
	clear(s.latest)
	s.shown, s.before = s.shown[:0], s.before[:0]
	for i, kept := range s.kept {
		if !kept || sh.blocks[i].hidden {
			continue
		}
		last := &s.latest[sh.blocks[i].copy]
		s.before = append(s.before, *last-1)
		s.shown = append(s.shown, int32(i))
		*last = int32(len(s.shown))
	}
	for from := 0; from < len(s.shown); {
		if s.before[from] < 0 {
			from++
			continue
		}
		to, words := from, 0
		for ; to < len(s.shown) && (to == from || s.before[to] == s.before[to-1]+1); to++ {
			if b := &sh.blocks[s.shown[to]]; b.good {
				words += int(b.words)
			}
		}
		if to-from > 1 && words >= copyWords || words > 0 && sh.elems[sh.blocks[s.shown[from]].element].counts[groupQuote] > 0 {
			for _, i := range s.shown[from:to] {
				s.kept[i], s.causes[i] = false, asCopy
			}
		}
		from = to
	}
}

package blocks

// copyWords is how many words of running text a run of blocks has at least that is left
// out because the page has said it before.
const copyWords = 30

// dropCopies leaves out what stands on the page before: runs of two and more kept blocks in
// the same order, such as an article that is there once more for small screens or a carousel
// that goes round, and single blocks in quotations of what another post says. The words of
// a form that each of some offers ends with are shorter, and stay. Blocks that the
// page does not show are no copies and have none.
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

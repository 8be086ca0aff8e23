package blocks

// copyWords is the minimum number of words of running text in a run of blocks that is
// dropped as a copy.
const copyWords = 30

// maxRows is the maximum number of blocks of a run that can be rows of a schedule instead of a
// copy, and minRows the minimum number of their occurrences.
const (
	maxRows = 3
	minRows = 3
)

// dropCopies drops text that is repeated on the page: runs of two or more kept blocks in the
// same order, and single blocks in quotations of other posts. Examples of runs are an
// article repeated for small screens and the items of a rotating carousel. Repeated words of
// a form after each offer are shorter and stay, and so do rows. Hidden blocks neither are
// copies nor have copies.
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
		if to-from > 1 && words >= copyWords && !s.rows(from, to) || words > 0 && sh.elems[sh.blocks[s.shown[from]].element].counts[groupQuote] > 0 {
			for _, i := range s.shown[from:to] {
				s.kept[i], s.causes[i] = false, asCopy
			}
		}
		from = to
	}
}

// rows reports whether the kept blocks from:to, which repeat earlier ones, are rows of a schedule,
// such as a meal plan: each text is on the page minRows times, between different neighbours, or
// the blocks are a part of a list or table.
func (s *scratch) rows(from, to int) bool {
	sh := &s.sheet
	if to-from > maxRows {
		return false
	}
	repeated, part := true, true
	for _, i := range s.shown[from:to] {
		b := &sh.blocks[i]
		repeated = repeated && sh.copies.list[b.copy].blocks >= minRows
		part = part && b.unit > 0 && sh.units[b.unit].blocks > int32(to-from)
	}
	return part || repeated && !s.alike(from-1, int(s.before[from])-1) && !s.alike(to, int(s.before[to-1])+1)
}

// alike reports whether two kept blocks have the same text. A block outside of the page is like no
// other.
func (s *scratch) alike(a, b int) bool {
	if a < 0 || b < 0 || a >= len(s.shown) || b >= len(s.shown) {
		return false
	}
	return s.sheet.blocks[s.shown[a]].copy == s.sheet.blocks[s.shown[b]].copy
}

package blocks

import "chaffinch/page"

// underHeading is by how much a section may be less sure than a block that is
// kept in any case, and still keep its heading.
const underHeading = .1

// cause is why a block was decided otherwise than by its own probability.
type cause uint8

const (
	byItself  cause = iota
	asHeading       // what stands under it is kept
	asSection       // its heading is left out
)

// mendHeads decides anew where a heading was left out whose section is kept, so
// that the section would stand under the heading before: it gets its heading
// back, or goes too if it is not much surer than that. Where the heading before
// is of a higher level the section stands under it in any case, and stays.
func (r rule) mendHeads(s *scratch) {
	kinds, hidden, levels := s.sheet.col(colKind), s.sheet.col(colHidden), s.sheet.col(colLevel)
	s.causes = grow(s.causes, s.sheet.n)
	clear(s.causes)
	before := -1 // the last heading that is kept
	for i := range s.kept {
		if kinds[i] != float32(page.Heading) || hidden[i] != 0 {
			continue
		}
		if s.kept[i] {
			before = i
			continue
		}
		end, sure := s.section(i, kinds, hidden)
		switch {
		case before < 0 || end == i:
		case sure >= float64(r.sure)-underHeading:
			s.kept[i], s.causes[i] = true, asHeading
			before = i
		case levels[before] >= levels[i]:
			for k := i + 1; k < end; k++ {
				if s.kept[k] {
					s.kept[k], s.causes[k] = false, asSection
				}
			}
		}
	}
}

// section returns the end of what stands under heading i up to the next
// heading, and the mean probability of what of it is kept, weighted by words;
// the end is i if nothing is.
func (s *scratch) section(i int, kinds, hidden []float32) (end int, sure float64) {
	elems := s.sheet.elems
	around := s.sheet.blocks[i].element
	if elems[around].blocks == 1 {
		around = max(elems[around].up, 0)
	}
	sum, words := 0., 0.
	for end = i + 1; end < s.sheet.n; end++ {
		if hidden[end] != 0 {
			continue
		}
		e := s.sheet.blocks[end].element
		for elems[e].depth > elems[around].depth {
			e = elems[e].parent
		}
		if e != around || kinds[end] == float32(page.Heading) {
			break
		}
		if s.kept[end] {
			w := float64(s.sheet.blocks[end].words + 1)
			sum += w * float64(s.keep[end])
			words += w
		}
	}
	if words == 0 {
		return i, 0
	}
	return end, sum / words
}

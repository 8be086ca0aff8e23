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
	asRescued       // the page would be empty
	asBare          // of a heading: nothing under it is kept
	asCopy          // it stands on the page before
)

// dropBareHeads leaves out headings under which there is something, but nothing that
// is kept or might be, up to the next heading of the same or a higher level in the
// same element: such as "38 comments" where comments are not wanted.
func (r rule) dropBareHeads(s *scratch) {
	blocks := s.sheet.blocks
	for i := len(s.kept) - 1; i >= 0; i-- { // sections of lower levels first
		if b := &blocks[i]; !s.kept[i] || b.kind != page.Heading || b.hidden || s.role(i, all) == page.RoleTitle {
			continue
		}
		elems := s.sheet.elems
		around := s.sheet.blocks[i].element
		for around > 0 && elems[around].words <= s.sheet.blocks[i].words+maxHeadBox { // a box of little more than the heading
			around = max(elems[around].up, 0)
		}
		dropped := false
		for k := i + 1; k < s.sheet.n && s.within(around, k) && (blocks[k].kind != page.Heading || blocks[k].level > blocks[i].level); k++ {
			if s.kept[k] || s.keep[k] >= r.least && blocks[k].kind != page.Heading {
				dropped = false
				break
			}
			dropped = dropped || !blocks[k].hidden
		}
		if dropped {
			s.kept[i], s.causes[i] = false, asBare
		}
	}
}

// mendHeads decides anew where a heading was left out whose section is kept, so
// that the section would stand under the heading before: it gets its heading
// back, or goes too if it is not much surer than that. Where the heading before
// is of a higher level the section stands under it in any case, and stays.
func (r rule) mendHeads(s *scratch) {
	blocks := s.sheet.blocks
	before := -1 // the last heading that is kept
	for i := range s.kept {
		if b := &blocks[i]; b.kind != page.Heading || b.hidden {
			continue
		}
		if s.kept[i] {
			before = i
			continue
		}
		end, sure, outside := s.section(i, s.keep[i] >= r.least)
		switch {
		case before < 0 || end == i:
		case sure >= float64(r.sure)-underHeading:
			s.kept[i], s.causes[i] = true, asHeading
			before = i
		case outside:
		case blocks[before].level >= blocks[i].level:
			for k := i + 1; k < end; k++ {
				if s.kept[k] {
					s.kept[k], s.causes[k] = false, asSection
				}
			}
		}
	}
}

// maxHeadBox is the number of words that may stand beside a heading in a box of
// its own: a date, a name, a link to edit the section.
const maxHeadBox = 20

// section returns the end of what stands under heading i up to the next
// heading, and the mean probability of what of it is kept, weighted by words;
// the end is i if nothing is. It ends with the element that the heading stands
// in; but where that is a box of little more than the heading, of which nothing
// is kept, and wide allows it, the section is what stands outside, behind the box.
func (s *scratch) section(i int, wide bool) (end int, sure float64, outside bool) {
	elems, blocks := s.sheet.elems, s.sheet.blocks
	around := blocks[i].element
	if elems[around].blocks == 1 {
		around = max(elems[around].up, 0)
	}
	sum, words := 0., 0.
	for end = i + 1; end < s.sheet.n; end++ {
		if blocks[end].hidden {
			continue
		}
		for wide && words == 0 && !s.within(around, end) && elems[around].words <= blocks[i].words+maxHeadBox {
			around, outside = max(elems[around].up, 0), true
		}
		if !s.within(around, end) || blocks[end].kind == page.Heading {
			break
		}
		if s.kept[end] {
			w := float64(blocks[end].words + 1)
			sum += float64(w * float64(s.keep[end]))
			words += w
		}
	}
	if words == 0 {
		return i, 0, outside
	}
	return end, sum / words, outside
}

// within tells whether block i stands in element e.
func (s *scratch) within(e int32, i int) bool {
	elems := s.sheet.elems
	in := s.sheet.blocks[i].element
	for elems[in].depth > elems[e].depth {
		in = elems[in].parent
	}
	return in == e
}

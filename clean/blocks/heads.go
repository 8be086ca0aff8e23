package blocks

import "chaffinch/page"

// underHeading is the amount by which a section's probability may be below the threshold of
// blocks that are always kept, with its heading still restored.
const underHeading = .1

// cause is the reason for a decision that overrides a block's own probability.
type cause uint8

const (
	byItself  cause = iota
	asHeading       // its section is kept
	asSection       // its heading is dropped
	asRescued       // the page would be empty
	asBare          // heading without a kept section
	asCopy          // repeats an earlier part of the page
	asMain          // main content of a page without an article
)

// dropBareHeads drops headings whose section has blocks, but no block that is kept or might
// be. A section extends to the next heading of the same or a higher level in the same
// element. An example is "38 comments" if comments are not wanted.
func (r rule) dropBareHeads(s *scratch) {
	blocks := s.sheet.blocks
	for i := len(s.kept) - 1; i >= 0; i-- { // sections of lower levels first
		if b := &blocks[i]; !s.kept[i] || b.kind != page.Heading || b.hidden || s.role(i, all) == page.RoleTitle {
			continue
		}
		elems := s.sheet.elems
		around := s.sheet.blocks[i].element
		for around > 0 && elems[around].words <= s.sheet.blocks[i].words+maxHeadBox { // a box with little besides the heading
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

// mendHeads handles kept sections whose heading was dropped and that would then appear under
// the heading before. It restores the heading if the mean probability of the section is at
// least r.sure - underHeading. Otherwise it drops the section, unless the heading before has
// a higher level, or the section is outside of the heading's box.
func (r rule) mendHeads(s *scratch) {
	blocks := s.sheet.blocks
	before := -1 // last kept heading
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

// maxHeadBox is the maximum number of other words in a box around a heading, such as a date,
// a name, or a link to edit the section.
const maxHeadBox = 20

// section returns the end of the section of heading i, up to the next heading, and the mean
// probability of its kept blocks, weighted by words. The end is i if no block is kept. The
// section ends with the element around the heading, or with the parent of an element that
// holds only the heading. If that element has little besides the
// heading, no block of it is kept and wide is true, the section is the text after that
// element and outside is true.
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

// within reports whether block i is inside element e.
func (s *scratch) within(e int32, i int) bool {
	elems := s.sheet.elems
	in := s.sheet.blocks[i].element
	for elems[in].depth > elems[e].depth {
		in = elems[in].parent
	}
	return in == e
}

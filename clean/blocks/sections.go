package blocks

import "chaffinch/page"

// A section is the text under a heading. A heading such as "Related articles" or "Reviews"
// identifies the role of all blocks under it.

// section holds sums over the blocks under a heading.
type section struct {
	heading   int32 // block
	scope     int32 // element that the section ends with
	index     int32 // number of headings of the same level before
	blocks    int32
	words     int32
	good      int32 // words in good blocks
	linkWords float64
	tokens    sums // of the words of the heading
}

// noSection is the column value of blocks without a heading above.
const noSection = -1.

// readSections finds the section of each block: of the nearest heading above whose scope contains
// the block. The scope is the innermost element around the heading with more than a few other
// words. The section of a heading is the one around its own. Section 0 is the text without a
// heading.
func (s *sheet) readSections() {
	s.sections = append(s.sections[:0], section{heading: -1})
	s.sectionOf = grow(s.sectionOf, s.n)
	var seen [256]int32
	open := s.openSections[:0]
	for i := range s.blocks {
		b := &s.blocks[i]
		for len(open) > 0 && !s.inside(s.sections[open[len(open)-1]].scope, b.element) {
			open = open[:len(open)-1]
		}
		if b.kind == page.Heading {
			for len(open) > 0 && s.blocks[s.sections[open[len(open)-1]].heading].level >= b.level {
				open = open[:len(open)-1]
			}
		}
		of := int32(0)
		if len(open) > 0 {
			of = open[len(open)-1]
		}
		s.sectionOf[i] = of
		x := &s.sections[of]
		x.blocks++
		x.words += b.words
		x.linkWords += b.linkWords
		if b.good {
			x.good += b.words
		}
		if b.kind == page.Heading {
			open = append(open, int32(len(s.sections)))
			s.sections = append(s.sections, section{heading: int32(i), scope: s.scope(i), index: seen[b.level]})
			seen[b.level]++
		}
	}
	s.openSections = open
}

// scope returns the innermost element around heading i with more than a few other words.
func (s *sheet) scope(i int) int32 {
	e := s.blocks[i].element
	for e > 0 && s.elems[e].words <= s.blocks[i].words+maxHeadBox {
		e = max(s.elems[e].up, 0)
	}
	return e
}

// inside reports whether element e is scope or inside it.
func (s *sheet) inside(scope, e int32) bool {
	for s.elems[e].depth > s.elems[scope].depth {
		e = s.elems[e].parent
	}
	return e == scope
}

// sectionColumns sets the columns of the sizes and headings of sections.
func (s *sheet) sectionColumns() {
	s.readSections()
	of := func(i int) *section { return &s.sections[s.sectionOf[i]] }
	under := func(c column, f func(i int, x *section) float64) {
		each(s.want(c), func(i int) float64 {
			if x := of(i); x.heading >= 0 {
				return f(i, x)
			}
			return noSection
		})
	}
	under(colSectionLevel, func(_ int, x *section) float64 { return float64(s.blocks[x.heading].level) })
	under(colSectionPlace, func(i int, x *section) float64 { return log1(int32(i) - x.heading) })
	under(colSectionIndex, func(_ int, x *section) float64 { return log1(x.index) })
	under(colSectionTitle, func(_ int, x *section) float64 { return s.inTitle(&s.hashes[x.heading]) })
	each(s.want(colSectionBlocks), func(i int) float64 { return log1(of(i).blocks) })
	each(s.want(colSectionWords), func(i int) float64 { return log1(of(i).words) })
	each(s.want(colSectionLinks), func(i int) float64 { return ratio(of(i).linkWords, float64(of(i).words)) })
	each(s.want(colSectionGood), func(i int) float64 { return ratio(float64(of(i).good), float64(of(i).words)) })
}

// headingHints lists the roles whose hints of the heading above are columns.
var headingHints = [...]page.Role{page.RoleBody, page.RolePost, page.RoleComment, page.RoleAside, page.RoleRelated, page.RoleNavigation, page.RoleNotice}

// headingColumns sets the columns of the linear models' scores of the heading above.
func (s *sheet) headingColumns() {
	under := func(from, to column) {
		in := s.col(from)
		each(s.want(to), func(i int) float64 {
			if h := s.sections[s.sectionOf[i]].heading; h >= 0 {
				return float64(in[h])
			}
			return 0
		})
	}
	under(colLexical, colSectionLexical)
	for k, r := range headingHints {
		under(colHints+column(r-1), colSectionHints+column(k))
	}
}

// maxHeadingWords is the number of words of a heading that the linear models read for the blocks
// under it.
const maxHeadingWords = 8

// appendHeadingSlots appends the slots of the words of a heading, for the blocks under it.
func (w *wordHashes) appendHeadingSlots(dst []uint32) []uint32 {
	last := uint32(0)
	for _, h := range w.head[:min(w.count, maxHeadingWords)] {
		dst = append(dst, slot(h, saltHeading), slot(h+last*31, saltHeading^saltPair))
		last = h
	}
	return dst
}

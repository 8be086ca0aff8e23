package blocks

import "chaffinch/internal/truth"

// elementStats holds the statistics of an element including its descendants.
type elementStats struct {
	words     int32
	blocks    int32
	commas    int32
	good      int32
	linkWords float64
	score     float64 // score as a container of running text
	parent    int32   // parent element
	up        int32   // nearest ancestor with more blocks, or -1
	depth     int16
	climb     int16 // steps up to an ancestor of the top container
	meet      int16 // steps from the top container up to that ancestor
	tag       tagInfo
	counts    [tagGroups]uint8 // ancestors and the element itself, by tag group
	alike     int32            // index in sheet.alikes
	below     bool             // inside the footer of an article
	replies   bool             // inside an article in such a footer: a comment according to HTML

	// Set only for elements with blocks.
	path  uint64 // hash of the tag names from the root
	kind  uint64 // hash of the kind of record
	group int32  // index of kind in sheet.kinds
}

// readElements computes the statistics of the elements.
func (s *sheet) readElements() {
	els := s.page.Elements
	n := len(els) + 1 // index 0 is the page
	if cap(s.elems) < n {
		s.elems = make([]elementStats, n)
	}
	s.elems = s.elems[:n]
	s.elems[0] = elementStats{parent: -1, up: -1}
	s.alikes = s.alikes[:0]
	clear(s.alikeCache[:])
	for i := range els {
		p := els[i].Parent + 1
		parent := &s.elems[p]
		alike := s.alike(int32(i + 1))
		x := &s.elems[i+1]
		*x = elementStats{parent: p, up: -1, alike: alike}
		x.depth, x.tag, x.counts = parent.depth+1, s.alikes[alike].tag, parent.counts
		if g := x.tag.group; g != groupNone && x.counts[g] < 255 {
			x.counts[g]++
		}
		x.below = parent.below || x.tag.group == groupFooter && parent.counts[groupArticle] > 0
		x.replies = parent.replies || parent.below && x.tag.group == groupArticle
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		b.element++ // now an index in s.elems
		x := &s.elems[b.element]
		x.blocks++
		x.words += b.words
		x.linkWords += b.linkWords
		x.commas += b.commas
		if b.good {
			x.good++
		}
	}
	for i := n - 1; i > 0; i-- {
		x, up := &s.elems[i], &s.elems[els[i-1].Parent+1]
		up.blocks += x.blocks
		up.words += x.words
		up.linkWords += x.linkWords
		up.commas += x.commas
		up.good += x.good
	}
	for i := 1; i < n; i++ {
		p := els[i-1].Parent + 1
		x := &s.elems[i]
		if s.elems[p].blocks > x.blocks {
			x.up = p
		} else {
			x.up = s.elems[p].up
		}
		if x.blocks > 0 {
			s.nameElement(int32(i))
		}
	}
}

// nameElement sets the hashes of an element with blocks. Its ancestors must be set.
func (s *sheet) nameElement(i int32) {
	x := &s.elems[i]
	parent, a := &s.elems[x.parent], &s.alikes[x.alike]
	x.path = mix(parent.path, a.name)
	x.kind = a.recordKind(parent.kind)
}

// twin returns a hash of the names and classes of element e and its three nearest ancestors.
func (s *sheet) twin(e int32) uint64 {
	h := uint64(0)
	for k := 0; k < 4 && e > 0; k++ {
		x := &s.elems[e]
		h = mix(h, s.alikes[x.alike].own)
		e = x.parent
	}
	return h
}

// containerLevels is the number of containers around a block that have columns.
const containerLevels = 4

// containerColumns is the number of columns of a container.
const containerColumns = 7

// containers sets the columns of the ancestors with more content than the block.
func (s *sheet) containers() {
	for i := range s.blocks {
		b := &s.blocks[i]
		if !b.good {
			continue
		}
		v := float64(b.words) - b.linkWords
		s.elems[b.element].score += float64(.5 * v)
		e := s.elems[b.element].up
		for _, w := range [...]float64{1, .6, .3} {
			if e < 0 {
				break
			}
			s.elems[e].score += float64(w * v)
			e = s.elems[e].up
		}
	}
	top, best := int32(0), 0.
	for i := range s.elems {
		if s.elems[i].score > best {
			top, best = int32(i), s.elems[i].score
		}
	}
	for i := range s.elems {
		s.elems[i].climb = -1
	}
	for e, n := top, int16(0); e >= 0; e, n = s.elems[e].parent, n+1 {
		s.elems[e].climb, s.elems[e].meet = 0, n
	}
	for i := 1; i < len(s.elems); i++ {
		if x := &s.elems[i]; x.climb < 0 {
			p := &s.elems[s.elems[i].parent]
			x.climb, x.meet = p.climb+1, p.meet
		}
	}
	bs, elems := s.blocks, s.elems
	each(s.want(colScore), func(i int) float64 { return ratio(elems[max(elems[bs[i].element].up, 0)].score, best) })
	each(s.want(colScore2), func(i int) float64 { return ratio(elems[bs[i].element].score, best) })
	each(s.want(colInTop), func(i int) float64 { return truth.Float64(elems[bs[i].element].meet == 0) })
	each(s.want(colUpToTop), func(i int) float64 { return float64(elems[bs[i].element].climb) })
	each(s.want(colDownFromTop), func(i int) float64 { return float64(elems[bs[i].element].meet) })
	s.around = grow(s.around, s.n)
	for i := range bs {
		s.around[i] = bs[i].element
	}
	for c := colC1Words; c < colC1Words+containerLevels*containerColumns && s.wants(c, colC4Own); c += containerColumns {
		s.containerColumns(c)
	}
}

// containerColumns moves to the next container of each block and sets its columns, starting
// at c.
func (s *sheet) containerColumns(c column) {
	bs, elems, around := s.blocks, s.elems, s.around
	for i, e := range around {
		around[i] = max(elems[e].up, 0)
	}
	all := float64(elems[0].words)
	words := func(i int) float64 { return float64(elems[around[i]].words) }
	each(s.want(c), func(i int) float64 { return log1(elems[around[i]].words) })
	each(s.want(c+1), func(i int) float64 { return ratio(elems[around[i]].linkWords, words(i)) })
	each(s.want(c+2), func(i int) float64 { return log1(elems[around[i]].blocks) })
	each(s.want(c+3), func(i int) float64 { return ratio(words(i), all) })
	each(s.want(c+4), func(i int) float64 { return ratio(float64(elems[around[i]].commas), words(i)) })
	each(s.want(c+5), func(i int) float64 { return ratio(float64(elems[around[i]].good), float64(elems[around[i]].blocks)) })
	each(s.want(c+6), func(i int) float64 { return ratio(float64(bs[i].words), words(i)) })
}

// templates sets the columns of blocks with the same ancestors.
func (s *sheet) templates() {
	s.paths.reset(s.n)
	s.twins.reset(s.n)
	for i := range s.blocks {
		b := &s.blocks[i]
		b.path = s.paths.add(s.elems[b.element].path, b)
		b.twin = s.twins.add(s.twin(b.element), b)
	}
	s.around = grow(s.around, s.n)
	for i := range s.blocks {
		s.around[i] = s.blocks[i].path
	}
	s.templateColumns(colPathBlocks, s.paths.list)
	for i := range s.blocks {
		s.around[i] = s.blocks[i].twin
	}
	s.templateColumns(colTwinBlocks, s.twins.list)
}

// templateColumns sets the columns of the groups in s.around, starting at c.
func (s *sheet) templateColumns(c column, groups []group) {
	of, all := s.around, float64(s.elems[0].words)
	each(s.want(c), func(i int) float64 { return log1(groups[of[i]].blocks) })
	each(s.want(c+1), func(i int) float64 { return log1(groups[of[i]].words) })
	each(s.want(c+2), func(i int) float64 { return ratio(float64(groups[of[i]].words), all) })
	each(s.want(c+3), func(i int) float64 { return float64(groups[of[i]].words) / float64(groups[of[i]].blocks) })
	each(s.want(c+4), func(i int) float64 { return ratio(groups[of[i]].linkWords, float64(groups[of[i]].words)) })
	each(s.want(c+5), func(i int) float64 { return float64(groups[of[i]].good) / float64(groups[of[i]].blocks) })
}

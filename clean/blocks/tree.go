package blocks

// elementStats is what an element holds, all that stands in it included.
type elementStats struct {
	words     int
	linkWords float64
	blocks    int
	commas    int
	good      int
	score     float64 // as a container of running text
	parent    int32   // the element around it
	up        int32   // nearest element around it that holds more blocks, -1 for none
	depth     int16
	climb     int16 // steps up to the chain of the top container
	meet      int16 // steps from the top container up to where that is
	tag       tagInfo
	counts    [tagGroups]uint8 // elements around it and itself, by group
	name      uint64           // hash of the name
	below     bool             // in the footer of an article
	replies   bool             // in an article there: what HTML calls a comment

	// Of elements that hold blocks.
	path  uint64 // hash of the names from the outermost on
	own   uint64 // hash of name and class
	kind  uint64 // hash of the kind of record that it may be
	group int32  // index of that in sheet.kinds
	twin  uint64 // hash of own of the four innermost elements
}

// readElements sums up what the elements hold.
func (s *sheet) readElements() {
	els := s.page.Elements
	n := len(els) + 1 // the first stands for the page
	if cap(s.elems) < n {
		s.elems = make([]elementStats, n)
	}
	s.elems = s.elems[:n]
	s.elems[0] = elementStats{parent: -1, up: -1}
	for i := range els {
		e := &els[i]
		parent := &s.elems[e.Parent+1]
		name := hashString(e.Name)
		x := &s.elems[i+1]
		*x = elementStats{parent: e.Parent + 1, up: -1, depth: parent.depth + 1, tag: lookupTag(name), counts: parent.counts, name: name}
		if g := x.tag.group; g != groupNone && x.counts[g] < 255 {
			x.counts[g]++
		}
		x.below = parent.below || x.tag.group == groupFooter && parent.counts[groupArticle] > 0
		x.replies = parent.replies || parent.below && x.tag.group == groupArticle
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		b.element++ // from here on an index in s.elems
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

// nameElement sets what tells apart an element that holds blocks; those around it
// are named already.
func (s *sheet) nameElement(i int32) {
	x, e := &s.elems[i], &s.page.Elements[i-1]
	parent := &s.elems[x.parent]
	x.path = mix(parent.path, x.name)
	x.own = mix(x.name, hashString(e.Class))
	x.kind = recordKind(x.name, e.Class, parent.kind)
	x.twin = x.own
	for k, p := 0, x.parent; k < 3 && p > 0; k, p = k+1, s.elems[p].parent {
		x.twin = mix(x.twin, s.elems[p].own)
	}
}

// containerLevels is the number of containers around a block that have columns.
const containerLevels = 4

// containerColumns is the number of columns of a container.
const containerColumns = 7

// containers sets the columns of the elements around the blocks that hold
// more than the block.
func (s *sheet) containers() {
	all := &s.elems[0]
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
	for i := range s.blocks {
		b := &s.blocks[i]
		e := s.elems[b.element].up
		s.set(colScore, i, ratio(s.elems[max(e, 0)].score, best))
		s.set(colScore2, i, ratio(s.elems[b.element].score, best))
		x := &s.elems[b.element]
		s.set(colInTop, i, flag(x.meet == 0))
		s.set(colUpToTop, i, float64(x.climb))
		s.set(colDownFromTop, i, float64(x.meet))
		c := colC1Words
		for k := 0; k < containerLevels; k++ {
			if e < 0 {
				e = 0
			}
			x := &s.elems[e]
			words := float64(x.words)
			s.set(c, i, log1(x.words))
			s.set(c+1, i, ratio(x.linkWords, words))
			s.set(c+2, i, log1(x.blocks))
			s.set(c+3, i, ratio(words, float64(all.words)))
			s.set(c+4, i, ratio(float64(x.commas), words))
			s.set(c+5, i, ratio(float64(x.good), float64(x.blocks)))
			s.set(c+6, i, ratio(float64(b.words), words))
			c += containerColumns
			e = x.up
		}
	}
}

// templates sets the columns of blocks with the same elements around them.
func (s *sheet) templates() {
	s.paths.reset(s.n)
	s.twins.reset(s.n)
	for i := range s.blocks {
		b := &s.blocks[i]
		x := &s.elems[b.element]
		b.path = s.paths.add(x.path, b)
		b.twin = s.twins.add(x.twin, b)
	}
	all := float64(s.elems[0].words)
	for i := range s.blocks {
		b := &s.blocks[i]
		for _, k := range [...]struct {
			c column
			g *group
		}{{colPathBlocks, &s.paths.list[b.path]}, {colTwinBlocks, &s.twins.list[b.twin]}} {
			words, blocks := float64(k.g.words), float64(k.g.blocks)
			s.set(k.c, i, log1(k.g.blocks))
			s.set(k.c+1, i, log1(k.g.words))
			s.set(k.c+2, i, ratio(words, all))
			s.set(k.c+3, i, words/blocks)
			s.set(k.c+4, i, ratio(k.g.linkWords, words))
			s.set(k.c+5, i, float64(k.g.good)/blocks)
		}
	}
}

package extract

// writer builds the text of one block at the end of buf, which all blocks of a page share.
type writer struct {
	buf                 []byte
	from                int  // start of the open block's text in buf
	open                bool // a block is open
	pend                uint8
	plink               bool // the pending white space is in a link
	depth               int  // index in the stack of the innermost element that holds the whole block so far
	low                 int  // lowest index that the stack was cut to since the last text
	seam                seam // tags since the last text
	formula, formulaEnd int  // span of the last formula in buf
	block               block
}

// States of pending white space. Higher values win.
const (
	pendNone  uint8 = iota
	pendBlank       // white space in the source
	pendBreak       // white space with a line break
	pendGap         // a space that always shows
	pendLine
)

// block is a finished block whose text is still in the buffer.
type block struct {
	textStart, textEnd int
	start, end         int
	path               int32
	kind               uint8
	level              uint8
	hidden             bool
	linkChars, tags    int
	links, boldChars   int
	breaks, images     int
	above              int // images since the start of the previous block
	alt                string
	element            int32
	marks, marksEnd    int    // span in inlines.done
	indent             string // indentation of code
}

// lineBreak handles a br element: the first is a space, the second in a row ends the block.
func (s *scan) lineBreak() {
	if s.muted > 0 {
		return
	}
	w := s.w
	switch {
	case s.preserves():
		if w.open {
			w.flushPending(s)
			w.pend = pendLine
		}
	case s.brs > 0:
		s.endBlock()
	default:
		if w.open {
			if w.pend == pendNone {
				w.plink = s.links > 0
			}
			w.pend = pendGap
			w.block.breaks++
			if s.cfg.Inline && w == &s.shown {
				s.breakLine()
			}
		}
		s.brs = 1
	}
}

// newBlock returns a block that starts at byte from of the page.
func (s *scan) newBlock(from int) block {
	top := &s.stack[len(s.stack)-1]
	b := block{start: from, path: top.block, kind: uint8(top.kind), level: top.level, hidden: s.hidden > 0, tags: s.inline, images: s.images, links: min(s.links, 1), above: s.above, alt: s.alt, element: -1}
	s.above, s.alt = 0, ""
	if !s.flat {
		b.element = s.record(len(s.stack) - 1)
	}
	s.inline, s.images = 0, 0
	s.nodes++
	return b
}

// endBlock ends the open block, if any.
func (s *scan) endBlock() {
	if s.muted > 0 {
		return
	}
	if s.w == &s.veiled {
		s.finish(&s.veiled)
		if !s.shown.open {
			s.flushLate()
		}
		s.inline, s.images = 0, 0
		return
	}
	if s.cfg.Inline && !s.shown.open {
		s.standAlone()
	}
	s.finish(&s.shown)
	s.flushLate()
	s.inline, s.images, s.brs = 0, 0, 0
}

// finish closes the block of w and appends it to s.done, or to s.late if it is hidden.
func (s *scan) finish(w *writer) {
	if !w.open {
		return
	}
	w.open, w.pend = false, pendNone
	b := w.block
	end := len(w.buf)
	for end > w.from && class[w.buf[end-1]] == space {
		end--
	}
	w.buf = w.buf[:end]
	b.textStart, b.textEnd = w.from, end
	b.tags += s.inline
	b.images += s.images
	if w == &s.veiled {
		s.late = append(s.late, b)
	} else {
		if s.cfg.Inline {
			s.endMarks(&b)
		}
		s.done = append(s.done, b)
	}
}

// flushLate moves the hidden blocks after the block that they interrupt.
func (s *scan) flushLate() {
	if len(s.late) == 0 {
		return
	}
	for _, b := range s.late {
		from := len(s.shown.buf)
		s.shown.buf = append(s.shown.buf, s.veiled.buf[b.textStart:b.textEnd]...)
		b.textStart, b.textEnd = from, len(s.shown.buf)
		s.done = append(s.done, b)
	}
	s.late = s.late[:0]
	if !s.veiled.open {
		s.veiled.buf = s.veiled.buf[:0]
	}
}

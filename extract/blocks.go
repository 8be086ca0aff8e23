package extract

// writer builds the text of one block at the end of buf, which all blocks of a page share.
type writer struct {
	buf                 []byte
	from                int  // start of the open block's text in buf
	open                bool // a block is open
	pend                uint8
	pendInLink          bool // the pending white space is in a link
	depth               int  // index in the stack of the innermost element that holds the whole block so far
	lowest              int  // lowest index that the stack was cut to since the last text
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
	imagesAbove        int // images since the start of the previous block
	imageAlt           string
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
	case s.lineBreaks > 0:
		s.endBlock()
	default:
		if w.open {
			if w.pend == pendNone {
				w.pendInLink = s.links > 0
			}
			w.pend = pendGap
			w.block.breaks++
			if s.cfg.Inline && w == &s.shown {
				s.breakLine()
			}
		}
		s.lineBreaks = 1
	}
}

// newBlock makes b a block that starts at byte from of the page.
func (s *scan) newBlock(b *block, from int) {
	top := &s.stack[len(s.stack)-1]
	*b = block{start: from, path: top.block, kind: uint8(top.kind), level: top.level, hidden: s.hidden > 0, tags: s.inlineTags, images: s.images, links: min(s.links, 1), imagesAbove: s.imagesAbove, imageAlt: s.imageAlt, element: -1}
	s.imagesAbove, s.imageAlt = 0, ""
	if !s.flat {
		b.element = s.record(len(s.stack) - 1)
	}
	s.inlineTags, s.images = 0, 0
	s.nodes++
}

// endBlock ends the open block, if any.
func (s *scan) endBlock() {
	if s.muted > 0 {
		return
	}
	if s.w == &s.hiddenText {
		s.finish(&s.hiddenText)
		if !s.shown.open {
			s.flushHidden()
		}
		s.inlineTags, s.images = 0, 0
		return
	}
	if !s.shown.open && len(s.inlines.pending)+len(s.inlines.indent) > 0 {
		s.flushImages()
	}
	s.finish(&s.shown)
	s.flushHidden()
	s.inlineTags, s.images, s.lineBreaks = 0, 0, 0
}

// finish closes the block of w and appends it to s.done, or to s.hiddenBlocks if it is hidden.
func (s *scan) finish(w *writer) {
	if !w.open {
		return
	}
	w.open, w.pend = false, pendNone
	end := len(w.buf)
	for end > w.from && class[w.buf[end-1]] == space {
		end--
	}
	w.buf = w.buf[:end]
	to := &s.done
	if w == &s.hiddenText {
		to = &s.hiddenBlocks
	}
	*to = append(*to, w.block)
	b := &(*to)[len(*to)-1]
	b.textStart, b.textEnd = w.from, end
	b.tags += s.inlineTags
	b.images += s.images
	if s.cfg.Inline && w == &s.shown {
		s.endMarks(b)
	}
}

// flushHidden moves the hidden blocks after the block that they interrupt.
func (s *scan) flushHidden() {
	if len(s.hiddenBlocks) == 0 {
		return
	}
	for _, b := range s.hiddenBlocks {
		from := len(s.shown.buf)
		s.shown.buf = append(s.shown.buf, s.hiddenText.buf[b.textStart:b.textEnd]...)
		b.textStart, b.textEnd = from, len(s.shown.buf)
		s.done = append(s.done, b)
	}
	s.hiddenBlocks = s.hiddenBlocks[:0]
	if !s.hiddenText.open {
		s.hiddenText.buf = s.hiddenText.buf[:0]
	}
}

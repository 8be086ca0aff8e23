package extract

import (
	"slices"
	"strings"

	"chaffinch/page"
)

// element is an open element.
type element struct {
	tag    tagID
	kind   page.Kind // of a block that begins in it
	level  uint8     // heading level or nesting of lists
	lists  uint8     // open lists
	link   bool
	href   string // of a link
	hidden bool   // hidden itself
	gap    bool   // a gap shows between it and adjacent text
	mutes  bool   // its text is left out
	quoted bool   // quotation marks are shown around it
	name   string // of an unknown element, as written in the source
	path   int32  // node in the tree of paths
	block  int32  // node of the nearest block element
	number int32  // index in scan.elements plus 1; 0 while it holds no text
	bare   int32  // index in inlines.imageHolders plus 1; 0 for none
	mark   int32  // number of its inline markup; 0 for none
	count  int32  // number of a list item; in an ordered list, of its last item
	place  page.Place
	tagAttrs
}

// push opens an element for the current token. Beyond the depth limit it only counts the element,
// so that the end tag does not close another one.
func (s *scan) push(t tagID) {
	if len(s.stack) >= s.cfg.MaxDepth {
		s.cut(page.TooDeep)
		s.tooDeep[t]++
		return
	}
	n := len(s.stack)
	s.stack = slices.Grow(s.stack, 1)
	top, e := &s.stack[n-1], &s.stack[:n+1][n] // the stack has e when it is complete
	*e = element{tag: t, kind: top.kind, level: top.level, lists: top.lists, block: top.block}
	e.read(&s.lex)
	name := tags[t].name
	if t == tagUnknown {
		e.name = s.lex.name
		name = s.unknownName(e.name)
	}
	e.path = s.step(top.path, t, name)
	tr := tags[t].traits
	if tr&isBlock != 0 {
		e.block = e.path
	}
	switch {
	case tr&isHeading != 0:
		e.kind, e.level = page.Heading, uint8(t-tagH1)+1
	case tr&keepsSpace != 0:
		e.kind, e.level = page.Code, 0
		s.verbatim++
	case t == tagLi, t == tagDt, t == tagDd:
		e.kind, e.level = page.Item, max(e.lists, 1)
	case t == tagTd, t == tagTh:
		e.kind, e.level = page.Cell, 0
	case tr&resetsKind != 0, t == tagP && top.tag != tagLi && top.tag != tagDd && top.tag != tagDt:
		e.kind, e.level = page.Paragraph, 0
	}
	if tr&isList != 0 && e.lists < 255 {
		e.lists++
	}
	aside := s.isExcluded(t, e.class)
	if tex, display := s.attributeTeX(e.class); tex != "" {
		s.formula(tex, display, s.lex.start, s.lex.pos)
		aside = true
	}
	switch t {
	case tagA:
		if e.href, e.link = s.lex.attrs.get(attrHref); e.link && s.isMarkLink(e.href) {
			e.link, aside = false, true
		}
	case tagP:
		s.openP++
	}
	if e.link {
		s.links++
		s.w.block.links++
	}
	if tr&isBold != 0 {
		s.bold++
	}
	if (aside || tr&mutes != 0 && !(t == tagButton && top.kind == page.Heading)) && !s.unmuted[t] {
		s.seamGap()
		e.mutes = true
		s.muted++
	}
	if tr&isCode != 0 {
		s.code++
	}
	if s.cfg.Inline {
		if len(s.inlines.notes) > 0 {
			s.anchor(e)
		}
		s.beginMark(e)
	}
	s.place(e)
	hidden, gap := s.styleAttributes(t)
	e.gap = gap || t == tagLabel || t == tagTime
	if e.hidden = hidden && !s.isExpandable(); e.hidden {
		s.hide(tr&isBlock != 0)
	} else if tr&isBlock == 0 {
		s.seamBegin(e)
	}
	s.count(e, 1)
	s.stack = s.stack[:n+1]
	if t == tagQ {
		s.quote(e, true)
	}
}

// count adds n, 1 or -1, to the open elements like e. The counts spare a search of the stack for
// end tags without an open element.
func (s *scan) count(e *element, n int32) {
	s.openByTag[e.tag] += n
	if e.tag == tagUnknown {
		s.openUnknown[nameHash(e.name)] += n
	}
}

// nameHash returns a hash of a tag's name, regardless of case.
func nameHash(name string) uint {
	h := uint(0)
	for i := range len(name) {
		h = h*31 + uint(name[i]|0x20)
	}
	return h % nameHashes
}

// nameHashes is several times the number of elements that can be open, so that the names of few end
// tags without an open element collide.
const nameHashes = 4093

// closeElement undoes the effects of push on the counters. The element is still on the stack.
func (s *scan) closeElement(e *element) {
	if e.quoted {
		s.quote(e, false)
	}
	s.count(e, -1)
	tr := tags[e.tag].traits
	if tr&isBlock != 0 {
		s.endBlock()
	} else if !e.hidden {
		s.seamEnd(e)
	}
	if tr&isCode != 0 {
		s.code--
	}
	if tr&keepsSpace != 0 {
		s.verbatim--
	}
	if e.link {
		s.links--
	}
	if tr&isBold != 0 {
		s.bold--
	}
	if e.mutes {
		s.muted--
	}
	if e.tag == tagTable {
		s.inlines.grids = s.inlines.grids[:len(s.inlines.grids)-1]
	}
	if e.tag == tagP {
		s.openP--
	}
	if e.hidden {
		s.unhide()
	}
}

// popTo closes the elements from the top down to index i, inclusive. An open link among them, which
// the page has not closed yet, is opened again, as in browsers.
func (s *scan) popTo(i int) {
	relink := -1
	var remark mark
	for k := len(s.stack) - 1; k >= i; k-- {
		e := &s.stack[k]
		switch {
		case e.link && k > i:
			relink = k
		case e.tag == tagTd, e.tag == tagTh, e.tag == tagCaption:
			relink = -1
		}
		if e.mark == 0 {
			s.closeElement(e)
			continue
		}
		m := s.closeMark(e.mark)
		if s.closeElement(e); relink == k {
			remark = m
		}
	}
	s.noteClosed(i)
	if relink < 0 {
		s.stack = s.stack[:i]
		return
	}
	link := s.stack[relink]
	s.stack = s.stack[:i]
	top := &s.stack[i-1]
	link.kind, link.level, link.lists, link.block, link.hidden = top.kind, top.level, top.lists, top.block, false
	link.path = s.step(top.path, tagA, "a")
	link.number, link.bare = 0, 0
	if link.mark > 0 {
		link.mark = s.openMark(remark)
	}
	s.links++
	s.count(&link, 1)
	s.stack = append(s.stack, link)
}

// closeAlone closes only the element at index i. Elements above it stay open.
func (s *scan) closeAlone(i int) {
	if m := s.stack[i].mark; m > 0 {
		s.closeMark(m)
	}
	s.closeElement(&s.stack[i])
	s.noteClosed(i)
	s.stack = append(s.stack[:i], s.stack[i+1:]...)
}

// findOpen returns the index of the open element t that an end tag would close. It searches down to the
// first element with a trait in stop, and returns 0 if there is none.
func (s *scan) findOpen(t tagID, stop uint32) int {
	if s.openByTag[t] == 0 {
		return 0
	}
	for i := len(s.stack) - 1; i > 0; i-- {
		if s.stack[i].tag == t {
			return i
		}
		if s.stack[i].tag.has(stop) {
			return 0
		}
	}
	return 0
}

// closeP closes an open p element that the start tag of a block implies the end of.
func (s *scan) closeP() {
	if s.openP == 0 {
		return
	}
	if i := s.findOpen(tagP, isScope); i > 0 {
		s.popTo(i)
	}
}

// startTag processes the start tag of an element that is pushed.
func (s *scan) startTag(t tagID) {
	tr := tags[t].traits
	switch t {
	case tagTd, tagTh, tagTr, tagTbody, tagThead, tagTfoot, tagCaption:
		if !s.clearTable(t) {
			s.endBlock() // a boundary only, outside of tables
			return
		}
	case tagTable:
		if s.stack[len(s.stack)-1].tag.has(isTable) {
			s.clearTable(t)
		}
		s.closeP()
	case tagLi:
		s.closeItem(tagLi, tagLi)
		s.closeP()
	case tagDt, tagDd:
		s.closeItem(tagDt, tagDd)
		s.closeP()
	case tagA:
		if i := s.findOpen(tagA, isScope); i > 0 {
			s.closeAlone(i)
		}
	case tagButton:
		if i := s.findOpen(tagButton, isScope); i > 0 {
			s.popTo(i)
		}
	case tagForm:
		if s.findOpen(tagForm, 0) > 0 {
			return
		}
		if s.stack[len(s.stack)-1].tag.has(isTable) { // not opened directly in tables
			s.endBlock()
			return
		}
		s.closeP()
	default:
		if tr&closesP != 0 {
			s.closeP()
		}
		if tr&isHeading != 0 && s.stack[len(s.stack)-1].tag.has(isHeading) {
			s.popTo(len(s.stack) - 1)
		}
	}
	if tr&isBlock != 0 {
		s.endBlock()
	} else {
		s.inlineTags++
	}
	s.push(t)
}

// closeItem closes an open a or b element that the start tag of a list item implies the end of.
func (s *scan) closeItem(a, b tagID) {
	if s.openByTag[a]+s.openByTag[b] == 0 {
		return
	}
	for i := len(s.stack) - 1; i > 0; i-- {
		t := s.stack[i].tag
		if t == a || t == b {
			s.popTo(i)
			return
		}
		if t.has(isSpecial) && t != tagAddress && t != tagDiv && t != tagP {
			return
		}
	}
}

// clearTable closes the elements that the start tag of the table part t implies the end of: all
// inside the innermost table except the parts that contain t. It reports whether a table is open.
func (s *scan) clearTable(t tagID) bool {
	i := s.findOpen(tagTable, 0)
	if i == 0 {
		return false
	}
	if t == tagTable {
		s.popTo(i)
		return true
	}
	for i++; i < len(s.stack); i++ {
		in := s.stack[i].tag
		keep := in.has(isTable) && in != tagTr && (t == tagTr || t == tagTd || t == tagTh) ||
			in == tagTr && (t == tagTd || t == tagTh)
		if !keep {
			s.popTo(i)
			break
		}
	}
	return true
}

// endTag processes an end tag.
func (s *scan) endTag(t tagID) {
	if s.tooDeep[t] > 0 {
		s.tooDeep[t]--
		if t.has(isBlock) {
			s.endBlock()
		}
		return
	}
	tr := tags[t].traits
	switch {
	case tags[t].act != actOpen && !s.unmuted[t]:
		if t == tagBr && !s.lex.xml {
			s.lineBreak()
		}
	case t == tagUnknown:
		if s.openUnknown[nameHash(s.lex.name)] == 0 {
			return
		}
		for i := len(s.stack) - 1; i > 0 && !s.stack[i].tag.has(isSpecial); i-- {
			if e := &s.stack[i]; e.tag == tagUnknown && strings.EqualFold(e.name, s.lex.name) {
				s.popTo(i)
				return
			}
		}
	case t == tagP:
		if i := s.findOpen(t, isScope); i > 0 {
			s.popTo(i)
		} else {
			s.endBlock()
		}
	case tr&isHeading != 0:
		for i := len(s.stack) - 1; i > 0; i-- {
			if in := s.stack[i].tag; in.has(isHeading) {
				s.popTo(i)
				return
			} else if in.has(isScope) {
				return
			}
		}
	case tr&isFormat != 0:
		if i := s.findOpen(t, isScope); i > 0 {
			s.closeAlone(i)
		}
	case t == tagForm:
		if i := s.findOpen(t, 0); i > 0 {
			s.endBlock()
			s.closeAlone(i)
		}
	case tr&isTable != 0, t == tagTd, t == tagTh, t == tagCaption:
		if s.openByTag[t] == 0 {
			return
		}
		// Inside a cell of a nested table these end tags belong to that table.
		for i := len(s.stack) - 1; i > 0; i-- {
			if s.stack[i].tag == t {
				s.popTo(i)
				return
			} else if s.stack[i].tag == tagTable {
				return
			}
		}
	case t == tagLi:
		if i := s.findOpen(t, isScope|isList); i > 0 {
			s.popTo(i)
		}
	case tr&(isBlock|isScope) != 0, t == tagButton:
		if i := s.findOpen(t, isScope); i > 0 {
			s.popTo(i)
		}
	default:
		if i := s.findOpen(t, isSpecial); i > 0 {
			s.popTo(i)
		}
	}
}

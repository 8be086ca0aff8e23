package extract

import (
	"chaffinch/page"
)

// unwritten is the start of an element that has no start tag in the page.
const unwritten = -1

// tagAttrs holds the position and the attributes of a start tag.
type tagAttrs struct {
	start                     int32
	class, id, role, itemProp string
}

// read sets m from the current start tag.
func (m *tagAttrs) read(l *lexer) {
	m.start = int32(l.start)
	if l.attrs.has(describing) {
		a := l.attrs.filled(false)
		m.class, m.id, m.role, m.itemProp = a.value(attrClass), a.value(attrElementID), a.value(attrRole), a.value(attrItemProp)
	}
}

// describing holds the attributes of tagAttrs.
const describing = 1<<attrClass | 1<<attrElementID | 1<<attrRole | 1<<attrItemProp

// readOnce sets m from the current start tag, of html or body, unless an earlier one has set it.
func (m *tagAttrs) readOnce(l *lexer) {
	if m.start == unwritten {
		m.read(l)
	}
}

// record returns the index in s.elements of the open element at index i of the stack. It adds the
// element and its ancestors if they are not there yet.
func (s *scan) record(i int) int32 {
	e := &s.stack[i]
	if e.number > 0 {
		return e.number - 1
	}
	parent := int32(-1)
	if i > 0 {
		parent = s.record(i - 1)
	}
	s.elements = append(s.elements, page.Element{})
	s.describe(&s.elements[len(s.elements)-1], e, parent)
	e.number = int32(len(s.elements))
	if e.bare > 0 {
		s.inlines.imageHolders[e.bare-1].number = e.number
	}
	return e.number - 1
}

// describe sets d, which is empty, to e.
func (s *scan) describe(d *page.Element, e *element, parent int32) {
	name := tags[e.tag].name
	if e.tag == tagUnknown {
		name = s.unknownName(e.name)
	}
	number := int32(0)
	if e.tag == tagLi {
		number = e.count
	}
	d.Parent, d.Start, d.Name, d.Class, d.ID, d.Role, d.ItemProp, d.Number, d.Place = parent, e.start, name, e.class, e.id, e.role, e.itemProp, number, e.place
}

// bareElement is an element that holds images. Its number is set if it also holds text, after the
// image: then it is in scan.elements, too.
type bareElement struct {
	page.Element
	number int32
}

// imageHolder records the open element at index i of the stack as the holder of an image. It returns the
// index in s.elements or, for an element without text so far, -2 minus the index in s.inlines.imageHolders.
func (s *scan) imageHolder(i int) int32 {
	e := &s.stack[i]
	if e.number > 0 {
		return e.number - 1
	}
	if e.bare == 0 {
		parent := int32(-1)
		if i > 0 {
			parent = s.imageHolder(i - 1)
		}
		n := &s.inlines
		n.imageHolders = append(n.imageHolders, bareElement{})
		e.bare = int32(len(n.imageHolders))
		s.describe(&n.imageHolders[e.bare-1].Element, e, parent)
	}
	return -1 - e.bare
}

// fillHolders sets p.ImageElements to the elements that hold images but no text, and replaces the
// elements of p.Images by indices.
func (n *inlines) fillHolders(p *page.Page, r *recycled) {
	p.ImageElements = r.image
	index := make([]int32, len(n.imageHolders))
	final := func(e int32) int32 {
		if e < -1 {
			return index[-2-e]
		}
		return e
	}
	for i := range n.imageHolders {
		b := &n.imageHolders[i]
		if b.number > 0 {
			index[i] = b.number - 1
			continue
		}
		b.Parent = final(b.Parent)
		index[i] = int32(len(p.Elements) + len(p.ImageElements))
		p.ImageElements = append(p.ImageElements, b.Element)
	}
	if len(p.ImageElements) == 0 {
		p.ImageElements = nil
	}
	for i := range p.Images {
		p.Images[i].Element = final(p.Images[i].Element)
	}
}

// noteClosed records that the element at index i of the stack is closed: text that follows is outside
// of it.
func (s *scan) noteClosed(i int) {
	s.shown.lowest = min(s.shown.lowest, i-1)
	s.hiddenText.lowest = min(s.hiddenText.lowest, i-1)
}

// widenElement sets the element of w's block to the innermost one that also holds the text that follows.
func (s *scan) widenElement(w *writer) {
	for ; w.depth > w.lowest && w.block.element > 0; w.depth-- {
		w.block.element = s.elements[w.block.element].Parent
	}
	w.depth = w.lowest
}

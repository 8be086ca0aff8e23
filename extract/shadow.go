package extract

import "strings"

// Declarative shadow roots: <template shadowrootmode> attaches its content to the element around
// it, the host. Browsers show that tree in place of the children of the host; children appear only
// in the slots of the tree. Readers therefore do not see the text in source order. Such a page is
// first rewritten to the flattened tree of the DOM standard, and then read like any other page.

// isShadowRoot reports whether the template start tag that is the current token of l declares a
// shadow root.
func isShadowRoot(l *lexer) bool {
	mode, _ := l.attrs.named("shadowrootmode")
	return equalFold(mode, "open") || equalFold(mode, "closed")
}

// canHost holds the elements that can have a shadow root, besides elements with a hyphen in their
// name.
var canHost = func() (t [256]bool) {
	for _, name := range []string{"article", "aside", "blockquote", "body", "div", "footer", "h1", "h2", "h3", "h4", "h5", "h6",
		"header", "main", "nav", "p", "section", "span"} {
		t[tagIDs[name]] = true
	}
	return t
}()

// node is an element of the page.
type node struct {
	tag                      tagID
	tagName                  string // as written in the source
	name, slot               string // attributes with these names
	start, open              int    // span of the start tag
	close, end               int    // span of the end tag; empty if the page has none
	first, last, nextSibling int32  // first and last child, next sibling; 0 for none
	root                     int32  // shadow root of the element; 0 for none
	shadow                   bool   // is a shadow root
	text                     bool   // has text as a child
}

// flattener rewrites a page with declarative shadow roots.
type flattener struct {
	xml    bool   // see lexer
	nodes  []node // nodes[0] is the document
	open   []int32
	deeper int // levels of elements that may still be written inside the open ones
	rewriter
}

// flatten returns src with every declarative shadow root in place of the children of its host.
// Children assigned to a slot are in that slot, the others are hidden. At most maxNodes elements
// are read. Elements nested deeper than maxDepth are copied unchanged.
func flatten(src string, xml bool, maxNodes, maxDepth int) (string, []piece) {
	f := &flattener{xml: xml, nodes: []node{{close: len(src), end: len(src)}}, open: []int32{0}, deeper: maxDepth, rewriter: rewriter{src: src}}
	f.parse(maxNodes, maxDepth)
	f.write(0, nil)
	return f.out.String(), f.pieces
}

// parse builds the tree of nodes.
func (f *flattener) parse(maxNodes, maxDepth int) {
	l := lexer{xml: f.xml}
	l.reset(f.src)
	for len(f.nodes) <= maxNodes {
		top := f.open[len(f.open)-1]
		switch l.next() {
		case tokEOF:
			f.closeFrom(1, len(f.src), len(f.src))
			return
		case tokText, tokVerbatim:
			f.nodes[top].text = true
		case tokEnd:
			if n := f.find(&l); n > 0 {
				f.closeFrom(n, l.start, l.pos)
			}
		case tokStart:
			if in := f.nodes[top].tag; in == tagP && l.tag.has(closesP) || in == tagLi && l.tag == tagLi {
				f.closeFrom(len(f.open)-1, l.start, l.start)
			}
			i := f.add(&l)
			if isLeaf(&l) || len(f.open) >= maxDepth {
				f.nodes[i].close, f.nodes[i].end = l.pos, l.pos
			} else {
				f.open = append(f.open, i)
			}
		}
	}
	f.closeFrom(1, len(f.src), len(f.src))
}

// find returns the index in f.open of the element that the current end tag closes; 0 for none.
func (f *flattener) find(l *lexer) int {
	for n := len(f.open) - 1; n > 0; n-- {
		e := &f.nodes[f.open[n]]
		if e.tag == l.tag && (e.tag != tagUnknown || strings.EqualFold(e.tagName, l.name)) {
			return n
		}
		if e.tag == tagTemplate {
			break
		}
	}
	return 0
}

// closeFrom closes the open elements from index n on. The end tag of the first of them is
// src[start:end].
func (f *flattener) closeFrom(n, start, end int) {
	for k, i := range f.open[n:] {
		f.nodes[i].close, f.nodes[i].end = start, start
		if k == 0 {
			f.nodes[i].end = end
		}
	}
	f.open = f.open[:n]
}

// add appends the element whose start tag is the current token of l, and returns its index.
func (f *flattener) add(l *lexer) int32 {
	i, parent := int32(len(f.nodes)), f.open[len(f.open)-1]
	n := node{tag: l.tag, tagName: l.name, start: l.start, open: l.pos}
	n.name = l.attrs.value(attrName)
	n.slot, _ = l.attrs.named("slot")
	host := &f.nodes[parent]
	if l.tag == tagTemplate && host.root == 0 && isShadowRoot(l) &&
		(canHost[host.tag] || host.tag == tagUnknown && strings.IndexByte(host.tagName, '-') > 0) {
		n.shadow, host.root = true, i
	}
	if host.last > 0 {
		f.nodes[host.last].nextSibling = i
	} else {
		host.first = i
	}
	host.last = i
	f.nodes = append(f.nodes, n)
	return i
}

// isLeaf reports whether the start tag that is the current token of l begins an element that cannot
// hold elements. It moves l to the end of raw text.
func isLeaf(l *lexer) bool {
	if l.xml && l.selfClose {
		return true
	}
	switch tags[l.tag].act {
	case actVoid, actBreak, actBr, actMeta, actLink:
		return true
	case actRaw, actTitle, actScript, actVerbatim:
		l.rawText(tags[l.tag].name)
		return true
	}
	return l.selfClose && l.tag == tagUnknown && strings.IndexByte(l.name, '-') < 0 // in a drawing
}

// slotted holds the children of a host, for the slots of its shadow root.
type slotted struct {
	outer      *slotted // children for the tree that contains the host
	all        []child
	unassigned map[string][]child // by slot, the children that no slot has taken
}

// child is a child of a host: a node, or the text before the next node.
type child struct {
	node     int32 // 0 for text
	from, to int
	slot     string
}

// slotted returns the children of host i.
func (f *flattener) slotted(i int32, outer *slotted) *slotted {
	host := &f.nodes[i]
	s := &slotted{outer: outer, unassigned: map[string][]child{}}
	at := host.open
	add := func(c child) {
		s.all = append(s.all, c)
		s.unassigned[c.slot] = append(s.unassigned[c.slot], c)
	}
	for k := host.first; k > 0; k = f.nodes[k].nextSibling {
		n := &f.nodes[k]
		if at < n.start && host.text {
			add(child{from: at, to: n.start})
		}
		if at = n.end; !n.shadow {
			add(child{node: k, slot: n.slot})
		}
	}
	if at < host.close && host.text {
		add(child{from: at, to: host.close})
	}
	return s
}

// write writes node i. Slots in its tree take the children in in.
func (f *flattener) write(i int32, in *slotted) {
	n := &f.nodes[i]
	if f.deeper == 0 {
		f.copy(n.start, n.end)
		return
	}
	f.deeper--
	f.copy(n.start, n.open)
	switch {
	case n.root > 0:
		s := f.slotted(i, in)
		f.children(n.root, s)
		f.hiddenRest(s, n.close)
	case n.tag == tagSlot && in != nil && len(in.unassigned[n.name]) > 0:
		taken := in.unassigned[n.name]
		delete(in.unassigned, n.name)
		for _, c := range taken {
			f.child(c, in.outer)
		}
	default:
		f.children(i, in)
	}
	f.copy(n.close, n.end)
	f.deeper++
}

// children writes the content of node i.
func (f *flattener) children(i int32, in *slotted) {
	at := f.nodes[i].open
	for k := f.nodes[i].first; k > 0; k = f.nodes[k].nextSibling {
		f.copy(at, f.nodes[k].start)
		f.write(k, in)
		at = f.nodes[k].end
	}
	f.copy(at, f.nodes[i].close)
}

// child writes a child of a host.
func (f *flattener) child(c child, in *slotted) {
	if c.node > 0 {
		f.write(c.node, in)
	} else {
		f.copy(c.from, c.to)
	}
}

// hiddenRest writes the children of a host that no slot has taken, hidden.
func (f *flattener) hiddenRest(s *slotted, at int) {
	if len(s.unassigned) == 0 {
		return
	}
	f.insert("<span hidden>", at, at)
	for _, c := range s.all {
		if s.unassigned[c.slot] != nil {
			f.child(c, s.outer)
		}
	}
	f.insert("</span>", at, at)
}

package tei

import (
	"strings"
	"unicode"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// role writes role r as the attribute rend, unless the enclosing elements express it.
func (w *writer) role(r page.Role) {
	if r != w.implied {
		w.attr("rend", r.String())
	}
}

// roleOf writes the role of a block that an item or a cell holds directly.
func (w *writer) roleOf(nodes []*layout.Node) {
	if w.alone(nodes) {
		w.role(w.p.Blocks[nodes[0].Index].Role)
	}
}

// first returns the role of the first block in nodes, or page.NoRole.
func (w *writer) first(nodes []*layout.Node) page.Role {
	for len(nodes) > 0 {
		if b := w.textOf(nodes[0]); b != nil {
			return b.Role
		}
		nodes = nodes[0].Nodes
	}
	return page.NoRole
}

// block writes b as an element.
func (w *writer) block(tag string, b *page.Block) {
	w.raw("<" + tag)
	w.role(b.Role)
	w.raw(">")
	w.inline(b)
	w.raw("</" + tag + ">\n")
}

// textOf returns the block of n, or nil if n is not text.
func (w *writer) textOf(n *layout.Node) *page.Block {
	if n.Kind != layout.Text {
		return nil
	}
	return &w.p.Blocks[n.Index]
}

// heading returns the block of n if its kind is heading, otherwise nil. By-lines,
// standfirsts and captions are not headings.
func (w *writer) heading(n *layout.Node) *page.Block {
	b := w.textOf(n)
	if b == nil || b.Kind != page.Heading || w.without.Has(page.FeatureHeadings) {
		return nil
	}
	switch b.Role {
	case page.RoleByline, page.RoleStandfirst, page.RoleCaption:
		return nil
	}
	return b
}

// head returns the block of n and its level if it begins a division, otherwise nil. The
// level is the level of a heading. It is 1 for a title that is not a heading. A block that
// is a heading only by role is one level below last, the level of the last heading.
func (w *writer) head(n *layout.Node, last uint8) (*page.Block, uint8) {
	if b := w.heading(n); b != nil {
		return b, max(b.Level, 1)
	}
	b := w.textOf(n)
	switch {
	case b == nil || w.without.Has(page.FeatureHeadings):
	case b.Role == page.RoleTitle:
		return b, 1
	case b.Role == page.RoleHeading:
		return b, min(last+1, 6)
	}
	return nil, 0
}

// front reports whether n is a by-line or a standfirst, and writes it as the TEI element
// for the top of a division.
func (w *writer) front(n *layout.Node) bool {
	b := w.textOf(n)
	if b == nil {
		return false
	}
	implied := w.implied
	defer func() { w.implied = implied }()
	switch w.implied = b.Role; b.Role {
	case page.RoleByline:
		if !w.dated(b) {
			w.block("byline", b)
			break
		}
		w.raw("<docDate")
		w.when(b.Text)
		w.raw(">")
		w.inline(b)
		w.raw("</docDate>\n")
	case page.RoleStandfirst:
		w.raw("<argument>")
		w.block("p", b)
		w.raw("</argument>\n")
	default:
		return false
	}
	return true
}

// dated reports whether a by-line is only a date. A date is a time element, or has digits
// and no letters except the letters in numeric dates.
func (w *writer) dated(b *page.Block) bool {
	if b.Element >= 0 && int(b.Element) < len(w.p.Elements) && w.p.Elements[b.Element].Name == "time" {
		return true
	}
	return strings.ContainsFunc(b.Text, unicode.IsDigit) && !strings.ContainsFunc(b.Text, func(r rune) bool {
		return unicode.IsLetter(r) && !strings.ContainsRune("TZ年月日년월일", r)
	})
}

func (w *writer) caption(n *layout.Node) bool {
	b := w.textOf(n)
	return b != nil && b.Role == page.RoleCaption && !w.bare && w.implied == page.NoRole
}

// solid reports whether n is valid as the only content of a body.
func (w *writer) solid(n *layout.Node) bool {
	b := w.textOf(n)
	if b == nil {
		return n.Kind != layout.Image
	}
	switch b.Role {
	case page.RoleByline, page.RoleStandfirst, page.RoleCaption:
		return false
	}
	return true
}

// figure writes the image, which may be nil, and the captions at the start of nodes. It
// returns the number of captions.
func (w *writer) figure(nodes []*layout.Node, im *page.Image) int {
	w.raw("<figure>")
	if im != nil {
		w.graphic(im.URL, "")
		if im.Alt != "" {
			w.raw("<figDesc>")
			w.text(im.Alt)
			w.raw("</figDesc>")
		}
	}
	n := 0
	for n < len(nodes) && w.caption(nodes[n]) {
		w.raw("<head>")
		w.inline(w.textOf(nodes[n]))
		w.raw("</head>")
		n++
	}
	w.raw("</figure>\n")
	return n
}

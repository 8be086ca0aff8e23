// Package tei writes pages as XML that follows the guidelines of the Text
// Encoding Initiative (TEI P5), so that it validates against tei_all: metadata
// in the teiHeader; the kept text as nested divisions with heads, paragraphs,
// lists, tables, quotes and code. docs/formats/tei.md
package tei

import (
	"strconv"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// namespace is that of all elements.
const namespace = "http://www.tei-c.org/ns/1.0"

// Encoder writes the kept text of kept pages, with the markup that the extractor
// recorded (extract.Config.Inline), each page as a TEI element. The zero value
// writes all markup.
type Encoder struct {
	// Without is the markup that is left out.
	Without page.Features
}

// Append appends the TEI element of p to dst; nothing for a page without kept
// text. It is well-formed XML 1.0 in UTF-8 whatever p holds.
func (e Encoder) Append(dst []byte, p *page.Page) []byte {
	nodes := layout.Of(p, layout.Config{Without: e.Without})
	if len(nodes) == 0 {
		return dst
	}
	w := writer{dst: dst, p: p, without: e.Without}
	w.raw("<TEI xmlns=\"" + namespace + "\">\n")
	w.header()
	w.raw("<text")
	w.langAttr("xml:lang", p.Lang)
	w.raw(">\n<body>\n")
	text, comments := w.parts(nodes)
	w.divisions(text)
	if len(comments) > 0 {
		w.raw("<div type=\"comments\">\n")
		w.nodes(comments)
		w.raw("</div>\n")
	}
	w.raw("</body>\n</text>\n</TEI>\n")
	return w.dst
}

// Frame returns what stands before, between and after the pages of one stream:
// a teiCorpus holds them.
func (e Encoder) Frame() (head, between, tail string) {
	return `<?xml version="1.0" encoding="UTF-8"?>
<teiCorpus xmlns="` + namespace + `">
<teiHeader>
<fileDesc>
<titleStmt><title>Web pages</title></titleStmt>
<publicationStmt><p>Unpublished.</p></publicationStmt>
<sourceDesc><p>Pages of the World Wide Web, each described in its own header.</p></sourceDesc>
</fileDesc>
</teiHeader>
`, "", "</teiCorpus>\n"
}

// writer writes one page.
type writer struct {
	dst     []byte
	p       *page.Page
	without page.Features
	spans   []page.Inline
}

func (w *writer) raw(s string) { w.dst = append(w.dst, s...) }

// parts parts the nodes that hold nothing but comments from the others.
func (w *writer) parts(nodes []*layout.Node) (text, comments []*layout.Node) {
	for _, n := range nodes {
		if w.comment(n) {
			comments = append(comments, n)
		} else {
			text = append(text, n)
		}
	}
	return text, comments
}

func (w *writer) comment(n *layout.Node) bool {
	if n.Kind == layout.Text {
		return w.p.Blocks[n.Index].Role == page.RoleComment
	}
	for _, c := range n.Nodes {
		if !w.comment(c) {
			return false
		}
	}
	return len(n.Nodes) > 0
}

// divisions writes the nodes of the page. A heading begins a division that
// lasts to the next heading of its level or a higher one.
func (w *writer) divisions(nodes []*layout.Node) {
	var open []uint8 // levels
	for _, n := range nodes {
		b := w.heading(n)
		if b == nil {
			w.node(n)
			continue
		}
		level := max(b.Level, 1)
		for len(open) > 0 && open[len(open)-1] >= level {
			w.raw("</div>\n")
			open = open[:len(open)-1]
		}
		w.raw("<div n=\"" + strconv.Itoa(int(level)) + "\">\n<head>")
		w.inline(b)
		w.raw("</head>\n")
		open = append(open, level)
	}
	for range open {
		w.raw("</div>\n")
	}
}

// heading returns the block of n if it is a heading, else nil.
func (w *writer) heading(n *layout.Node) *page.Block {
	if n.Kind == layout.Text && !w.without.Has(page.FeatureHeadings) {
		if b := &w.p.Blocks[n.Index]; b.Kind == page.Heading {
			return b
		}
	}
	return nil
}

// nodes writes nodes one after the other.
func (w *writer) nodes(nodes []*layout.Node) {
	for _, n := range nodes {
		w.node(n)
	}
}

// node writes n as an element that may stand in a division, an item, a cell or
// a quote.
func (w *writer) node(n *layout.Node) {
	switch n.Kind {
	case layout.Text:
		tag := "p"
		if b := w.heading(n); b != nil { // not at the top: no division begins here
			tag = "ab"
			w.raw("<ab type=\"head\" n=\"" + strconv.Itoa(max(int(b.Level), 1)) + "\">")
		} else {
			w.raw("<p>")
		}
		w.inline(&w.p.Blocks[n.Index])
		w.raw("</" + tag + ">\n")
	case layout.Image:
		im := &w.p.Images[n.Index]
		w.raw("<figure>")
		w.graphic(im.URL, "")
		if im.Alt != "" {
			w.raw("<figDesc>")
			w.text(im.Alt)
			w.raw("</figDesc>")
		}
		w.raw("</figure>\n")
	case layout.Code:
		w.code(n)
	case layout.List:
		w.list(n)
	case layout.Quote:
		w.raw("<quote>\n")
		w.nodes(n.Nodes)
		w.raw("</quote>\n")
	case layout.Table:
		w.table(n)
	default:
		w.nodes(n.Nodes)
	}
}

// content writes what stands in an item or a cell: the text itself if there is
// only one block, else elements.
func (w *writer) content(nodes []*layout.Node) {
	if len(nodes) > 0 && nodes[0].Kind == layout.Text && w.heading(nodes[0]) == nil && (len(nodes) == 1 || nodes[1].Kind == layout.List) {
		w.inline(&w.p.Blocks[nodes[0].Index])
		if nodes = nodes[1:]; len(nodes) == 0 {
			return
		}
	}
	w.raw("\n")
	w.nodes(nodes)
}

func (w *writer) list(n *layout.Node) {
	rend := "bulleted"
	if n.Ordered {
		rend = "numbered"
	}
	w.raw("<list rend=\"" + rend + "\">\n")
	for _, item := range n.Nodes {
		w.raw("<item")
		if n.Ordered && item.Number != 0 {
			w.attr("n", strconv.Itoa(item.Number))
		}
		w.raw(">")
		w.content(item.Nodes)
		w.raw("</item>\n")
	}
	w.raw("</list>\n")
}

func (w *writer) table(n *layout.Node) {
	w.raw("<table>\n")
	for _, c := range n.Nodes {
		if c.Kind == layout.Caption {
			w.raw("<head>")
			w.flat(c.Nodes, true)
			w.raw("</head>\n")
		}
	}
	for _, row := range n.Nodes {
		if row.Kind != layout.Row {
			continue
		}
		w.raw("<row")
		if row.Header {
			w.attr("role", "label")
		}
		w.raw(">\n")
		for _, c := range row.Nodes {
			w.raw("<cell")
			if c.Header {
				w.attr("role", "label")
			}
			w.attr("n", strconv.Itoa(int(c.Place.Col)+1))
			if c.Place.ColSpan > 1 {
				w.attr("cols", strconv.Itoa(int(c.Place.ColSpan)))
			}
			if c.Place.RowSpan > 1 {
				w.attr("rows", strconv.Itoa(int(c.Place.RowSpan)))
			}
			w.raw(">")
			w.content(c.Nodes)
			w.raw("</cell>\n")
		}
		w.raw("</row>\n")
	}
	w.raw("</table>\n")
}

// flat writes the text of nodes with line breaks between blocks.
func (w *writer) flat(nodes []*layout.Node, first bool) bool {
	for _, n := range nodes {
		if n.Kind != layout.Text {
			first = w.flat(n.Nodes, first)
			continue
		}
		if !first {
			w.raw("<lb/>")
		}
		first = false
		w.inline(&w.p.Blocks[n.Index])
	}
	return first
}

// code writes the blocks of a pre.
func (w *writer) code(n *layout.Node) {
	w.raw("<eg><code")
	w.attr("lang", n.Lang)
	w.raw(" rend=\"block\" xml:space=\"preserve\">")
	for i, c := range n.Nodes {
		if i > 0 {
			w.raw("\n")
		}
		b := &w.p.Blocks[c.Index]
		w.text(b.Indent)
		w.text(b.Kept())
	}
	w.raw("</code></eg>\n")
}

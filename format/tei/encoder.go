// Package tei writes pages as TEI XML and reads them back. [Encoder.Append] writes a page,
// and [NewPages] reads a document.
//
// The output follows the guidelines of the Text Encoding Initiative (TEI P5) and validates
// against tei_all. The teiHeader holds the metadata. Nested divisions hold the kept text,
// with heads, paragraphs, lists, tables, quotes and code. See docs/reference/formats/tei.md.
package tei

import (
	"slices"
	"strconv"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// namespace is the XML namespace of all elements.
const namespace = "http://www.tei-c.org/ns/1.0"

// Encoder writes the kept text of each kept page as a TEI element, with the markup recorded
// by the extractor (extract.Config.Inline). The zero value writes all markup.
type Encoder struct {
	// Without holds the markup to omit. Default: none.
	Without page.Features
}

// Append appends the TEI element of p to dst. It appends nothing for a page without kept
// text. The element is well-formed XML 1.0 in UTF-8 for every p.
func (e Encoder) Append(dst []byte, p *page.Page) []byte {
	nodes := layout.Build(p, layout.Config{Without: e.Without})
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
	w.bare = len(comments) == 0 && !slices.ContainsFunc(text, w.solid)
	w.divisions(text)
	if len(comments) > 0 {
		w.raw("<div type=\"comments\">\n")
		w.implied = page.RoleComment
		w.nodes(comments)
		w.raw("</div>\n")
	}
	w.raw("</body>\n</text>\n</TEI>\n")
	return w.dst
}

// Frame returns the text to write before, between and after the pages of a stream. It
// wraps the pages in a teiCorpus element.
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
	// bare reports whether the body has no content except images, by-lines, standfirsts and
	// captions, and no comments. These texts are then paragraphs.
	bare bool
	// implied is the role that the enclosing elements express.
	implied page.Role
}

func (w *writer) raw(s string) { w.dst = append(w.dst, s...) }

// parts separates readers' comments from the other nodes.
func (w *writer) parts(nodes []*layout.Node) (text, comments []*layout.Node) {
	for _, n := range nodes {
		if n.Has(w.p, page.RoleComment) {
			comments = append(comments, n)
		} else {
			text = append(text, n)
		}
	}
	return text, comments
}

// divisions writes the nodes of the page. A heading begins a division, which ends before
// the next heading of the same or a higher level. By-lines and standfirsts at the top of a
// division have special elements.
func (w *writer) divisions(nodes []*layout.Node) {
	var open []uint8 // levels
	top, stated := !w.bare, uint8(1)
	for len(nodes) > 0 {
		b, level := w.head(nodes[0], stated)
		switch {
		case b != nil:
			for len(open) > 0 && open[len(open)-1] >= level {
				w.raw("</div>\n")
				open = open[:len(open)-1]
			}
			w.raw("<div n=\"" + strconv.Itoa(int(level)) + "\">\n")
			w.block("head", b)
			open, top = append(open, level), true
			if b.Kind == page.Heading {
				stated = level
			}
		case top && w.front(nodes[0]):
		default:
			top = top && nodes[0].Kind == layout.Image
			nodes = nodes[w.node(nodes):]
			continue
		}
		nodes = nodes[1:]
	}
	for range open {
		w.raw("</div>\n")
	}
}

// nodes writes nodes in order.
func (w *writer) nodes(nodes []*layout.Node) {
	for len(nodes) > 0 {
		nodes = nodes[w.node(nodes):]
	}
}

// node writes the first of nodes as an element that is valid in a division, an item, a cell
// or a quote. An image includes the captions after it. node returns the number of nodes
// written.
func (w *writer) node(nodes []*layout.Node) int {
	n := nodes[0]
	switch n.Kind {
	case layout.Text:
		if w.caption(n) {
			return w.figure(nodes, nil)
		}
		if b := w.heading(n); b != nil { // not at the top level: no division begins here
			w.raw("<ab type=\"head\" n=\"" + strconv.Itoa(max(int(b.Level), 1)) + "\"")
			w.role(b.Role)
			w.raw(">")
			w.inline(b)
			w.raw("</ab>\n")
			return 1
		}
		w.block("p", &w.p.Blocks[n.Index])
	case layout.Image:
		return 1 + w.figure(nodes[1:], &w.p.Images[n.Index])
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
	return 1
}

// alone reports whether the first node is text that an item or a cell can hold directly,
// without a separate element.
func (w *writer) alone(nodes []*layout.Node) bool {
	return len(nodes) > 0 && nodes[0].Kind == layout.Text && w.heading(nodes[0]) == nil && (len(nodes) == 1 || nodes[1].Kind == layout.List)
}

// content writes the content of an item or a cell. The first block is written as plain text
// if [writer.alone] allows it. All other nodes are written as elements.
func (w *writer) content(nodes []*layout.Node) {
	if w.alone(nodes) {
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
		w.roleOf(item.Nodes)
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
			w.raw("<head")
			w.role(w.first(c.Nodes))
			w.raw(">")
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
			w.roleOf(c.Nodes)
			w.raw(">")
			w.content(c.Nodes)
			w.raw("</cell>\n")
		}
		w.raw("</row>\n")
	}
	w.raw("</table>\n")
}

// flat writes the text of nodes with line breaks between blocks. first reports whether no
// block is written yet, and so does the result.
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

// code writes the blocks of a pre element.
func (w *writer) code(n *layout.Node) {
	w.raw("<eg")
	w.role(w.p.Blocks[n.Nodes[0].Index].Role)
	w.raw("><code")
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

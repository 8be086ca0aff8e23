package pdf

import (
	"strconv"
	"strings"
	"unicode"

	"chaffinch/format/document"
	"chaffinch/format/pdf/internal/wire"
	"chaffinch/page"
)

// table is a table of data.
type table struct {
	box  wire.Box
	rows [][]*cell
}

type cell struct {
	lines []*line
	head  bool
	span  int
}

// convert arranges the characters of pages and writes them as HTML.
func convert(doc wire.Doc, pages []*wire.Page, cut page.Reason, limits document.Limits) document.Document {
	c := &converter{doc: doc, pages: pages}
	c.read()
	c.running()
	c.layout()
	c.structure()
	out := c.write(limits)
	if out.Cut == page.None {
		out.Cut = cut
	}
	return out
}

// converter holds a document between the steps of the conversion.
type converter struct {
	doc        wire.Doc
	pages      []*wire.Page
	lines      [][]*line // by page, in content order
	paragraphs []*paragraph
	m          *metrics
	skipped    int // pages without text that can be trusted
}

// read finds the lines of the pages.
func (c *converter) read() {
	c.lines = make([][]*line, len(c.pages))
	for i, p := range c.pages {
		if p == nil {
			continue
		}
		c.lines[i] = linesOf(p, i)
	}
}

// layout orders the blocks of each page and splits them into paragraphs.
func (c *converter) layout() {
	blocks := make([][]*block, len(c.pages))
	for i, lines := range c.lines {
		var body []*line
		left := 0
		for _, l := range lines {
			if l.role == "" {
				body = append(body, l)
				left += 2*number(l.rtl) - 1
			}
		}
		blocks[i] = arrange(blocksOf(body), left > 0)
	}
	c.m = measureText(blocks)
	var open *paragraph // may continue in the next column
	var column wire.Box
	for i, lines := range c.lines {
		for _, l := range lines {
			if l.role == document.PageHeader {
				c.paragraphs = append(c.paragraphs, &paragraph{lines: []*line{l}, name: "p", role: l.role})
			}
		}
		for _, b := range blocks[i] {
			col := columnOf(b, blocks[i])
			for j, p := range c.m.paragraphs(b, col) {
				p.name = "p"
				if j == 0 && open != nil && c.m.continues(open, p, column) {
					open.lines = append(open.lines, p.lines...)
					continue
				}
				c.paragraphs = append(c.paragraphs, p)
				open = p
			}
			column = col
		}
		for _, l := range lines {
			if l.role == document.PageFooter {
				c.paragraphs = append(c.paragraphs, &paragraph{lines: []*line{l}, name: "p", role: l.role})
			}
		}
	}
}

// columnOf returns the box of the column of a block: the block itself, if it has enough lines,
// or one with the same margin.
func columnOf(b *block, blocks []*block) wire.Box {
	if len(b.lines) >= 4 {
		return b.Box
	}
	box := b.Box
	for _, o := range blocks {
		if len(o.lines) >= 4 && overlapX(b.Box, o.Box) > .9 && (near1(o.X0, b.X0, 3*b.lines[0].size) || near1(o.X1, b.X1, 3*b.lines[0].size)) {
			box.X0, box.X1 = min(box.X0, o.X0), max(box.X1, o.X1)
		}
	}
	return box
}

func (c *converter) structure() {
	for _, p := range c.paragraphs {
		if p.role != "" {
			continue
		}
		l := p.lines[0]
		text := c.m.text(p)
		if len(text) < 250 && (l.size > 1.12*c.m.body || l.bold && len(text) < 120 && !endsSentence(text)) && strings.ContainsFunc(text, unicode.IsLetter) {
			p.name = "h2"
		}
	}
}

// write writes the paragraphs.
func (c *converter) write(limits document.Limits) document.Document {
	b := document.NewBuilder(limits)
	meta := document.Meta{Title: c.doc.Title, Lang: c.doc.Lang, Description: c.doc.Subject}
	if c.doc.Author != "" {
		meta.Authors = []string{c.doc.Author}
	}
	b.Head(meta)
	last := -1
	for _, p := range c.paragraphs {
		if b.Full() {
			break
		}
		c.breaks(b, &last, p.lines[0].page)
		b.Start(p.name, "role", p.role, "data-box", boxOf(p.lines))
		from := 0
		for i := range p.lines { // a page may end inside
			if i+1 == len(p.lines) || p.lines[i+1].page != p.lines[i].page {
				part := &paragraph{lines: p.lines[from : i+1]}
				text := c.m.text(part)
				if i+1 < len(p.lines) {
					text = clean(c.m.joined(text, p.lines[i+1].text))
				}
				b.Text(text)
				if from = i + 1; from < len(p.lines) {
					c.breaks(b, &last, p.lines[from].page)
				}
			}
		}
		b.End()
	}
	out := b.Document()
	return out
}

// breaks writes the begin of pages up to number.
func (c *converter) breaks(b *document.Builder, last *int, number int) {
	for *last < number {
		*last++
		b.Page(strconv.Itoa(*last + 1))
	}
}

// boxOf returns the page and box of lines on the page of the first one.
func boxOf(lines []*line) string {
	box := lines[0].Box
	for _, l := range lines {
		if l.page == lines[0].page {
			box = union(box, l.Box)
		}
	}
	s := strconv.Itoa(lines[0].page + 1)
	for _, f := range [...]float32{box.X0, box.Y0, box.X1, box.Y1} {
		s += " " + strconv.FormatFloat(float64(f), 'f', 0, 32)
	}
	return s
}

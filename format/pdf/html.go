package pdf

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/pdf/internal/wire"
	"chaffinch/format/pdf/roles"
	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/truth"
	"chaffinch/page"
)

// convert arranges the characters of pages and writes them as HTML. With a model, it predicts the
// roles of paragraphs; else the rules give them.
func convert(doc wire.Doc, pages []*wire.Page, cut page.Reason, limits document.Limits, m *roles.Model) document.Document {
	c := &converter{doc: doc, pages: pages}
	c.read()
	if c.trusted == 0 {
		out := document.Document{Drop: page.NoText, Cut: cut, Notes: c.notes()}
		if c.skipped > 0 {
			out.Drop = page.NeedsOCR
		}
		return out
	}
	c.running()
	c.layout()
	c.structure()
	if m != nil {
		c.predict(m)
	}
	out := c.write(limits)
	if out.Cut == page.None {
		out.Cut = cut
	}
	out.Notes = c.notes()
	return out
}

// converter holds a document between the steps of the conversion.
type converter struct {
	doc        wire.Doc
	pages      []*wire.Page
	lines      [][]*line // by page, in content order
	paragraphs []*paragraph
	m          *metrics
	outline    map[string]int // levels of the outline by folded title
	trusted    int            // pages with text
	skipped    int            // pages whose text cannot be read without OCR
	failed     int            // pages that cannot be read
	recognised int            // pages with text by OCR
}

func (c *converter) notes() []page.Note {
	out := []page.Note{{By: "pdf", What: "pages", Value: float64(c.doc.Pages)}}
	if c.skipped > 0 {
		out = append(out, page.Note{By: "pdf", What: page.NeedsOCR.String(), Value: float64(c.skipped)})
	}
	if c.recognised > 0 {
		out = append(out, page.Note{By: "pdf", What: page.OCR, Value: float64(c.recognised)})
	}
	if c.failed > 0 {
		out = append(out, page.Note{By: "pdf", What: page.Damaged.String(), Value: float64(c.failed)})
	}
	return out
}

// read finds the lines of the pages that have text.
func (c *converter) read() {
	c.lines = make([][]*line, len(c.pages))
	for i, p := range c.pages {
		if p == nil {
			c.failed++
			continue
		}
		switch judge(p) {
		case good:
			c.trusted++
			c.recognised += truth.Int(p.OCR)
		case empty:
			continue
		default:
			c.skipped++
			continue
		}
		count := quarters(p)
		most := slices.Index(count[:], slices.Max(count[:]))
		for q, n := range count {
			if n == 0 && q != most {
				continue
			}
			t := p
			if q != 0 || most != 0 {
				t = turned(p, q)
			}
			lines := linesOf(t, i)
			for _, l := range lines {
				l.turn = q
				if q != most {
					l.role = roleTurned
				}
			}
			if q == most {
				c.pages[i] = t
				dropCaps(lines)
			}
			c.lines[i] = append(c.lines[i], lines...)
		}
	}
}

// roleTurned is the role of lines that are turned against the text of their page.
const roleTurned = "turned"

// layout orders the blocks of each page and splits them into paragraphs.
func (c *converter) layout() {
	blocks := make([][]*block, len(c.pages))
	for i, lines := range c.lines {
		if c.pages[i] != nil {
			blocks[i] = pageBlocks(c.pages[i], lines)
		}
	}
	c.m = measureText(blocks)
	var open *paragraph // may continue in the next column
	var column wire.Box
	for i, lines := range c.lines {
		c.edges(lines, document.PageHeader)
		for _, b := range blocks[i] {
			if b.table != nil {
				c.paragraphs = append(c.paragraphs, &paragraph{name: "table", table: b.table, lines: b.table.lines()})
				continue
			}
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
			if l.role == roleTurned {
				c.paragraphs = append(c.paragraphs, &paragraph{lines: []*line{l}, name: "aside"})
			}
		}
		c.edges(lines, document.PageFooter)
	}
}

// edges adds the lines of a page with a role of its edges.
func (c *converter) edges(lines []*line, role string) {
	for _, l := range lines {
		if l.role == role {
			c.paragraphs = append(c.paragraphs, &paragraph{lines: []*line{l}, name: "p", role: role})
		}
	}
}

// pageBlocks returns the blocks of a page in reading order, with its tables.
func pageBlocks(p *wire.Page, lines []*line) []*block {
	var body []*line
	left := 0
	for _, l := range lines {
		if l.role == "" {
			body = append(body, l)
			left += 2*truth.Int(l.rtl) - 1
		}
	}
	body = cutAtCells(p, body)
	tags(p, body)
	body, tables := taggedTables(p, body)
	if len(tables) == 0 {
		body, tables = findTables(p, body)
	}
	out := blocksOf(body)
	for _, t := range tables {
		at := len(out)
		for at > 0 && out[at-1].order > t.order {
			at--
		}
		out = slices.Insert(out, at, &block{Box: t.box, table: t, order: t.order})
	}
	return arrange(out, left > 0)
}

// columnOf returns the box of the column of a block: the block itself, if it has enough lines,
// or with others that have the same margin.
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

// write writes the paragraphs.
func (c *converter) write(limits document.Limits) document.Document {
	b := document.NewBuilder(limits)
	meta := document.Meta{Title: c.title(), Lang: c.doc.Lang, Description: c.doc.Subject, Date: dateOf(c.doc.Created)}
	if c.doc.Author != "" {
		meta.Authors = []string{c.doc.Author}
	}
	b.Head(meta)
	w := &writer{Builder: b, c: c}
	depth := b.Depth()
	var section, list string
	for _, p := range c.paragraphs {
		if b.Full() {
			break
		}
		w.breaks(p.lines[0].page)
		edge := p.role == document.PageHeader || p.role == document.PageFooter
		if !edge {
			if p.section != section {
				b.Close(depth)
				list = ""
				if section = p.section; section != "" {
					b.Start("section", "role", section)
				}
			}
			if p.list != list {
				if list != "" {
					b.End()
				}
				if list = p.list; list != "" {
					b.Start(list)
				}
			}
		}
		w.paragraph(p)
	}
	return b.Document()
}

// writer writes paragraphs and the begins of pages.
type writer struct {
	*document.Builder
	c    *converter
	page int // number of pages that began
}

// breaks writes the begins of pages up to the one with an index.
func (w *writer) breaks(index int) {
	for w.page <= index {
		w.page++
		w.Page(strconv.Itoa(w.page))
	}
}

func (w *writer) paragraph(p *paragraph) {
	box := boxOf(p.lines)
	switch p.name {
	case "table":
		w.table(p.table, box)
		return
	case "figcaption":
		w.Start("figure")
		defer w.End()
	}
	w.Start(p.name, "role", p.role, "class", cmp.Or(classOf(p.lines), p.class), "data-box", box)
	from, without := 0, usual(p.lines)
	for i := range p.lines { // a page may end inside
		if i+1 < len(p.lines) && p.lines[i+1].page == p.lines[i].page {
			continue
		}
		if p.name == "pre" {
			w.Text(code(p.lines[from : i+1]))
		} else {
			w.segment(p, from, i+1, without)
		}
		if from = i + 1; from < len(p.lines) {
			if p.name == "pre" {
				w.Text("\n")
			}
			w.breaks(p.lines[from].page)
		}
	}
	w.End()
}

// segment writes the lines of a paragraph that are on a page. Headings and contents have no emphasis.
func (w *writer) segment(p *paragraph, from, to int, without style) {
	text := w.c.m.styled(p.lines[from:], to-from)
	if from == 0 {
		text = trimBullet(text, p.bullet)
	}
	switch {
	case p.section == document.Contents:
		text = leaders().ReplaceAllString(styleMarks().ReplaceAllString(text, ""), " ")
	case isHeading(p):
		without |= bold | italic
	}
	w.inline(text, p.lines[from], without)
}

var styleMarks = lazyregexp.New(string(markStyle) + ".")

// text writes text with superscripts.
func (w *writer) text(text string) {
	for {
		before, rest, ok := strings.Cut(text, string(supBegin))
		w.Text(before)
		if !ok {
			return
		}
		sup, after, _ := strings.Cut(rest, string(supEnd))
		w.Block("sup", sup)
		text = after
	}
}

func (w *writer) table(t *table, box string) {
	w.Start("table", "class", classOf(t.lines()), "data-box", box)
	for _, row := range t.rows {
		w.Start("tr")
		for _, c := range row {
			name := "td"
			if c.head {
				name = "th"
			}
			w.Start(name, "colspan", spanOf(c.span), "rowspan", spanOf(c.down))
			if len(c.lines) > 0 {
				w.inline(w.c.m.styled(c.lines, len(c.lines)), c.lines[0], usual(c.lines))
			}
			w.End()
		}
		w.End()
	}
	w.End()
}

// spanOf returns the value of the attributes colspan and rowspan.
func spanOf(n int) string {
	if n < 2 {
		return ""
	}
	return strconv.Itoa(n)
}

// classOf returns the class of an element with text by OCR.
func classOf(lines []*line) string {
	if len(lines) > 0 && lines[0].sheet != nil && lines[0].sheet.OCR {
		return page.OCR
	}
	return ""
}

// boxOf returns the page and box of lines on the page of the first one.
func boxOf(lines []*line) string {
	first, box := lines[0], boxOfLines(lines)
	if first.sheet.Unplaced {
		box = wire.Box{X1: first.sheet.Width, Y1: first.sheet.Height}
	}
	if first.turn != 0 { // back to the position on the page that is shown
		box = turnBox(box, 4-first.turn, first.sheet.Width, first.sheet.Height)
	}
	s := strconv.Itoa(first.page + 1)
	for _, f := range [...]float32{box.X0, box.Y0, box.X1, box.Y1} {
		s += " " + strconv.FormatFloat(float64(f), 'f', 0, 32)
	}
	return s
}

// dateOf returns the date of a document as year, month and day: "D:20260131..." in PDF.
func dateOf(s string) string {
	s = strings.TrimPrefix(s, "D:")
	if len(s) < 8 || strings.Trim(s[:8], "0123456789") != "" {
		return ""
	}
	return s[:4] + "-" + s[4:6] + "-" + s[6:8]
}

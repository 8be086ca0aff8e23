package pdf

import (
	"context"
	"slices"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/pdf/internal/wire"
	"chaffinch/format/pdf/roles"
	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/truth"
)

// Parts returns the paragraphs and tables of a document in reading order, as the model of roles
// reads them: for its training and evaluation. The document has none if it has no text.
func (r *Reader) Parts(ctx context.Context, raw []byte, limits document.Limits) (*roles.Document, error) {
	read, err := r.load(ctx, raw, limits.WithDefaults(), nil)
	if err != nil {
		if _, ok := dropReason(err); ok {
			return &roles.Document{}, nil
		}
		return nil, err
	}
	c := &converter{doc: read.doc, pages: read.pages}
	c.read()
	if c.trusted == 0 {
		return &roles.Document{}, nil
	}
	c.running()
	c.layout()
	c.structure()
	return c.parts(), nil
}

// parts returns the paragraphs with the measurements that the model of roles reads.
func (c *converter) parts() *roles.Document {
	d := &roles.Document{Size: c.m.body, Paragraphs: make([]roles.Paragraph, len(c.paragraphs))}
	for _, p := range c.pages {
		s := roles.Sheet{}
		if p != nil {
			s = roles.Sheet{Width: p.Width, Height: p.Height}
		}
		d.Sheets = append(d.Sheets, s)
	}
	tables := map[int][]wire.Box{}
	for _, p := range c.paragraphs {
		if p.table != nil {
			tables[p.lines[0].page] = append(tables[p.lines[0].page], p.table.box)
		}
	}
	s := styler{}
	titled := false
	for i, p := range c.paragraphs {
		q := &d.Paragraphs[i]
		*q = c.part(s, p, tables[p.lines[0].page])
		if p.name == "h1" && q.Rule == roles.Heading && !titled {
			q.Rule, titled = roles.Title, true
		}
	}
	return d
}

// part returns the measurements of a paragraph. tables are the boxes of the tables of its page.
func (c *converter) part(s styler, p *paragraph, tables []wire.Box) roles.Paragraph {
	first := p.lines[0]
	box := boxOfLines(p.lines)
	text := p.text
	if text == "" {
		text = c.m.text(p.lines)
	}
	q := roles.Paragraph{Page: first.page, X0: box.X0, Y0: box.Y0, X1: box.X1, Y1: box.Y1, Text: strings.TrimSpace(plain(text)),
		Lines: len(p.lines), Size: first.size / max(c.m.body, 1), Rule: ruleOf(p), Stated: stated(p), Image: 1e4}
	s.style(&q, p.lines)
	sheet := c.pages[first.page]
	for _, b := range slices.Concat(sheet.Images, tables) {
		if p.table != nil && b == p.table.box {
			continue
		}
		dx, dy := max(b.X0-box.X1, box.X0-b.X1, 0), max(b.Y0-box.Y1, box.Y0-b.Y1, 0)
		q.Image = min(q.Image, max(dx, dy))
		q.Inside = max(q.Inside, share(box, b))
	}
	for _, b := range sheet.Rules {
		if b.X0 <= box.X1+nearRule && b.X1 >= box.X0-nearRule && b.Y0 <= box.Y1+nearRule && b.Y1 >= box.Y0-nearRule {
			q.Strokes++
		}
	}
	return q
}

const nearRule = 4 // points

// style sets the shares of characters in kinds of fonts.
func (s styler) style(q *roles.Paragraph, lines []*line) {
	var n, bold, italic, fixed, math float32
	for _, l := range lines {
		kinds := s.kinds(l.sheet)
		for _, c := range l.chars {
			if isSpace(c.Rune) || int(c.Font) >= len(kinds) {
				continue
			}
			k := &kinds[c.Font]
			n++
			bold += k.bold
			italic += k.italic
			fixed += k.fixed
			math += k.math
		}
	}
	if n > 0 {
		q.Bold, q.Italic, q.Fixed, q.Math = bold/n, italic/n, fixed/n, math/n
	}
}

// styler holds the kinds of the fonts of pages.
type styler map[*wire.Page][]fontKind

// fontKind has 1 for each kind that a font is of.
type fontKind struct{ bold, italic, fixed, math float32 }

func (s styler) kinds(p *wire.Page) []fontKind {
	if k, ok := s[p]; ok {
		return k
	}
	kinds := make([]fontKind, len(p.Fonts))
	for i, f := range p.Fonts {
		kinds[i] = fontKind{truth.Float32(f.Bold), truth.Float32(f.Italic), truth.Float32(f.Fixed || fixedFont().MatchString(f.Name)), truth.Float32(mathFont().MatchString(f.Name))}
	}
	s[p] = kinds
	return kinds
}

var (
	fixedFont = lazyregexp.New(`(?i)courier|mono|consol|typewriter|CMTT|SFTT|menlo|inconsolata|\bcode`)
	mathFont  = lazyregexp.New(`(?i)math|CMMI|CMSY|CMEX|MSBM|MSAM|symbol|LMMathI`)
)

// share returns the share of box a that b covers.
func share(a, b wire.Box) float32 {
	w, h := min(a.X1, b.X1)-max(a.X0, b.X0), min(a.Y1, b.Y1)-max(a.Y0, b.Y0)
	if w <= 0 || h <= 0 {
		return 0
	}
	return w * h / max((a.X1-a.X0)*(a.Y1-a.Y0), 1)
}

// ruleOf returns the role of a paragraph by the rules.
func ruleOf(p *paragraph) roles.Role {
	switch {
	case p.role == document.PageHeader || p.role == document.PageFooter:
		return roles.Running
	case p.role == document.Footnote:
		return roles.Note
	case p.section == document.Contents:
		return roles.Contents
	case p.section == document.Bibliography:
		return roles.References
	case isHeading(p):
		return roles.Heading
	case p.name == "li":
		return roles.List
	case p.name == "table":
		return roles.Table
	case p.name == "figcaption":
		return roles.Caption
	case p.name == "aside":
		return roles.Other
	}
	return roles.Body
}

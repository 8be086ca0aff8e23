package jsonl

import (
	"chaffinch/internal/jsonscan"
	"chaffinch/internal/layout"
	"chaffinch/page"
)

// Document writes each page as a JSON object on a line and keeps the structure of the text.
// Blocks have types, are nested in lists, tables and quotes, and have inline markup:
// docs/reference/formats/json.md. The zero value writes the kept text.
type Document struct {
	// Annotate writes every page and every block with all decisions about it.
	Annotate bool
	// Without is the structure and markup to omit.
	Without page.Features
	// Lean omits the inline markup of blocks, their place in the page, their languages and scores. The
	// text, its structure and its roles remain.
	Lean bool
	// Fields selects the fields to write.
	Fields Selection
}

// Append appends the line of p to dst. It appends nothing for a dropped page unless
// annotated.
func (d Document) Append(dst []byte, p *page.Page) []byte {
	if p.Drop != page.None && !d.Annotate {
		return dst
	}
	o := object{b: dst}
	o.open('{')
	head(&o, p, d.Annotate)
	o.key("blocks")
	d.nodes(&o, p, layout.Build(p, layout.Config{All: d.Annotate, Without: d.Without}))
	o.close('}')
	return d.Fields.Apply(append(o.b, '\n'), len(dst))
}

// nodes writes an array of nodes.
func (d Document) nodes(o *object, p *page.Page, nodes []*layout.Node) {
	o.open('[')
	for _, n := range nodes {
		o.item()
		o.open('{')
		o.key("kind")
		switch n.Kind {
		case layout.Text:
			d.text(o, p, &p.Blocks[n.Index])
		case layout.Code:
			d.code(o, p, n)
		case layout.Image:
			im := &p.Images[n.Index]
			o.b = jsonscan.AppendString(o.b, n.Kind.String())
			o.str("url", im.URL)
			o.str("alt", im.Alt)
		default:
			o.b = jsonscan.AppendString(o.b, n.Kind.String())
			o.boolIf("ordered", n.Ordered)
			o.numIf("number", int64(n.Number))
			o.boolIf("header", n.Header)
			if n.Kind == layout.Cell {
				o.num("column", int64(n.Place.Col))
				if n.Place.ColSpan > 1 {
					o.num("columns", int64(n.Place.ColSpan))
				}
				if n.Place.RowSpan > 1 {
					o.num("rows", int64(n.Place.RowSpan))
				}
			}
			o.key("blocks")
			d.nodes(o, p, n.Nodes)
		}
		o.close('}')
	}
	o.close(']')
}

// text writes a text block: its kind and the dependent fields.
func (d Document) text(o *object, p *page.Page, b *page.Block) {
	switch {
	case b.Kind == page.Heading && !d.Without.Has(page.FeatureHeadings):
		o.b = jsonscan.AppendString(o.b, "heading")
		o.num("level", int64(b.Level))
	case b.Kind == page.Line:
		o.b = jsonscan.AppendString(o.b, "line")
	default: // the parent determines whether it is an item or a cell
		o.b = jsonscan.AppendString(o.b, "paragraph")
	}
	text, marks := b.Text, b.Inline
	if !d.Annotate {
		text, marks = b.KeptInline()
	}
	o.key("text")
	o.b = jsonscan.AppendString(o.b, text)
	if d.Lean {
		marks = nil
	}
	first := true
	for _, m := range marks {
		if d.Without.Holds(m.Kind) {
			continue
		}
		if first {
			o.key("inline")
			o.open('[')
		}
		first = false
		o.item()
		o.open('{')
		o.str("kind", m.Kind.String())
		o.num("start", int64(m.Start))
		o.num("end", int64(m.End))
		o.str("url", m.URL)
		o.str("alt", m.Alt)
		o.close('}')
	}
	if !first {
		o.close(']')
	}
	d.decision(o, p, b, b.End)
}

// code writes the blocks of a pre element as one block, with the decision on the first.
func (d Document) code(o *object, p *page.Page, n *layout.Node) {
	o.b = jsonscan.AppendString(o.b, "code")
	o.str("lang", n.Lang)
	o.key("text")
	o.b = jsonscan.AppendString(o.b, n.CodeText(p, d.Annotate))
	d.decision(o, p, &p.Blocks[n.Nodes[0].Index], p.Blocks[n.Nodes[len(n.Nodes)-1].Index].End)
}

// decision writes the position of b in the page, up to the byte end, and the decisions about
// it.
func (d Document) decision(o *object, p *page.Page, b *page.Block, end int) {
	if d.Lean {
		o.boolIf("hidden", b.Hidden)
		o.str("role", b.Role.String())
		return
	}
	o.str("path", b.Path)
	o.num("start", int64(b.Start))
	o.num("end", int64(end))
	o.boolIf("hidden", b.Hidden)
	o.boolIf("ocr", p.IsOCR(b))
	if b.Kind != page.Code { // for code, lang is the programming language
		lang(o, b)
	}
	if d.Annotate {
		verdicts(o, b)
		return
	}
	o.str("label", b.Label.String())
	o.str("role", b.Role.String())
	o.float("score", b.Score)
}

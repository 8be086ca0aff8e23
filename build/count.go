package build

import (
	"strconv"
	"strings"
	"sync"

	"chaffinch/build/recipe"
	"chaffinch/internal/layout"
	"chaffinch/page"
)

// counter encodes the digest of each page. Counting in the workers of the step clean avoids
// reading its outputs again, and works if the removed text is not stored.
type counter struct {
	digesters *sync.Pool
}

// newCounter returns a counter of the words of a sample of the pages.
func newCounter(words sampling) counter {
	return counter{&sync.Pool{New: func() any { return &digester{sampling: words} }}}
}

// Append implements [pipeline.Encoder].
func (c counter) Append(dst []byte, p *page.Page) []byte {
	d := c.digesters.Get().(*digester)
	defer c.digesters.Put(d)
	kept, removed := d.keptRecord(p), d.removedRecord(p)
	if kept == nil && removed == nil {
		return dst
	}
	dst = d.digest(kept, removed).append(dst)
	clear(d.pieces) // they refer to the page
	clear(d.shown)
	return dst
}

// headOf returns the record of a page without text. A page that a rule dropped has the rule, as
// in the removed text of the step filter.
func headOf(p *page.Page) *record {
	r := &record{ID: p.ID, URL: p.URL, Canonical: p.Meta.Canonical, Lang: p.Lang, PageType: p.Type, Registers: p.Registers, Drop: p.Drop.String()}
	if f := strings.Fields(p.Rule); p.Drop == page.Filtered && len(f) > 3 { // gopher_quality.words 30 < 50
		r.Drop, r.Filter.Rule = "", f[0]
		r.Filter.Value, _ = strconv.ParseFloat(f[1], 64)
		limit, _ := strconv.ParseFloat(f[3], 64)
		if f[2] == "<" {
			r.Filter.Min = &limit
		} else {
			r.Filter.Max = &limit
		}
	}
	return r
}

// keptRecord returns the record that the step clean stores of the kept text, or nil if nothing
// is kept. The record refers to pieces of d until the next call.
func (d *digester) keptRecord(p *page.Page) *record {
	if p.Drop != page.None {
		return nil
	}
	list, kept := d.keptPieces(p)
	if !kept {
		return nil
	}
	r := headOf(p)
	r.Blocks = list
	return r
}

// keptPieces returns the kept text of a page, and reports whether a block is kept. Without code, the
// texts of the layout are the texts of the blocks, in their order.
func (d *digester) keptPieces(p *page.Page) (list []piece, kept bool) {
	d.shown = d.shown[:0]
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if !b.Label.Keep() {
			continue
		}
		if b.Kind == page.Code {
			return nodePieces(p, layout.Build(p, layout.Config{})), true
		}
		kept = true
		if text := b.Kept(); text != "" {
			d.shown = append(d.shown, piece{Text: text, Role: b.Role.String()})
		}
	}
	return d.shown, kept
}

// nodePieces returns the pieces of nodes.
func nodePieces(p *page.Page, nodes []*layout.Node) []piece {
	list := make([]piece, 0, len(nodes))
	for _, n := range nodes {
		switch n.Kind {
		case layout.Text:
			b := &p.Blocks[n.Index]
			list = append(list, piece{Text: b.Kept(), Role: b.Role.String()})
		case layout.Code:
			list = append(list, piece{Text: n.CodeText(p, false), Role: p.Blocks[n.Nodes[0].Index].Role.String()})
		case layout.Image:
		default:
			list = append(list, piece{Blocks: nodePieces(p, n.Nodes)})
		}
	}
	return list
}

// removedRecord returns the record that the step clean stores of the removed text, or nil if all
// text is kept. The record refers to pieces of d until the next call.
func (d *digester) removedRecord(p *page.Page) *record {
	d.pieces = d.pieces[:0]
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if p.Drop == page.None && !recipe.LosesText(b) {
			continue
		}
		x := piece{Text: b.Text, Role: b.Role.String(), By: b.By, Label: b.Label.String(), Hidden: b.Hidden}
		if b.By == layout.Cut {
			x.rule, x.Hidden = b.Reason, false
		}
		for _, s := range b.Sentences {
			x.Sentences = append(x.Sentences, span{s.Start, s.End, s.Label.String()})
		}
		d.pieces = append(d.pieces, x)
	}
	if p.Drop == page.None && len(d.pieces) == 0 {
		return nil
	}
	r := headOf(p)
	r.Blocks = d.pieces
	return r
}

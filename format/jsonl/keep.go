package jsonl

import (
	"fmt"

	"chaffinch/format/tree"
	"chaffinch/page"
)

// maxNodes is the maximum number of blocks whose memory is kept for the next line.
const maxNodes = 4096

// keep returns a page with kept blocks from text that is already clean.
func (r *Parser) keep(p *page.Page, err error) (*page.Page, error) {
	f := &r.f
	p.LangConfidence, p.Langs = f.langConfidence, f.langs
	x := &f.estimate
	p.Confidence, p.ConfidencePolicy, p.Type, p.TypeConfidence = x.Confidence, x.ConfidencePolicy, x.Type, x.TypeConfidence
	p.Registers = x.Registers
	if f.mime != "" {
		p.MIME = f.mime
	}
	p.Charset, p.Source = f.charset, f.source
	if f.drop != "" {
		p.Drop = page.ReasonOf(f.drop)
	}
	if f.blocks == nil {
		tree.Lines(p, string(f.page))
		p.Raw = nil
		return p, err
	}
	nodes, e := parseNodes(r.nodes, f.blocks)
	if e != nil {
		return nil, fmt.Errorf("blocks: %w", e)
	}
	p.Raw = nil
	if e := tree.Build(p, nodes); e != nil {
		return nil, e
	}
	if clear(nodes); len(nodes) <= maxNodes { // the texts belong to the page
		r.nodes = nodes
	}
	return p, err
}

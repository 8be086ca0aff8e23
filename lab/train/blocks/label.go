package blocks

import (
	"chaffinch/internal/align"
	"chaffinch/page"
)

// shares returns for each block of p the fraction of its words that are in text.
func shares(p *page.Page, text string) []float32 {
	found := found(p, text)
	out := make([]float32, len(found))
	for i, s := range found {
		out[i] = s.Fraction()
	}
	return out
}

// found returns for each block of p the number of its words in text.
func found(p *page.Page, text string) []align.Share {
	texts := make([]string, len(p.Blocks))
	for i := range p.Blocks {
		texts[i] = p.Blocks[i].Text
	}
	shares, _ := align.Shares(texts, text)
	return shares
}

package blocks

import "chaffinch/page"

// partBlocks is the number of blocks that are read at once. Pages with more, of
// which the training has none, are read as several, so that no page takes much
// memory and each stops soon when its time is over.
const partBlocks = 1 << 14

// part returns the page that the blocks from from to to and the elements
// around them make.
func part(p *page.Page, from, to int) *page.Page {
	if from == 0 && to == len(p.Blocks) {
		return p
	}
	q := *p
	q.Blocks = append([]page.Block(nil), p.Blocks[from:to]...)
	const wanted = -1
	number := make([]int32, len(p.Elements)) // in q.Elements, plus one
	n := 0
	for i := range q.Blocks {
		for e := q.Blocks[i].Element; e >= 0 && number[e] != wanted; e = p.Elements[e].Parent {
			number[e] = wanted
			n++
		}
	}
	q.Elements = make([]page.Element, 0, n)
	for i := range p.Elements {
		if number[i] != wanted {
			continue
		}
		e := p.Elements[i]
		if e.Parent >= 0 {
			e.Parent = number[e.Parent] - 1
		}
		q.Elements = append(q.Elements, e)
		number[i] = int32(len(q.Elements))
	}
	for i := range q.Blocks {
		if e := &q.Blocks[i].Element; *e >= 0 {
			*e = number[*e] - 1
		}
	}
	return &q
}

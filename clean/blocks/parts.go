package blocks

import "chaffinch/page"

// partBlocks is the maximum number of blocks that are read together. Longer pages, of which
// the training data has none, are read in parts. This bounds memory and the delay after a
// timeout.
const partBlocks = 1 << 14

// part returns a page of the blocks from:to and the elements around them.
func part(p *page.Page, from, to int) *page.Page {
	if from == 0 && to == len(p.Blocks) {
		return p
	}
	q := *p
	q.Blocks = append([]page.Block(nil), p.Blocks[from:to]...)
	const wanted = -1
	number := make([]int32, len(p.Elements)) // index in q.Elements plus one
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

package page

// Holders returns, for each block, the indices of enclosing elements that contain more blocks
// than the next inner element, innermost first.
func (p *Page) Holders() [][]int {
	out := make([][]int, len(p.Blocks))
	count := make([]int, len(p.Elements))
	for i := range p.Blocks {
		for e := p.Blocks[i].Element; e >= 0; e = p.Elements[e].Parent {
			count[e]++
		}
	}
	for i := range p.Blocks {
		out[i] = []int{}
		last := 1
		for e := p.Blocks[i].Element; e >= 0; e = p.Elements[e].Parent {
			if count[e] > last {
				out[i] = append(out[i], int(e))
				last = count[e]
			}
		}
	}
	return out
}

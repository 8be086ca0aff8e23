package blocks

import (
	"math"
	"math/rand/v2"
	"slices"

	"chaffinch/clean/blocks"
)

// fitPages trains the model of whole pages.
func fitPages(examples []*Example, seed uint64) *blocks.PageModel {
	const epochs, rate = 30, .3
	m := &blocks.PageModel{}
	for t := range m.Bias {
		w, squares := make([]float32, blocks.PageTokens), make([]float32, blocks.PageTokens)
		var bias, biasSquare float32
		rng := rand.New(rand.NewPCG(seed, uint64(t)))
		var order []*Example
		for _, x := range examples {
			if _, known := x.pageTarget(t); known {
				order = append(order, x)
			}
		}
		for range epochs {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			for _, x := range order {
				tokens, share := x.sheet.Tokens()
				z := bias
				for _, k := range tokens {
					z += float32(w[k] * share)
				}
				y, _ := x.pageTarget(t)
				g := sigmoid(z) - y
				biasSquare += float32(g * g)
				bias -= rate * g / float32(math.Sqrt(float64(biasSquare)+1))
				gs := float32(g * share)
				for _, k := range tokens {
					squares[k] += float32(gs * gs)
					w[k] -= rate * (gs + float32(1e-4*w[k])) / float32(math.Sqrt(float64(squares[k])+.01))
				}
			}
		}
		m.Bias[t], m.Weights[t] = bias, pack(w)
	}
	return m
}

// pageTarget returns target t of the model of whole pages for a page, and whether it is known.
func (x *Example) pageTarget(t int) (y float32, known bool) {
	if t < len(blocks.PageTypes) {
		if !slices.Contains(blocks.PageTypes, x.kind) {
			return 0, false
		}
		if x.kind == blocks.PageTypes[t] {
			return 1, true
		}
		return 0, true
	}
	var all, kept, lists float32
	for i, share := range x.share {
		w := float32(x.sheet.Words(i))
		all += w
		kept += float32(w * share)
		if !x.sheet.Good(i) {
			lists += float32(w * share)
		}
	}
	switch {
	case t == blocks.PageKept && all > 0:
		return kept / all, true
	case t == blocks.PageLists && kept > 0:
		return lists / kept, true
	}
	return 0, false
}

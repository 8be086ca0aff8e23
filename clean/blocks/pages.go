package blocks

import (
	"math"
	"math/rand/v2"
	"slices"
)

// PageTypes are the types that the model of whole pages tells apart.
var PageTypes = []string{"article", "collection", "documentation", "forum", "listing", "product", "service"}

// What the model of whole pages estimates beside the types.
const (
	pageKept  = 7 + iota // share of the words that are kept
	pageLists            // share of the kept words that stand in no good block
	pageTargets
)

// pageBits is the number of slots of the model of whole pages, as a power of
// two.
const pageBits = 14

// Bounds of what a page gives to the model.
const (
	shortWords = 6    // words of a block whose first words count
	firstWords = 3    // these
	maxPresent = 4096 // different tokens
)

// presence is the set of tokens that occur on a page.
type presence struct {
	seen [1 << pageBits / 64]uint64
	list []uint16
}

func (p *presence) reset() {
	clear(p.seen[:])
	p.list = p.list[:0]
}

// add notes a token.
func (p *presence) add(token, salt uint32) {
	k := slot(token, salt) >> (slabBits - pageBits)
	if bit := uint64(1) << (k & 63); p.seen[k>>6]&bit == 0 && len(p.list) < maxPresent {
		p.seen[k>>6] |= bit
		p.list = append(p.list, uint16(k))
	}
}

// readPage notes the words of the title and of short blocks, and the parts of
// the address; the tokens of the elements come with their slots.
func (s *sheet) readPage() {
	s.present.reset()
	p := s.page
	for _, h := range s.titleWords.head[:min(s.titleWords.count, headWords)] {
		s.present.add(h, saltTail)
	}
	address := p.URL
	if address == "" {
		address = p.Stated.Canonical
	}
	s.scratch = appendTokens(s.scratch[:0], address, 0)
	for _, t := range s.scratch {
		s.present.add(t, saltRole)
	}
	for i := range s.blocks {
		if b := &s.hashes[i]; b.count <= shortWords {
			for _, h := range b.head[:min(b.count, firstWords)] {
				s.present.add(h, saltPair)
			}
		}
	}
}

// pageModel is a logistic regression for each target, over the tokens that a
// page has, all of them with the same share.
type pageModel struct {
	bias   [pageTargets]float32
	w      [pageTargets]slabOf
	tokens [][pageTargets]int8 // w by token
}

// prepare puts the weights of each token together, so that a token costs one look at memory.
func (m *pageModel) prepare() *pageModel {
	m.tokens = make([][pageTargets]int8, 1<<pageBits)
	for t := range m.w {
		for k, w := range m.w[t].w {
			m.tokens[k][t] = w
		}
	}
	return m
}

// pageColumns sets the columns of the model of whole pages.
func (s *sheet) pageColumns(m *pageModel) {
	share := s.present.share()
	var sums [pageTargets]int
	for _, k := range s.present.list {
		for t, w := range m.tokens[k] {
			sums[t] += int(w)
		}
	}
	for t, sum := range sums {
		s.fill(colPageArticle+column(t), float64(m.bias[t]+float32(float32(sum)*m.w[t].scale*share)))
	}
}

// share is the weight of one token.
func (p *presence) share() float32 { return float32(1 / math.Sqrt(float64(len(p.list)+1))) }

// fitPages trains the model of whole pages.
func fitPages(examples []*Example, seed uint64) *pageModel {
	const epochs, rate = 30, .3
	m := &pageModel{}
	for t := range pageTargets {
		w, squares := make([]float32, 1<<pageBits), make([]float32, 1<<pageBits)
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
				p := &x.sheet.present
				share := p.share()
				z := bias
				for _, k := range p.list {
					z += float32(w[k] * share)
				}
				y, _ := x.pageTarget(t)
				g := sigmoid(z) - y
				biasSquare += float32(g * g)
				bias -= rate * g / float32(math.Sqrt(float64(biasSquare)+1))
				gs := float32(g * share)
				for _, k := range p.list {
					squares[k] += float32(gs * gs)
					w[k] -= rate * (gs + float32(1e-4*w[k])) / float32(math.Sqrt(float64(squares[k])+.01))
				}
			}
		}
		m.bias[t], m.w[t] = bias, pack(w)
	}
	return m.prepare()
}

// pageTarget returns what the model of whole pages should say of a page, if it
// is known.
func (x *Example) pageTarget(t int) (y float32, known bool) {
	if t < len(PageTypes) {
		if !slices.Contains(PageTypes, x.kind) {
			return 0, false
		}
		if x.kind == PageTypes[t] {
			return 1, true
		}
		return 0, true
	}
	var all, kept, lists float32
	for i, share := range x.share {
		b := &x.sheet.blocks[i]
		w := float32(b.words)
		all += w
		kept += float32(w * share)
		if !b.good {
			lists += float32(w * share)
		}
	}
	switch {
	case t == pageKept && all > 0:
		return kept / all, true
	case t == pageLists && kept > 0:
		return lists / kept, true
	}
	return 0, false
}

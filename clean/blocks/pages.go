package blocks

import (
	"math"

	"chaffinch/page"
)

// PageTypes lists the page types that the page model distinguishes, in the order of its
// targets.
var PageTypes = page.Types

// Targets of the page model after the types.
const (
	PageKept  = 7 + iota // share of kept words
	PageLists            // share of kept words outside good blocks
	pageTargets
)

// pageBits is the base-2 logarithm of the number of slots of the page model.
const pageBits = 14

// PageTokens is the number of weights in a slab of a [PageModel].
const PageTokens = 1 << pageBits

// Limits of the input of the page model.
const (
	shortWords = 6    // maximum words of a block whose first words are used
	firstWords = 3    // number of first words
	maxPresent = 4096 // maximum number of distinct tokens
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

// add adds a token.
func (p *presence) add(token, salt uint32) {
	k := pageSlot(token, salt)
	if bit := uint64(1) << (k & 63); p.seen[k>>6]&bit == 0 && len(p.list) < maxPresent {
		p.seen[k>>6] |= bit
		p.list = append(p.list, k)
	}
}

// pageSlot returns the slot of a token in the set of tokens of a page.
func pageSlot(token, salt uint32) uint16 { return uint16(slot(token, salt) >> (slabBits - pageBits)) }

// readPage adds the words of the title and of short blocks and the parts of the address. The
// tokens of the elements are added together with their slots.
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

// PageModel is a logistic regression for each target over the tokens of a page. All tokens
// of a page have the same weight in the sum.
type PageModel struct {
	Bias    [pageTargets]float32
	Weights [pageTargets]Slab
}

// pageTokens holds the weights of a PageModel by token, so that a token costs one memory access.
type pageTokens struct {
	bias   [pageTargets]float32
	scales [pageTargets]float32
	tokens [][pageTargets]int8
}

// byToken returns the weights of m by token. It keeps no slab.
func (m *PageModel) byToken() *pageTokens {
	p := &pageTokens{bias: m.Bias, tokens: make([][pageTargets]int8, PageTokens)}
	for t := range m.Weights {
		p.scales[t] = m.Weights[t].Scale
		for k, w := range m.Weights[t].Weights {
			p.tokens[k][t] = w
		}
	}
	return p
}

// model returns the model of the weights.
func (p *pageTokens) model() *PageModel {
	m := &PageModel{Bias: p.bias}
	for t := range m.Weights {
		w := make([]int8, PageTokens)
		for k := range w {
			w[k] = p.tokens[k][t]
		}
		m.Weights[t] = Slab{p.scales[t], w}
	}
	return m
}

// pageColumns sets the columns of the page model.
func (s *sheet) pageColumns(m *pageTokens) {
	share := s.present.share()
	var sums [pageTargets]int
	for _, k := range s.present.list {
		weights := &m.tokens[k]
		for t := range weights {
			sums[t] += int(weights[t])
		}
	}
	for t, sum := range sums {
		s.fill(colPageArticle+column(t), float64(m.bias[t]+float32(float32(sum)*m.scales[t]*share)))
	}
}

// share is the weight of one token.
func (p *presence) share() float32 { return float32(1 / math.Sqrt(float64(len(p.list)+1))) }

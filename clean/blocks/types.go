package blocks

import (
	"fmt"
	"math"

	"chaffinch/internal/boost"
	"chaffinch/internal/truth"
	"chaffinch/page"
)

// The type of a page is estimated from its words and its shape: the elements around its text, the
// repeated elements, and the mean scores of the linear models.

// typeClue identifies a feature of a page that predicts its type.
type typeClue int

// The clues that are columns of the page come first.
const (
	typeRecords  typeClue = typeClue(len(typeColumns)) + iota // records of the kind with the most words
	typeShare                                                 // their share of the words of the page
	typeWords                                                 // their mean words
	typeBlocks                                                // their mean blocks
	typeLinks                                                 // their share of words in links
	typeHeads                                                 // their share with a linked head
	typeDates                                                 // their share with a date
	typeHeadings                                              // share of the blocks that are headings
	typeItems                                                 // share of the blocks that are list items
	typeCells                                                 // share of the blocks in table cells
	typeForms                                                 // share of the blocks in forms
	typePrices                                                // share of the blocks that are short, with a number and a symbol
	typeHidden                                                // share of the blocks that are hidden
	typeImages                                                // images per block
	typeHints                                                 // means of the hints, weighted by words, one per role
	typeClues    = typeHints + typeClue(Roles)
)

// typeColumns lists the columns of the page that are clues.
var typeColumns = [...]column{
	colPageBlocks, colPageWords, colPageLinks, colPageGood, colPageLargest, colPageDensity, colPageMarked, colPageParagraphs, colPageItems, colPageTop,
	colPageArticle, colPageCollection, colPageDocumentation, colPageForum, colPageListing, colPageProduct, colPageService, colPageKept, colPageLists, colArticles,
}

// maxPrice is the maximum number of words of a block that counts as a price.
const maxPrice = 4

// typeCluesOf returns the clues of a page.
func (s *sheet) typeCluesOf() (c [typeClues]float32) {
	for k, col := range typeColumns {
		c[k] = s.col(col)[0]
	}
	set := func(k typeClue, v float64) { c[k] = float32(v) }
	best := -1
	for g := range s.recordStats {
		r := &s.recordStats[g]
		if n := s.kinds.list[g].blocks; r.runs > 0 && n >= minRecords && (best < 0 || r.words > s.recordStats[best].words) {
			best = g
		}
	}
	if best >= 0 {
		r, n := &s.recordStats[best], float64(s.kinds.list[best].blocks)
		set(typeRecords, math.Log1p(n))
		set(typeShare, ratio(float64(r.words), float64(s.elems[0].words)))
		set(typeWords, float64(r.words)/n)
		set(typeBlocks, float64(r.blocks)/n)
		set(typeLinks, ratio(r.linkWords, float64(r.words)))
		set(typeHeads, float64(r.heads)/float64(r.runs))
		set(typeDates, float64(r.dates)/float64(r.runs))
	}
	var headings, items, cells, forms, prices, hidden, words float64
	for i := range s.blocks {
		b := &s.blocks[i]
		counts := &s.elems[b.element].counts
		headings += truth.Float64(b.kind == page.Heading)
		items += truth.Float64(b.kind == page.Item)
		cells += truth.Float64(counts[groupCell] > 0)
		forms += truth.Float64(counts[groupForm] > 0)
		prices += truth.Float64(b.words <= maxPrice && b.numbers > 0 && b.symbols > 0)
		hidden += truth.Float64(b.hidden)
		words += float64(b.words + 1)
	}
	n := float64(s.n)
	set(typeHeadings, headings/n)
	set(typeItems, items/n)
	set(typeCells, cells/n)
	set(typeForms, forms/n)
	set(typePrices, prices/n)
	set(typeHidden, hidden/n)
	set(typeImages, s.images/n)
	for r, sum := range s.hints {
		set(typeHints+typeClue(r), sum/words)
	}
	return c
}

// types predicts the type of a page.
type types struct {
	cuts   [typeClues][]float32
	forest *boost.Classes
}

// typeOdds holds the probabilities of the types of a page, in the order of [PageTypes].
type typeOdds [PageKept]float64

// typesOf returns the probabilities of the types of a page, all 0 if the model was trained without
// types. A model without a forest of types has only the linear model of pages.
func (m *Model) typesOf(s *sheet) (p typeOdds) {
	if m.types == nil {
		known, sum := false, 0.
		for t := range p {
			z := float64(s.col(colPageArticle + column(t))[0])
			known = known || z != 0
			p[t] = 1 / (1 + math.Exp(-z))
			sum += p[t]
		}
		if !known {
			return typeOdds{}
		}
		for t := range p {
			p[t] /= sum
		}
		return p
	}
	c := s.typeCluesOf()
	var bins [typeClues][oneRow]uint8
	var cols [typeClues][]uint8
	for k := range bins {
		bins[k][boost.Pad] = boost.Bin(c[k], m.types.cuts[k])
		cols[k] = bins[k][:]
	}
	var z [PageKept]float32
	m.types.forest.Score(&boost.Matrix{Rows: 1, Cols: cols[:]}, z[:])
	boost.Softmaxes(z[:], len(z))
	for t, v := range z {
		p[t] = float64(v)
	}
	return p
}

// best returns the most probable type and its probability, -1 if all are 0.
func (p *typeOdds) best() (t int, probability float64) {
	t = -1
	for k, v := range p {
		if v > probability {
			t, probability = k, v
		}
	}
	return t, probability
}

// articleType is the index of the type of articles.
const articleType = 0

// append writes the cut points of each clue, then the forest.
func (m *types) append(b []byte) ([]byte, error) {
	b = append(b, byte(typeClues))
	for _, cuts := range m.cuts {
		b = boost.AppendCuts(b, cuts)
	}
	return m.forest.AppendBinary(b)
}

// readTypes reads the output of append. It returns nil for other clues than the clues of this
// version.
func readTypes(b []byte) (*types, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("empty, wanted the cuts of %d clues", typeClues)
	}
	if b[0] != byte(typeClues) {
		return nil, nil
	}
	m, b := new(types), b[1:]
	for k := range m.cuts {
		var err error
		if m.cuts[k], b, err = boost.ReadCuts(b); err != nil {
			return nil, fmt.Errorf("clue %d of a type: %w", k, err)
		}
	}
	m.forest = new(boost.Classes)
	if err := m.forest.UnmarshalBinary(b); err != nil {
		return nil, err
	}
	if m.forest.Classes() != len(PageTypes) || m.forest.Columns() > int(typeClues) {
		return nil, fmt.Errorf("%d types by clue %d, wanted %d by at most %d", m.forest.Classes(), m.forest.Columns()-1, len(PageTypes), typeClues-1)
	}
	for _, f := range m.forest.Used() {
		if f.Shift != 0 {
			return nil, fmt.Errorf("clue of another page, offset %d", f.Shift)
		}
	}
	return m, nil
}

package layout

import "chaffinch/page"

// WholeKind is what a whole is.
type WholeKind uint8

// The kinds of wholes.
const (
	NoWhole WholeKind = iota
	ListWhole
	TableWhole
)

// Wholes finds what a reader takes or leaves as one: data tables, and lists
// whose items are a block each. Lists of more than that, such as threads and
// cards, are taken apart, as tables are that only place things on the page. The
// zero value is ready, and can be used for one page after the other.
type Wholes struct {
	// Of is, for each block, the index in Kinds of the whole that it stands in.
	Of []int32
	// Kinds are those of the wholes; the first stands for none.
	Kinds []WholeKind

	sums []wholeSum
}

// wholeSum is what an element holds, all that stands in it included.
type wholeSum struct {
	blocks, items int32
	odd           int32 // headings, tables and quotes
	whole         int32
}

// listSlack is the number of blocks that an item of a list may have on average.
const listSlack = 1.5

// Find sets Of and Kinds for the blocks of p.
func (w *Wholes) Find(p *page.Page) {
	w.Kinds = append(w.Kinds[:0], NoWhole)
	w.Of = append(w.Of[:0], make([]int32, len(p.Blocks))...)
	if len(p.Elements) == 0 { // plain text
		return
	}
	w.count(p)
	for e := range p.Elements {
		s, el := &w.sums[e], &p.Elements[e]
		if el.Parent >= 0 {
			s.whole = w.sums[el.Parent].whole
		}
		if s.whole > 0 {
			continue
		}
		kind := NoWhole
		switch {
		case el.Data:
			kind = TableWhole
		case kinds[el.Name] == List && s.odd == 0 && s.blocks > 1 && float64(s.blocks) <= listSlack*float64(s.items):
			kind = ListWhole
		}
		if kind != NoWhole {
			s.whole = int32(len(w.Kinds))
			w.Kinds = append(w.Kinds, kind)
		}
	}
	if len(w.Kinds) == 1 {
		return
	}
	for i := range p.Blocks {
		if e := p.Blocks[i].Element; isElement(p, e) {
			w.Of[i] = w.sums[e].whole
		}
	}
	w.leadOn(p)
}

// leadOn takes the first and the last row out of tables where they only lead on
// ("More", "Order now"): a row of one cell, all of it a link.
func (w *Wholes) leadOn(p *page.Page) {
	first := int32(0) // the whole whose first row was seen
	for from := 0; from < len(p.Blocks); {
		of, row, to := w.Of[from], p.Blocks[from].Row, from+1
		for to < len(p.Blocks) && w.Of[to] == of && p.Blocks[to].Row == row {
			to++
		}
		outer := of != first || to == len(p.Blocks) || w.Of[to] != of
		first = of
		if outer && w.Kinds[of] == TableWhole && row > 0 && linked(p.Blocks[from:to]) {
			clear(w.Of[from:to])
		}
		from = to
	}
}

// linked tells whether the blocks are one cell of links alone.
func linked(cell []page.Block) bool {
	for i := range cell {
		if b := &cell[i]; b.Column != cell[0].Column || b.LinkChars == 0 || b.LinkDensity() < .9 {
			return false
		}
	}
	return true
}

// isElement tells whether p has an element e: a page that somebody made may name
// others.
func isElement(p *page.Page, e int32) bool { return e >= 0 && int(e) < len(p.Elements) }

// count sums up what the elements of p hold.
func (w *Wholes) count(p *page.Page) {
	w.sums = append(w.sums[:0], make([]wholeSum, len(p.Elements))...)
	for i := range p.Blocks {
		if e := p.Blocks[i].Element; isElement(p, e) {
			w.sums[e].blocks++
		}
	}
	for e := len(p.Elements) - 1; e >= 0; e-- {
		s := &w.sums[e]
		switch p.Elements[e].Name {
		case "li", "dt", "dd":
			s.items++
		case "h1", "h2", "h3", "h4", "h5", "h6", "table", "blockquote":
			s.odd++
		}
		if up := p.Elements[e].Parent; up >= 0 {
			u := &w.sums[up]
			u.blocks += s.blocks
			u.items += s.items
			u.odd += s.odd
		}
	}
}

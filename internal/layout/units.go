package layout

import "chaffinch/page"

// UnitKind is the kind of a unit.
type UnitKind uint8

// The kinds of units.
const (
	NoUnit UnitKind = iota
	ListUnit
	TableUnit
)

// Units finds parts of a page that are kept or dropped as a whole: data tables, and lists with one
// block per item. Lists with longer items, such as threads and cards, and layout tables are not
// units. The zero value is ready to use and can be reused for other pages.
type Units struct {
	// Of holds for each block the index of its unit in Kinds.
	Of []int32
	// Kinds holds the kinds of the units. The first entry means none.
	Kinds []UnitKind

	sums []unitCounts
}

// unitCounts counts the content of an element with all its descendants.
type unitCounts struct {
	blocks, items int32
	odd           int32 // headings, tables and quotes
	whole         int32
}

// listSlack is the maximum average number of blocks per list item.
const listSlack = 1.5

// Find sets Of and Kinds for the blocks of p.
func (w *Units) Find(p *page.Page) {
	w.Kinds = append(w.Kinds[:0], NoUnit)
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
		kind := NoUnit
		switch {
		case el.Data:
			kind = TableUnit
		case s.odd == 0 && s.blocks > 1 && float64(s.blocks) <= listSlack*float64(s.items):
			if k, _ := kindByName(el.Name); k == List {
				kind = ListUnit
			}
		}
		if kind != NoUnit {
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
	w.dropLinkRows(p)
}

// dropLinkRows removes the first and the last row from tables if the row only links elsewhere ("More",
// "Order now"): a single cell that consists of a link.
func (w *Units) dropLinkRows(p *page.Page) {
	first := int32(0) // the whole whose first row has been visited
	for from := 0; from < len(p.Blocks); {
		of, row, to := w.Of[from], p.Blocks[from].Row, from+1
		for to < len(p.Blocks) && w.Of[to] == of && p.Blocks[to].Row == row {
			to++
		}
		outer := of != first || to == len(p.Blocks) || w.Of[to] != of
		first = of
		if outer && w.Kinds[of] == TableUnit && row > 0 && linked(p.Blocks[from:to]) {
			clear(w.Of[from:to])
		}
		from = to
	}
}

// linked reports whether the blocks are one cell that consists of links.
func linked(cell []page.Block) bool {
	for i := range cell {
		if b := &cell[i]; b.Column != cell[0].Column || b.LinkChars == 0 || b.LinkDensity() < .9 {
			return false
		}
	}
	return true
}

// isElement reports whether p has an element e. A page made by a caller may refer to others.
func isElement(p *page.Page, e int32) bool { return e >= 0 && int(e) < len(p.Elements) }

// count counts the content of the elements of p.
func (w *Units) count(p *page.Page) {
	w.sums = append(w.sums[:0], make([]unitCounts, len(p.Elements))...)
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

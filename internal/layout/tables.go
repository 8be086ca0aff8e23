package layout

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/page"
)

// tidy looks at what stands in n once all of it is there: tables that only
// place things on the page are taken away, headers are found, nodes without
// content go.
func tidy(p *page.Page, n *Node) {
	out := n.Nodes[:0:0]
	for _, c := range n.Nodes {
		tidy(p, c)
		switch {
		case c.Kind == Table && !holdsData(p, c):
			out = append(out, flat(p, c)...)
			continue
		case c.Kind == Code && !allCode(p, c):
			out = append(out, split(p, c)...)
			continue
		case c.Kind == Item && n.Kind == List && len(out) > 0 && nameOf(p, c) == "dd" && nameOf(p, out[len(out)-1]) == "dt":
			term := out[len(out)-1]
			if k := len(term.Nodes); k == 0 || term.Nodes[k-1].Kind != List || term.Nodes[k-1].element >= 0 {
				term.Nodes = append(term.Nodes, &Node{Kind: List, element: -1})
			}
			list := term.Nodes[len(term.Nodes)-1]
			list.Nodes = append(list.Nodes, c)
			continue
		case c.Kind == Row:
			c.Header = headerRow(p, c)
		case c.Kind != Text && c.Kind != Image && len(c.Nodes) == 0:
			continue
		}
		out = append(out, c)
	}
	n.Nodes = out
}

// nameOf returns the name of the element that made n, "" if none did.
func nameOf(p *page.Page, n *Node) string {
	if n.element < 0 {
		return ""
	}
	return p.Elements[n.element].Name
}

// allCode reports whether only code stands in the pre n.
func allCode(p *page.Page, n *Node) bool {
	for _, c := range n.Nodes {
		if c.Kind != Text || block(p, c).Kind != page.Code {
			return false
		}
	}
	return true
}

// split returns what stands in a pre that holds more than code.
func split(p *page.Page, n *Node) []*Node {
	var out []*Node
	for _, c := range n.Nodes {
		if c.Kind == Text && block(p, c).Kind == page.Code {
			c = &Node{Kind: Code, element: -1, Nodes: []*Node{c}}
		}
		out = append(out, c)
	}
	return out
}

// flat returns what stands in the cells of a table, in page order, without the
// numbers of lines that highlighters set in a cell before code.
func flat(p *page.Page, n *Node) []*Node {
	var out []*Node
	for _, c := range n.Nodes {
		switch c.Kind {
		case Row, Cell, Caption:
			in := flat(p, c)
			if k := len(out) - 1; c.Kind == Cell && k >= 0 && len(in) > 0 && in[0].Kind == Code && numbersLines(p, out[k]) {
				out = out[:k]
			}
			out = append(out, in...)
		default:
			out = append(out, c)
		}
	}
	return out
}

// numbersLines reports whether n is code of nothing but numbers that follow
// one another.
func numbersLines(p *page.Page, n *Node) bool {
	if n.Kind != Code {
		return false
	}
	last := -1
	for _, c := range n.Nodes {
		for f := range strings.FieldsSeq(block(p, c).Text) {
			v, err := strconv.Atoi(f)
			if err != nil || last >= 0 && v != last+1 {
				return false
			}
			last = v
		}
	}
	return true
}

// headerRow reports whether all cells of the row are headers or the row
// stands in a thead.
func headerRow(p *page.Page, row *Node) bool {
	if e := row.element; e >= 0 {
		if parent := p.Elements[e].Parent; parent >= 0 && p.Elements[parent].Name == "thead" {
			return true
		}
	}
	for _, c := range row.Nodes {
		if !c.Header {
			return false
		}
	}
	return len(row.Nodes) > 0
}

// Bounds of the cells of a table with data.
const (
	maxCellChars       = 300  // in a table that does not say what it is
	maxHeadedCellChars = 3000 // in one with headers or a caption
	maxCellBlocks      = 4
	maxHeadedBlocks    = 30
)

// holdsData tells tables with data from those that place things on the page,
// as pages of the nineties do: columns of the page, frames around pictures.
// Data stand in rows of at least two cells, none of which holds what only a
// page does (headings, tables) or is long; tables that name their columns or
// have a caption may have longer cells.
func holdsData(p *page.Page, table *Node) bool {
	if e := table.element; e >= 0 {
		if role := p.Elements[e].Role; role == "presentation" || role == "none" {
			return false
		}
	}
	rows, wide, headed := 0, false, false
	for _, row := range table.Nodes {
		switch row.Kind {
		case Caption:
			headed = true
			continue
		case Row:
		default:
			return false // something stands between the rows
		}
		rows++
		last := 0
		for _, c := range row.Nodes {
			if c.Kind != Cell {
				return false
			}
			headed = headed || c.Header
			last = max(last, int(c.Place.Col)+1)
		}
		wide = wide || last > 1 || len(row.Nodes) > 1
	}
	chars, blocks := maxCellChars, maxCellBlocks
	if headed {
		chars, blocks = maxHeadedCellChars, maxHeadedBlocks
	} else if rows < 2 {
		return false
	}
	if !wide || rows == 0 {
		return false
	}
	for _, row := range table.Nodes {
		if row.Kind == Row {
			for _, c := range row.Nodes {
				if w := weigh(p, c, headed); w.chars > chars || w.blocks > blocks || w.page {
					return false
				}
			}
		}
	}
	return true
}

// weight is how much stands in a cell.
type weight struct {
	chars, blocks int
	page          bool // something that only a page holds
}

func weigh(p *page.Page, n *Node, headed bool) weight {
	var w weight
	for _, c := range n.Nodes {
		switch c.Kind {
		case Text:
			b := block(p, c)
			w.chars += utf8.RuneCountInString(b.Text)
			w.blocks++
			w.page = w.page || b.Kind == page.Heading && !headed
		case Table, Quote:
			w.page = true
		case Code:
			w.page = w.page || !headed
			fallthrough
		default:
			in := weigh(p, c, headed)
			w.chars += in.chars
			w.blocks += in.blocks
			w.page = w.page || in.page
		}
	}
	return w
}

package layout

import (
	"slices"
	"strconv"
	"strings"

	"chaffinch/page"
)

// tidy cleans up the completed children of n: it flattens layout tables, finds headers and removes
// empty nodes.
func tidy(p *page.Page, n *Node) {
	out := n.Nodes[:0:0]
	for _, c := range n.Nodes {
		tidy(p, c)
		if c.Kind == Note { // its element may be a table
			c.Nodes = flat(p, c)
		}
		switch {
		case c.Kind == Table && !isTable(p, c):
			out = append(out, flat(p, c)...)
			continue
		case c.Kind == Code && !allCode(p, c):
			out = append(out, split(p, c)...)
			continue
		case c.Kind == Item && n.Kind == List && len(out) > 0 && nameOf(p, c) == "dd" && nameOf(p, out[len(out)-1]) == "dt":
			term := out[len(out)-1]
			if term.Kind == Note {
				term.Nodes = append(term.Nodes, c.Nodes...)
				continue
			}
			if k := len(term.Nodes); k == 0 || term.Nodes[k-1].Kind != List || term.Nodes[k-1].element >= 0 {
				term.Nodes = append(term.Nodes, &Node{Kind: List, element: -1})
			}
			list := term.Nodes[len(term.Nodes)-1]
			list.Nodes = append(list.Nodes, c)
			continue
		case c.Kind == Row:
			c.Header = headerRow(p, c) || (len(out) == 0 || out[len(out)-1].Kind != Row) && boldRow(p, c)
		case c.Kind == List && slices.ContainsFunc(c.Nodes, func(n *Node) bool { return n.Kind == Note }):
			var notes []*Node
			if c.Nodes, notes = splitNotes(c); len(c.Nodes) > 0 {
				out = append(out, c)
			}
			out = append(out, notes...)
			continue
		case c.Kind != Text && c.Kind != Image && len(c.Nodes) == 0:
			continue
		case c.Kind == List && !slices.ContainsFunc(c.Nodes, func(n *Node) bool { return nameOf(p, n) != "dd" }):
			for _, item := range c.Nodes { // definitions without terms are indented text
				out = append(out, item.Nodes...)
			}
			continue
		}
		out = append(out, c)
	}
	n.Nodes = out
}

// nameOf returns the name of the element of n, or "" if it has none.
func nameOf(p *page.Page, n *Node) string {
	if n.element < 0 {
		return ""
	}
	return elementAt(p, n.element).Name
}

// allCode reports whether the pre n contains only code.
func allCode(p *page.Page, n *Node) bool {
	return !slices.ContainsFunc(n.Nodes, func(c *Node) bool { return c.Kind != Text || block(p, c).Kind != page.Code })
}

// split returns the children of a pre that contains more than code.
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

// flat returns the content of the cells of a table in page order, without the line numbers that
// highlighters put in a cell before code.
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

// numbersLines reports whether n is code that consists only of consecutive numbers.
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

// headerRow reports whether the row is in a thead or all its cells are headers.
func headerRow(p *page.Page, row *Node) bool {
	if e := row.element; e >= 0 {
		if parent := elementAt(p, e).Parent; parent >= 0 && elementAt(p, parent).Name == "thead" {
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

// boldRow reports whether the row has several cells with text and all its text is bold, as in the
// first row of a table without marked headers.
func boldRow(p *page.Page, row *Node) bool {
	for _, cell := range row.Nodes {
		for _, c := range cell.Nodes {
			if c.Kind != Text {
				return false
			}
			if b := block(p, c); b.BoldChars < b.Chars() {
				return false
			}
		}
	}
	return len(row.Nodes) > 1
}

// isTable reports whether the kept part of the table n is a table: it holds data, and a row has
// more than one cell.
func isTable(p *page.Page, n *Node) bool {
	if n.element < 0 || !elementAt(p, n.element).Data {
		return false
	}
	wide := false
	for _, row := range n.Nodes {
		switch row.Kind {
		case Caption:
			continue
		case Row:
		default:
			return false // there is content between the rows
		}
		for _, c := range row.Nodes {
			if c.Kind != Cell {
				return false
			}
			wide = wide || len(row.Nodes) > 1 || c.Place.Col > 0
		}
	}
	return wide
}

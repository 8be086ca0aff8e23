package markdown

import (
	"slices"
	"strings"

	"chaffinch/internal/layout"
)

// table writes a table with pipes. The first row is the header if the page marks it as
// such, otherwise the header is empty. Cells that span columns or rows are followed by
// empty cells. Columns in which no cell begins are omitted.
func (w *writer) table(n *layout.Node) {
	var rows []*layout.Node
	var cols []uint16
	for _, c := range n.Nodes {
		if c.Kind == layout.Caption {
			w.nodes(c.Nodes, false)
			w.blank()
			continue
		}
		rows = append(rows, c)
		for _, cell := range c.Nodes {
			cols = append(cols, cell.Place.Col)
		}
	}
	slices.Sort(cols)
	cols = slices.Compact(cols)
	for i, row := range rows {
		if i == 0 {
			if !row.Header {
				w.begin()
				w.dst = append(w.dst, strings.Repeat("|  ", len(cols))+"|"...)
				w.end()
				w.rule(len(cols))
			}
		}
		w.begin()
		k := 0
		for _, cell := range row.Nodes {
			for k < len(cols) && cols[k] < cell.Place.Col {
				w.dst = append(w.dst, "|  "...)
				k++
			}
			w.dst = append(w.dst, "| "...)
			w.cell(cell)
			w.dst = append(w.dst, ' ')
			k++
		}
		for ; k < len(cols); k++ {
			w.dst = append(w.dst, "|  "...)
		}
		w.dst = append(w.dst, '|')
		w.end()
		if i == 0 && row.Header {
			w.rule(len(cols))
		}
	}
}

func (w *writer) rule(cols int) {
	w.begin()
	w.dst = append(w.dst, strings.Repeat("| --- ", cols)+"|"...)
	w.end()
}

// cell writes the content of a cell on one line, with br tags between blocks.
func (w *writer) cell(n *layout.Node) {
	first := true
	var walk func(nodes []*layout.Node)
	walk = func(nodes []*layout.Node) {
		for _, c := range nodes {
			if c.Kind != layout.Text && c.Kind != layout.Image && c.Kind != layout.Code {
				walk(c.Nodes)
				continue
			}
			if !first {
				w.dst = append(w.dst, "<br>"...)
			}
			first = false
			switch c.Kind {
			case layout.Image:
				im := &w.p.Images[c.Index]
				w.dst = appendImage(w.dst, im.URL, im.Alt, true)
			case layout.Text:
				text, marks := w.p.Blocks[c.Index].KeptInline()
				w.dst = append(w.dst, w.line.render(text, marks, w.without, place{cell: true})...)
			case layout.Code:
				w.cellCode(c)
			}
		}
	}
	walk(n.Nodes)
}

// cellCode writes code in a cell as one code span per non-empty line.
func (w *writer) cellCode(n *layout.Node) {
	first := true
	for _, c := range n.Nodes {
		for line := range strings.SplitSeq(w.p.Blocks[c.Index].Kept(), "\n") {
			if strings.TrimSpace(line) == "" {
				continue
			}
			if !first {
				w.dst = append(w.dst, "<br>"...)
			}
			first = false
			w.dst = appendCode(w.dst, line, true)
		}
	}
}

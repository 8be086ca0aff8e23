package office

import (
	"strconv"

	"chaffinch/format/document/flow"
	"chaffinch/internal/xmltoken"
)

// cell is a cell of a table of DOCX. merge is "" for one row, "restart" for the first of several
// rows, "continue" for the others.
type cell struct {
	flow.Cell
	col   int
	merge string
}

// table reads a table. A table of one cell, often a frame, is written as its blocks.
func (d *docx) table(x *xmltoken.Reader, emit func(flow.Block)) {
	var rows [][]cell
	col, head, deleted := 0, false, false
	for depth := x.Depth(); d.next(x); {
		if x.Kind == xmltoken.End {
			if x.Depth() < depth {
				break
			}
			if n := len(rows); x.Name == "w:tr" && deleted && n > 0 {
				rows = rows[:n-1]
			}
			continue
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "w:tr":
			rows, col, head, deleted = append(rows, nil), 0, false, false
		case "w:trPr":
			d.each(x, func() {
				switch x.Name {
				case "w:tblHeader":
					head = isOn(x.Attr("w:val"))
				case "w:gridBefore":
					col = number(x.Attr("w:val"), 0, 1000)
				case "w:del":
					deleted = true
				}
			})
		case "w:tc":
			if len(rows) == 0 {
				x.Skip()
				continue
			}
			c := d.cell(x)
			c.col, c.Head = col, head
			col += c.Cols
			rows[len(rows)-1] = append(rows[len(rows)-1], c)
		case "w:del", "w:moveFrom", "w:tblPr", "w:tblPrEx":
			x.Skip()
		}
	}
	if len(rows) == 1 && len(rows[0]) == 1 {
		for _, k := range rows[0][0].Blocks {
			emit(k)
		}
		return
	}
	emit(flow.Block{Table: &flow.Table{Rows: merge(rows)}})
}

// cell reads a cell.
func (d *docx) cell(x *xmltoken.Reader) cell {
	c := cell{Cell: flow.Cell{Cols: 1, Rows: 1}}
	depth := x.Depth()
	add := func(k flow.Block) { c.Blocks = append(c.Blocks, k) }
	for d.next(x) {
		if x.Kind == xmltoken.End && x.Depth() < depth {
			break
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "w:tcPr":
			d.each(x, func() {
				switch x.Name {
				case "w:gridSpan":
					c.Cols = number(x.Attr("w:val"), 1, 1000)
				case "w:vMerge":
					if c.merge = x.Attr("w:val"); c.merge == "" {
						c.merge = "continue"
					}
				}
			})
		case "w:p":
			d.paragraph(x, add)
		case "w:tbl":
			d.table(x, add)
		case "w:del", "w:moveFrom":
			x.Skip()
		}
	}
	return c
}

// merge joins cells that cover several rows.
func merge(rows [][]cell) [][]flow.Cell {
	out := make([][]flow.Cell, len(rows))
	open := map[int]*flow.Cell{} // by column: the cell that later rows continue
	for i, row := range rows {
		out[i] = make([]flow.Cell, 0, len(row)) // with all capacity: open points into it
		for _, c := range row {
			if above := open[c.col]; c.merge == "continue" && above != nil {
				above.Rows++
				continue
			}
			delete(open, c.col)
			out[i] = append(out[i], c.Cell)
			if c.merge != "" {
				open[c.col] = &out[i][len(out[i])-1]
			}
		}
	}
	return out
}

// symbol returns a character of a font, given as a hexadecimal number. Symbols of fonts without
// Unicode are left out.
func symbol(font, char string) string {
	n, err := strconv.ParseUint(char, 16, 32)
	if err != nil {
		return ""
	}
	if font == "Symbol" {
		return flow.Symbols(string(rune(n)))
	}
	if n >= 0xe000 && n < 0xf900 || n < 0x20 {
		return ""
	}
	return string(rune(n))
}

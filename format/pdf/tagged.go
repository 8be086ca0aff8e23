package pdf

import (
	"chaffinch/format/pdf/internal/wire"
)

// blockTypes are the elements of the structure that are blocks of text.
var blockTypes = map[string]bool{
	"P": true, "H": true, "H1": true, "H2": true, "H3": true, "H4": true, "H5": true, "H6": true, "Title": true, "LI": true, "TD": true, "TH": true,
	"Caption": true, "Note": true, "FENote": true, "TOCI": true, "BibEntry": true, "BlockQuote": true,
}

// tags sets the blocks of lines by the structure tree of the page, if it is plausible: it
// contains nearly all characters, in several blocks.
func tags(p *wire.Page, lines []*line) {
	if len(p.Tags) < 3 && !p.Unplaced {
		return
	}
	block := make([]int32, len(p.Tags)) // nearest block of an element
	for i, t := range p.Tags {
		block[i] = -1
		if blockTypes[t.Type] {
			block[i] = int32(i)
		} else if t.Parent >= 0 {
			block[i] = block[t.Parent]
		}
		if t.Type == "P" && t.Parent >= 0 && block[t.Parent] >= 0 { // a paragraph in a list item or cell
			block[i] = block[t.Parent]
		}
	}
	seen := map[int32]bool{}
	chars, found := 0, 0
	for _, l := range lines {
		if l.artifact {
			continue
		}
		chars += len(l.chars)
		if l.tag >= 0 && block[l.tag] >= 0 {
			found += len(l.chars)
			seen[block[l.tag]] = true
		}
	}
	if !p.Unplaced && (found*10 < chars*9 || len(seen) < 2 || len(lines) > 20*len(seen)) {
		return
	}
	for _, l := range lines {
		if l.tag >= 0 && block[l.tag] >= 0 {
			l.block = block[l.tag]
			l.kind = p.Tags[l.block].Type
		}
	}
}

// rowOf returns the rows and tables of the cells of a page.
func rowOf(p *wire.Page, cell int32) (row, table int32) {
	row, table = -1, -1
	for t := int(cell); t >= 0; t = p.Tags[t].Parent {
		switch p.Tags[t].Type {
		case "TR":
			if row < 0 {
				row = int32(t)
			}
		case "Table":
			return row, int32(t)
		}
	}
	return row, table
}

// taggedTables takes lines in cells of the structure out of the lines of a page and returns them
// as tables, with the lines that are left.
func taggedTables(p *wire.Page, lines []*line) (rest []*line, tables []*table) {
	byTable := map[int32]*table{}
	rows := map[int32]int{} // index of a row in its table
	cells := map[int32]*cell{}
	for _, l := range lines {
		if l.kind != "TD" && l.kind != "TH" {
			rest = append(rest, l)
			continue
		}
		row, number := rowOf(p, l.block)
		if row < 0 || number < 0 {
			rest = append(rest, l)
			continue
		}
		t := byTable[number]
		if t == nil {
			t = &table{box: l.Box, order: l.order}
			byTable[number] = t
			tables = append(tables, t)
		}
		if _, ok := rows[row]; !ok {
			rows[row] = len(t.rows)
			t.rows = append(t.rows, nil)
		}
		c := cells[l.block]
		if c == nil {
			c = &cell{head: l.kind == "TH"}
			cells[l.block] = c
			t.rows[rows[row]] = append(t.rows[rows[row]], c)
		}
		c.lines = append(c.lines, l)
		t.box = t.box.Union(l.Box)
	}
	return rest, tables
}

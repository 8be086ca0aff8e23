package pdf

import (
	"slices"

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
	block := nearestBlocks(p)
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

// nearestBlocks returns the nearest block of each element of the structure, or -1.
func nearestBlocks(p *wire.Page) []int32 {
	block := make([]int32, len(p.Tags))
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
	return block
}

// cutAtCells cuts lines between cells of the structure: cells can be as close as words.
func cutAtCells(p *wire.Page, lines []*line) []*line {
	if !slices.ContainsFunc(p.Tags, func(t wire.Tag) bool { return t.Type == "TD" || t.Type == "TH" }) {
		return lines
	}
	block := nearestBlocks(p)
	cellOf := func(c *wire.Char) int32 {
		if c.Tag < 0 || block[c.Tag] < 0 {
			return -1
		}
		if kind := p.Tags[block[c.Tag]].Type; kind != "TD" && kind != "TH" {
			return -1
		}
		return block[c.Tag]
	}
	var out []*line
	for _, l := range lines {
		for i := 0; i < len(l.chars); {
			j := i + 1
			for j < len(l.chars) && (l.chars[j].Rune == ' ' || cellOf(&l.chars[j]) == cellOf(&l.chars[i])) {
				j++
			}
			if i == 0 && j == len(l.chars) {
				out = append(out, l)
				break
			}
			part := *l
			if part.chars = trimSpaces(l.chars[i:j]); len(part.chars) > 0 {
				part.measure()
				out = append(out, &part)
			}
			i = j
		}
	}
	return out
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
// as tables, with the lines that are left. Cells without text are in the structure, too.
func taggedTables(p *wire.Page, lines []*line) (rest []*line, tables []*table) {
	byTable := map[int32]*table{}
	cells := map[int32]*cell{}
	for _, l := range lines {
		row, number := int32(-1), int32(-1)
		if l.kind == "TD" || l.kind == "TH" {
			row, number = rowOf(p, l.block)
		}
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
		c := cells[l.block]
		if c == nil {
			c = &cell{}
			cells[l.block] = c
		}
		c.lines = append(c.lines, l)
		t.box = t.box.Union(l.Box)
	}
	if len(tables) == 0 {
		return rest, nil
	}
	rows := map[int32]int{} // index of a row in its table
	for i := range p.Tags {
		tag := &p.Tags[i]
		if tag.Type != "TD" && tag.Type != "TH" {
			continue
		}
		row, number := rowOf(p, int32(i))
		t := byTable[number]
		if t == nil || row < 0 {
			continue
		}
		if _, ok := rows[row]; !ok {
			rows[row] = len(t.rows)
			t.rows = append(t.rows, nil)
		}
		c := cells[int32(i)]
		if c == nil {
			c = &cell{}
		}
		c.head, c.span, c.down = tag.Type == "TH", tag.Columns, tag.Rows
		t.rows[rows[row]] = append(t.rows[rows[row]], c)
	}
	for _, t := range tables {
		t.rows = slices.DeleteFunc(t.rows, func(row []*cell) bool {
			return !slices.ContainsFunc(row, func(c *cell) bool { return len(c.lines) > 0 })
		})
		t.complete()
	}
	return rest, tables
}

// complete adds the empty cells that rows lack: the structure need not contain them. The other rows
// show the positions of the columns.
func (t *table) complete() {
	width := func(row []*cell) (n int) {
		for _, c := range row {
			n += max(c.span, 1)
		}
		return n
	}
	most := 0
	for _, row := range t.rows {
		most = max(most, width(row))
		if slices.ContainsFunc(row, func(c *cell) bool { return c.down > 1 }) {
			return
		}
	}
	columns := make([]wire.Box, most)
	for _, row := range t.rows {
		if len(row) != most {
			continue
		}
		for i, c := range row {
			if len(c.lines) > 0 {
				box := boxOfLines(c.lines)
				if columns[i] != (wire.Box{}) {
					box = box.Union(columns[i])
				}
				columns[i] = box
			}
		}
	}
	for i, row := range t.rows {
		if width(row) == most || len(row) != width(row) {
			continue
		}
		full := make([]*cell, most)
		at := 0
		for _, c := range row {
			if len(c.lines) == 0 {
				continue
			}
			box := boxOfLines(c.lines)
			for at < most && overlapX(columns[at], box) <= 0 {
				at++
			}
			if at == most { // not in the columns
				full = nil
				break
			}
			full[at] = c
			at++
		}
		if full == nil {
			continue
		}
		for k := range full {
			if full[k] == nil {
				full[k] = &cell{}
			}
		}
		t.rows[i] = full
	}
}

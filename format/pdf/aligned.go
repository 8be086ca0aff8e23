package pdf

import (
	"cmp"
	"slices"
	"strings"

	"chaffinch/format/pdf/internal/wire"
	"chaffinch/internal/truth"
)

// cutAtRivers cuts lines into the cells of tables without rules: rows below each other that have at
// least two common gaps. Gaps between cells can be as narrow as gaps between words. It also returns
// the whole line of each part.
func cutAtRivers(lines []*line) (out []*line, whole map[*line]*line) {
	const least = 4 // rows
	rows := rowsOf(lines)
	parts := map[*line][]*line{}
	for i := 0; i+least <= len(rows); {
		var ink []wire.Box // of the rows, without the gaps between words
		var gaps []float32
		j := i
		for j < len(rows) && (j == i || rows[j].base-rows[j-1].base < 3*rows[j].lines[0].size) {
			more := merge(ink, rows[j].ink())
			found := rivers(more, rows[j].lines[0].cellGap())
			if len(found) < 2 {
				break
			}
			ink, gaps = more, found
			j++
		}
		if j-i < least || !inCells(rows[i:j], gaps) {
			i++
			continue
		}
		for _, r := range rows[i:j] {
			for _, l := range r.lines {
				parts[l] = l.cut(gaps)
			}
		}
		i = j
	}
	whole = map[*line]*line{}
	for _, l := range lines {
		p := parts[l]
		if len(p) < 2 {
			out = append(out, l)
			continue
		}
		for _, part := range p {
			whole[part] = l
		}
		out = append(out, p...)
	}
	return out, whole
}

// uncut returns lines with the whole lines of parts that are in no table.
func uncut(lines []*line, whole map[*line]*line) (out []*line) {
	for _, l := range lines {
		if w := whole[l]; w != nil {
			l = w
		}
		if n := len(out); n == 0 || out[n-1] != l {
			out = append(out, l)
		}
	}
	return out
}

// inCells reports whether most rows have text between most gaps.
func inCells(rows []*row, gaps []float32) bool {
	n := 0
	for _, r := range rows {
		cells := map[int]bool{}
		for _, b := range r.ink() {
			k, _ := slices.BinarySearch(gaps, (b.X0+b.X1)/2)
			cells[k] = true
		}
		n += truth.Int(len(cells)*4 > len(gaps)*3)
	}
	return n*3 > len(rows)*2
}

// ink returns the intervals of the words of a row, from left to right.
func (r *row) ink() []wire.Box {
	var out []wire.Box
	for _, l := range r.lines {
		for i := range l.chars {
			c := &l.chars[i]
			if c.Rune == ' ' {
				continue
			}
			out = merge(out, []wire.Box{{X0: c.X0, X1: c.X1}})
		}
	}
	return out
}

// merge returns the union of two sorted lists of intervals.
func merge(a, b []wire.Box) []wire.Box {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b wire.Box) int { return cmp.Compare(a.X0, b.X0) })
	var out []wire.Box
	for _, x := range all {
		if n := len(out); n > 0 && x.X0 <= out[n-1].X1+.5 {
			out[n-1].X1 = max(out[n-1].X1, x.X1)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// cellGap returns the narrowest gap between cells: wider than the spaces of fonts with fixed width.
func (l *line) cellGap() float32 {
	var sum float32
	n := 0
	for i := range l.chars {
		if l.chars[i].Rune != ' ' {
			sum, n = sum+l.chars[i].X1-l.chars[i].X0, n+1
		}
	}
	return max(.55*l.size, 1.25*sum/float32(max(n, 1)))
}

// rivers returns the middles of the gaps between intervals that are wider than gaps between words.
func rivers(ink []wire.Box, narrowest float32) []float32 {
	var out []float32
	for i := 1; i < len(ink); i++ {
		if ink[i].X0-ink[i-1].X1 > narrowest {
			out = append(out, (ink[i].X0+ink[i-1].X1)/2)
		}
	}
	return out
}

// wraps reports whether the only part of r continues a cell of the row above.
func (r *row) wraps(above *row) bool {
	l := r.lines[0]
	return len(r.lines) == 1 && r.base-above.base < 1.5*l.size && l.width() < 15*l.size &&
		slices.ContainsFunc(above.lines, func(o *line) bool { return near1(o.X0, l.X0, 2) || near1(o.X1, l.X1, 2) })
}

// rowStep returns the usual distance of rows.
func rowStep(rows []*row) float32 {
	steps := make([]float32, 0, len(rows))
	for i := 1; i < len(rows); i++ {
		steps = append(steps, rows[i].base-rows[i-1].base)
	}
	slices.Sort(steps)
	return steps[len(steps)/2]
}

// alignedTables finds tables without ruled columns: rows of several short parts that are
// aligned in columns.
func alignedTables(lines []*line) (tables []*table, rest []*line) {
	rows := rowsOf(lines)
	used := map[*line]bool{}
	for i := 0; i < len(rows); {
		j := i
		for j < len(rows) && (len(rows[j].lines) > 1 || j > i && rows[j].wraps(rows[j-1])) && (j == i || rows[j].base-rows[j-1].base < 3*rows[j].lines[0].size) {
			j++
		}
		if t := alignedTable(rows[i:j]); t != nil {
			tables = append(tables, t)
			for _, r := range rows[i:j] {
				for _, l := range r.lines {
					used[l] = true
				}
			}
		}
		i = max(j, i+1)
	}
	for _, l := range lines {
		if !used[l] {
			rest = append(rest, l)
		}
	}
	return tables, rest
}

// alignedTable returns rows as a table; nil if their parts have no common columns or are text in
// columns of a page.
func alignedTable(rows []*row) *table {
	const least = 3 // rows
	if len(rows) < least {
		return nil
	}
	// Columns are the intervals that parts cover.
	var parts []*line
	long, figures := 0, 0
	for _, r := range rows {
		for _, l := range r.lines {
			parts = append(parts, l)
			long += truth.Int(l.width() > 15*l.size)
			figures += truth.Int(strings.ContainsAny(l.text, "0123456789"))
		}
	}
	sorted := slices.Clone(parts)
	slices.SortFunc(sorted, func(a, b *line) int { return cmp.Compare(a.X0, b.X0) })
	var columns []wire.Box
	for _, l := range sorted {
		if n := len(columns); n > 0 && l.X0 < columns[n-1].X1 {
			columns[n-1].X1 = max(columns[n-1].X1, l.X1)
		} else {
			columns = append(columns, l.Box)
		}
	}
	switch {
	case len(columns) < 2, len(parts)*2 < len(rows)*3:
		return nil
	case len(columns) == 2 && (long > 0 || figures*3 < len(parts)):
		return nil
	case long*5 > len(parts):
		return nil
	case figures*3 < len(parts) && drawnByColumn(parts, columns):
		return nil
	}
	counted := 0
	for _, b := range columns {
		counted += truth.Int(!numbersLines(parts, b))
	}
	if counted < 2 {
		return nil
	}
	first := parts[0]
	t := &table{box: first.Box, order: first.order}
	step := rowStep(rows)
	for i, r := range rows {
		if i == 0 || r.base-rows[i-1].base > .8*step || len(r.lines) == len(columns) {
			cells := make([]*cell, len(columns))
			for k := range cells {
				cells[k] = &cell{}
			}
			t.rows = append(t.rows, cells)
		}
		cells := t.rows[len(t.rows)-1] // a row may have several lines
		for _, l := range r.lines {
			k := slices.IndexFunc(columns, func(b wire.Box) bool { return l.X0 < b.X1 })
			cells[k].lines = append(cells[k].lines, l)
			t.box, t.order = t.box.Union(l.Box), min(t.order, l.order)
		}
	}
	return t
}

// drawnByColumn reports whether the content draws each column to its end before the next, as programs
// draw columns of text.
func drawnByColumn(parts []*line, columns []wire.Box) bool {
	byOrder := slices.Clone(parts)
	slices.SortFunc(byOrder, func(a, b *line) int { return cmp.Compare(a.order, b.order) })
	changes, last := 0, -1
	for _, l := range byOrder {
		k := slices.IndexFunc(columns, func(b wire.Box) bool { return l.X0 < b.X1 })
		changes += truth.Int(k != last)
		last = k
	}
	return changes == len(columns)
}

// numbersLines reports whether the parts in a column are the numbers of lines, notes or items.
func numbersLines(parts []*line, column wire.Box) bool {
	last, n := -1, 0
	for _, l := range parts {
		if l.X1 <= column.X0 || l.X0 >= column.X1 {
			continue
		}
		k := pageNumber(l.text)
		if k < 0 || n > 0 && k != last+1 {
			return false
		}
		last, n = k, n+1
	}
	return n > 1
}

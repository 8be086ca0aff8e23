package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"chaffinch/format/pdf/internal/wire"
	"chaffinch/internal/truth"
)

// table is a table of data.
type table struct {
	box   wire.Box
	rows  [][]*cell
	order int
}

// cell is a cell of a table.
type cell struct {
	lines []*line
	head  bool
	span  int // columns
	down  int // rows
}

// lines returns the lines of the cells.
func (t *table) lines() []*line {
	var out []*line
	for _, r := range t.rows {
		for _, c := range r {
			out = append(out, c.lines...)
		}
	}
	return out
}

// findTables takes the lines of tables out of the lines of a page: of tables with ruled columns
// and rows, then of rows with aligned columns.
func findTables(p *wire.Page, lines []*line) (rest []*line, tables []*table) {
	rest = lines
	for _, g := range grids(p) {
		var t *table
		if t, rest = g.fill(rest); t != nil {
			tables = append(tables, t)
		}
	}
	parts, whole := cutAtRivers(rest)
	aligned, rest := alignedTables(parts)
	tables = append(tables, aligned...)
	for _, t := range tables {
		t.direct()
	}
	return uncut(rest, whole), tables
}

// direct orders the cells of a table from right to left if most of its text is.
func (t *table) direct() {
	left := 0
	for _, l := range t.lines() {
		left += truth.Int(l.rtl) - truth.Int(!l.rtl && hasLetters(l.text))
	}
	if left > 0 {
		for _, row := range t.rows {
			slices.Reverse(row)
		}
	}
}

func hasLetters(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// grid holds the positions of the ruled columns and rows of a table.
type grid struct {
	xs, ys   []float32
	vertical []wire.Box
}

const (
	touch     = 3    // largest distance of lines that meet, in points
	maxGrid   = 200  // columns or rows of a grid
	maxRuling = 3000 // lines of a page that are searched for grids
)

// grids returns the grids of a page: groups of horizontal and vertical lines that meet.
func grids(p *wire.Page) []*grid {
	var hs, vs []wire.Box
	add := func(b wire.Box) {
		w, h := b.X1-b.X0, b.Y1-b.Y0
		switch {
		case h <= touch && w > 2*touch:
			hs = append(hs, b)
		case w <= touch && h > touch:
			vs = append(vs, b)
		}
	}
	for _, b := range p.Rules {
		if b.X1-b.X0 > touch && b.Y1-b.Y0 > touch { // the edges of a rectangle
			if b.X1-b.X0 > .95*p.Width && b.Y1-b.Y0 > .9*p.Height {
				continue
			}
			add(wire.Box{X0: b.X0, X1: b.X1, Y0: b.Y0, Y1: b.Y0})
			add(wire.Box{X0: b.X0, X1: b.X1, Y0: b.Y1, Y1: b.Y1})
			add(wire.Box{X0: b.X0, X1: b.X0, Y0: b.Y0, Y1: b.Y1})
			add(wire.Box{X0: b.X1, X1: b.X1, Y0: b.Y0, Y1: b.Y1})
			continue
		}
		add(b)
	}
	if len(hs)+len(vs) > maxRuling || len(hs) < 2 || len(vs) < 2 {
		return nil
	}
	all := slices.Concat(hs, vs)
	group := make([]int, len(all))
	for i := range group {
		group[i] = i
	}
	find := func(i int) int {
		for group[i] != i {
			group[i] = group[group[i]]
			i = group[i]
		}
		return i
	}
	for i := range all {
		for j := range i {
			a, b := all[i], all[j]
			if a.X0 <= b.X1+touch && b.X0 <= a.X1+touch && a.Y0 <= b.Y1+touch && b.Y0 <= a.Y1+touch {
				group[find(i)] = find(j)
			}
		}
	}
	byGroup := map[int]*grid{}
	var out []*grid
	for i, b := range all {
		g := byGroup[find(i)]
		if g == nil {
			g = &grid{}
			byGroup[find(i)] = g
			out = append(out, g)
		}
		if i < len(hs) {
			g.ys = append(g.ys, (b.Y0+b.Y1)/2)
			g.xs = append(g.xs, b.X0, b.X1) // tables may be open at their sides
		} else {
			g.xs = append(g.xs, (b.X0+b.X1)/2)
			g.vertical = append(g.vertical, b)
		}
	}
	out = slices.DeleteFunc(out, func(g *grid) bool {
		g.xs, g.ys = distinct(g.xs), distinct(g.ys)
		return len(g.xs) < 3 || len(g.ys) < 3 || len(g.xs) > maxGrid || len(g.ys) > maxGrid
	})
	return out
}

// distinct returns the sorted values without values close to others.
func distinct(v []float32) []float32 {
	slices.Sort(v)
	return slices.CompactFunc(v, func(a, b float32) bool { return near1(a, b, touch) })
}

// fill moves lines into the cells of a grid. It returns nil and the lines if they are not a
// table.
func (g *grid) fill(lines []*line) (*table, []*line) {
	rows, cols := len(g.ys)-1, len(g.xs)-1
	cells := make([]*cell, rows*cols)
	t := &table{box: wire.Box{X0: g.xs[0], Y0: g.ys[0], X1: g.xs[cols], Y1: g.ys[rows]}, order: math.MaxInt}
	var rest []*line
	var pieces, broken int // parts of lines in cells, and ends of parts inside words
	for _, l := range lines {
		y := l.base - float32(.3*l.size)
		row, _ := slices.BinarySearch(g.ys, y)
		if row == 0 || row > rows || l.X0 < t.box.X0-touch || l.X1 > t.box.X1+touch {
			rest = append(rest, l)
			continue
		}
		cut := l.cut(g.columns(y))
		pieces += len(cut)
		for i := 1; i < len(cut); i++ {
			broken += truth.Int(cut[i].X0-cut[i-1].X1 < .1*l.size && cut[i].X0 > cut[i-1].X0)
		}
		for _, part := range cut {
			col, _ := slices.BinarySearch(g.xs, (part.X0+part.X1)/2)
			col = min(max(col, 1), cols)
			for col > 1 && !g.ruled(g.xs[col-1], y) { // a cell that spans columns
				col--
			}
			c := cells[(row-1)*cols+col-1]
			if c == nil {
				c = &cell{}
				cells[(row-1)*cols+col-1] = c
			}
			t.order = min(t.order, part.order)
			c.lines = append(c.lines, part)
		}
	}
	if broken*10 > pieces { // a drawing over text
		return nil, lines
	}
	filled := map[int]bool{}
	several := 0
	for r := range rows {
		var row []*cell
		n := 0
		for k := range cols {
			c := cells[r*cols+k]
			if c == nil && k > 0 && !g.ruled(g.xs[k], (g.ys[r]+g.ys[r+1])/2) {
				if len(row) > 0 {
					row[len(row)-1].span = max(row[len(row)-1].span, 1) + 1
				}
				continue
			}
			if c == nil {
				c = &cell{}
			} else {
				n++
				filled[k] = true
				slices.SortStableFunc(c.lines, byPosition)
			}
			row = append(row, c)
		}
		if n > 0 {
			t.rows = append(t.rows, row)
		}
		several += truth.Int(n > 1)
	}
	if several < 2 || len(filled) < 2 {
		return nil, lines
	}
	return t, rest
}

// ruled reports whether a vertical line at x crosses y.
func (g *grid) ruled(x, y float32) bool {
	return slices.ContainsFunc(g.vertical, func(b wire.Box) bool {
		return near1((b.X0+b.X1)/2, x, touch) && b.Y0 <= y+1 && b.Y1 >= y-1
	})
}

// columns returns the positions of the vertical lines that cross y.
func (g *grid) columns(y float32) []float32 {
	return slices.DeleteFunc(slices.Clone(g.xs), func(x float32) bool { return !g.ruled(x, y) })
}

// cut returns the parts of a line between positions.
func (l *line) cut(xs []float32) []*line {
	column := func(i int) int {
		n, _ := slices.BinarySearch(xs, (l.chars[i].X0+l.chars[i].X1)/2)
		return n
	}
	var out []*line
	for i := 0; i < len(l.chars); {
		j := i + 1
		for j < len(l.chars) && column(j) == column(i) {
			j++
		}
		part := *l
		part.chars = trimSpaces(l.chars[i:j])
		if len(part.chars) > 0 {
			part.measure()
			out = append(out, &part)
		}
		i = j
	}
	return out
}

func trimSpaces(chars []wire.Char) []wire.Char {
	for len(chars) > 0 && chars[0].Rune == ' ' {
		chars = chars[1:]
	}
	for len(chars) > 0 && chars[len(chars)-1].Rune == ' ' {
		chars = chars[:len(chars)-1]
	}
	return chars[:len(chars):len(chars)]
}

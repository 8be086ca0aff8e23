package rst

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// table writes a table. The cells are lines.
func (w *writer) table(caption string, rows [][][]string, heads bool, depth int) {
	if len(rows) == 0 {
		return
	}
	w.b.Start("table")
	w.paragraph("caption", []string{caption})
	for i, row := range rows {
		if w.done() {
			break
		}
		w.b.Start("tr")
		name := "td"
		if heads && i == 0 {
			name = "th"
		}
		for _, cell := range row {
			w.b.Start(name)
			w.short(cell, depth)
			w.b.End()
		}
		w.b.End()
	}
	w.b.End()
}

// maxColumns is the most columns of a table in drawn lines.
const maxColumns = 200

// simple writes the simple table that lines begin with and returns its number of lines, 0 if it is
// none.
func (w *writer) simple(lines []string, depth int) int {
	var starts []int
	for i := range lines[0] {
		if lines[0][i] == '=' && (i == 0 || lines[0][i-1] == ' ') {
			starts = append(starts, i)
		}
	}
	isRule := func(l string) bool { return strings.HasPrefix(l, "==") && strings.Trim(l, "= ") == "" }
	end, rules, head := 0, 1, 0
	for i := 1; i < len(lines); i++ {
		if !isRule(lines[i]) {
			continue
		}
		rules++
		end = i
		if i+1 == len(lines) || lines[i+1] == "" {
			break
		}
		if rules == 2 {
			head = i
		}
	}
	if end == 0 || len(starts) > maxColumns {
		return 0
	}
	var rows [][][]string
	heads := head > 0 && rules > 2
	for i := 1; i < end; i++ {
		line := lines[i]
		if line == "" || isRule(line) || strings.HasPrefix(line, "--") && strings.Trim(line, "- ") == "" {
			continue
		}
		cells := columns(line, starts)
		if len(rows) > 0 && strings.TrimSpace(cells[0]) == "" && !isRule(lines[i-1]) {
			last := rows[len(rows)-1]
			for c := range cells {
				last[c] = append(last[c], cells[c])
			}
			continue
		}
		row := make([][]string, len(cells))
		for c := range cells {
			row[c] = []string{cells[c]}
		}
		rows = append(rows, row)
	}
	w.table(w.caption, rows, heads, depth)
	return end + 1
}

// columns cuts a line at the starts of columns, counted in characters. Text that crosses a start
// remains in the column before.
func columns(line string, starts []int) []string {
	cells := make([]string, len(starts))
	runes := []rune(line)
	from := 0
	for c := range starts {
		to := len(runes)
		if c+1 < len(starts) {
			to = min(starts[c+1], to)
			if to < len(runes) && to > 0 && runes[to-1] != ' ' {
				continue // a cell over several columns
			}
		}
		if from < to {
			cells[c] = strings.TrimRight(string(runes[from:to]), " ")
			from = to
		}
	}
	return cells
}

// grid writes the grid table that lines begin with and returns its number of lines, 0 if it is
// none. Cells over several rows or columns are read where they begin.
func (w *writer) grid(lines []string, depth int) int {
	end := 0
	for end < len(lines) && lines[end] != "" && (lines[end][0] == '+' || lines[end][0] == '|') {
		end++
	}
	if end < 3 {
		return 0
	}
	var edges []int // columns of the corners of all lines
	seen := map[int]bool{}
	for _, l := range lines[:end] {
		if l[0] == '+' && strings.Trim(l, "+-=") == "" {
			for i := range l {
				if l[i] == '+' && !seen[i] {
					seen[i] = true
					edges = append(edges, i)
				}
			}
		}
	}
	if len(edges) < 2 || len(edges) > maxColumns {
		return 0
	}
	slices.Sort(edges)
	n := len(edges) - 1
	var rows [][][]string
	row := make([][]string, n)
	filled, heads := false, false
	flush := func() {
		if filled {
			var cells [][]string
			for _, c := range row {
				if c != nil {
					cells = append(cells, c)
				}
			}
			rows = append(rows, cells)
		}
		row, filled = make([][]string, n), false
	}
	for _, l := range lines[:end] {
		if l[0] == '+' && strings.Trim(l, "+-=") == "" {
			flush()
			heads = heads || strings.Contains(l, "=") && len(rows) == 1
			continue
		}
		runes := []rune(l)
		from := 0
		for c := 1; c <= n; c++ {
			at := edges[c]
			if c < n && at < len(runes) && runes[at] != '|' && runes[at] != '+' {
				continue // a cell over several columns
			}
			text := strings.TrimRight(string(runes[min(edges[from]+1, len(runes)):min(at, len(runes))]), " ")
			if utf8.RuneCountInString(strings.Trim(text, "+-")) > 0 || row[from] != nil || l[0] == '|' {
				row[from] = append(row[from], strings.TrimPrefix(text, " "))
				filled = true
			}
			from = c
		}
	}
	flush()
	w.table(w.caption, rows, heads, depth)
	return end
}

package asciidoc

import (
	"encoding/csv"
	"strconv"
	"strings"

	"chaffinch/internal/lazyregexp"
)

var (
	cellMark = lazyregexp.New(`(?m)(^|[ \t])(?:(\d{1,3})?(?:\.(\d{1,3}))?([+*]))?(?:[<^>](?:\.[<^>])?|\.[<^>])?([adehlmsv])?\|`)
	columns  = lazyregexp.New(`cols="([^"]*)"|cols=([^,\]]*)`)
	repeated = lazyregexp.New(`^\s*(\d{1,2})\*`)
)

// maxCells is the most cells that a table repeats.
const maxCells = 10000

// cell is a cell of a table.
type cell struct {
	text       string
	cols, rows string
	kind       string
}

// table writes a table.
func (w *writer) table(mark string, body []string, s style, depth int) {
	var cells []cell
	first, wanted := 0, columnsOf(s.names)
	switch {
	case mark[0] == ',' || mark[0] == ':' || strings.Contains(s.names, "format=csv") || strings.Contains(s.names, `format="csv"`):
		r := csv.NewReader(strings.NewReader(strings.Join(body, "\n")))
		r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = -1, true, true
		if mark[0] == ':' {
			r.Comma = ':'
		}
		for record, err := r.Read(); err == nil; record, err = r.Read() {
			for _, text := range record {
				cells = append(cells, cell{text: strings.TrimSpace(text)})
			}
			if first == 0 {
				first = len(cells)
			}
		}
	default:
		cells, first = cellsOf(body, mark[0] == '!')
	}
	if wanted == 0 {
		wanted = first
	}
	if wanted == 0 {
		return
	}
	heads := strings.Contains(s.names, "header") || len(body) > 1 && body[0] != "" && body[1] == "" && !strings.Contains(s.names, "noheader") && first == wanted
	w.b.Start("table")
	w.paragraph("caption", s.caption)
	above := make([]int, wanted) // rows that cells above cover, by column
	for row := 0; len(cells) > 0 && !w.done(); row++ {
		w.b.Start("tr")
		for column := 0; column < wanted; {
			if above[column] > 0 {
				above[column]--
				column++
				continue
			}
			if len(cells) == 0 {
				break
			}
			c := cells[0]
			cells = cells[1:]
			name := "td"
			if heads && row == 0 || c.kind == "h" {
				name = "th"
			}
			w.b.Start(name, "colspan", c.cols, "rowspan", c.rows)
			if text := strings.TrimSpace(c.text); c.kind == "a" || strings.Contains(text, "\n\n") {
				w.blocks(strings.Split(text, "\n"), depth+1)
			} else {
				w.inline(w.replace(text))
			}
			w.b.End()
			span, rows := number(c.cols), number(c.rows)
			for ; span > 0 && column < wanted; span-- {
				above[column] = rows - 1
				column++
			}
		}
		w.b.End()
	}
	w.b.End()
}

// number returns the number of columns or rows that a cell covers.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 1
	}
	return n
}

// columnsOf returns the number of columns that attributes state, 0 if they state none.
func columnsOf(names string) (n int) {
	m := columns().FindStringSubmatch(names)
	if m == nil {
		return 0
	}
	for c := range strings.FieldsFuncSeq(m[1]+m[2], func(r rune) bool { return r == ',' || r == ';' }) {
		if r := repeated().FindStringSubmatch(c); r != nil {
			k, _ := strconv.Atoi(r[1])
			n += k
		} else {
			n++
		}
	}
	if bare, err := strconv.Atoi(strings.TrimSpace(m[1] + m[2])); err == nil && bare == 1 {
		return 1
	}
	return min(n, 200)
}

// cellsOf returns the cells of a table and the number of cells in its first line.
func cellsOf(body []string, nested bool) (cells []cell, first int) {
	text := strings.Join(body, "\n")
	if nested {
		text = strings.ReplaceAll(text, "!", "|")
	}
	text = strings.ReplaceAll(text, `\|`, "\x00")
	marks := cellMark().FindAllStringSubmatchIndex(text, -1)
	end := strings.IndexByte(strings.TrimLeft(text, "\n"), '\n') + len(text) - len(strings.TrimLeft(text, "\n"))
	for i, m := range marks {
		to := len(text)
		if i+1 < len(marks) {
			to = marks[i+1][0]
		}
		group := func(k int) string {
			if m[2*k] < 0 {
				return ""
			}
			return text[m[2*k]:m[2*k+1]]
		}
		c := cell{text: strings.ReplaceAll(text[m[1]:to], "\x00", "|"), kind: group(5)}
		times := 1
		if group(4) == "*" {
			times = number(group(2))
		} else {
			c.cols, c.rows = group(2), group(3)
		}
		for ; times > 0 && len(cells) < maxCells+len(marks); times-- {
			cells = append(cells, c)
		}
		if m[0] < end || end <= 0 {
			first = len(cells)
		}
	}
	return cells, first
}

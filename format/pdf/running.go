package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"chaffinch/format/document"
	"chaffinch/internal/truth"
)

// row holds the lines on a baseline of a page.
type row struct {
	lines []*line
	base  float32
	key   string // text without case, spaces and the values of numbers
	num   int    // page number at either end, or -1
}

const (
	edgeRows  = 4 // rows from the upper and lower edge that may repeat
	edgeDrift = 4 // largest distance of repeated rows, in points
)

// running finds running heads, running feet and page numbers: rows near the edges of pages that
// occur at the same height on other pages.
func (c *converter) running() {
	tops, bottoms := make([][]*row, len(c.lines)), make([][]*row, len(c.lines))
	for i, lines := range c.lines {
		rows := rowsOf(lines)
		n := min(edgeRows, (len(rows)+1)/2)
		tops[i] = rows[:n]
		bottoms[i] = slices.Clone(rows[len(rows)-min(edgeRows, len(rows)-n):])
		slices.Reverse(bottoms[i])
	}
	mark(tops, document.PageHeader, false)
	mark(bottoms, document.PageFooter, len(c.pages) == 1)
}

// rowsOf returns the rows of a page from top to bottom.
func rowsOf(lines []*line) []*row {
	sorted := slices.Clone(lines)
	slices.SortStableFunc(sorted, byPosition)
	var out []*row
	for _, l := range sorted {
		if n := len(out); n > 0 && near1(l.base, out[n-1].base, .4*l.size) {
			out[n-1].lines = append(out[n-1].lines, l)
			continue
		}
		out = append(out, &row{lines: []*line{l}, base: l.base})
	}
	for _, r := range out {
		slices.SortStableFunc(r.lines, func(a, b *line) int { return cmp.Compare(a.X0, b.X0) })
	}
	return out
}

// describe sets the key and the number.
func (r *row) describe() {
	var text []string
	for _, l := range r.lines {
		text = append(text, l.text)
	}
	words := strings.Fields(strings.Join(text, " "))
	r.num = -1
	for _, i := range []int{0, len(words) - 1} {
		if i >= 0 && r.num < 0 {
			r.num = pageNumber(words[i])
		}
	}
	var b strings.Builder
	digit := false
	for _, c := range strings.ToLower(strings.Join(words, "")) {
		if unicode.IsDigit(c) {
			if !digit {
				b.WriteByte('0')
			}
			digit = true
			continue
		}
		digit = false
		b.WriteRune(c)
	}
	r.key = b.String()
	if n := romanNumber(r.key); n > 0 {
		r.num, r.key = n, "0"
	}
}

// pageNumber returns the number that a word consists of, or -1.
func pageNumber(word string) int {
	word = strings.TrimFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if word == "" || len(word) > 12 {
		return -1
	}
	n := 0
	for _, r := range word {
		if !unicode.IsDigit(r) {
			return -1
		}
		n = n*10 + digitOf(r)
		if n > 99_999 {
			return -1
		}
	}
	return n
}

// digitOf returns the value of a decimal digit: blocks of ten begin at multiples of 16 or 10.
func digitOf(r rune) int {
	zero := r
	for zero > r-10 && unicode.IsDigit(zero-1) {
		zero--
	}
	return int(r-zero) % 10
}

var romans = map[byte]int{'i': 1, 'v': 5, 'x': 10, 'l': 50, 'c': 100}

// romanNumber returns the value of a Roman number, 0 if it is none.
func romanNumber(s string) int {
	if s == "" || len(s) > 8 {
		return 0
	}
	n := 0
	for i := range len(s) {
		v := romans[s[i]]
		if v == 0 {
			return 0
		}
		if i+1 < len(s) && romans[s[i+1]] > v {
			v = -v
		}
		n += v
	}
	return n
}

// mark gives a role to rows that repeat, from the edge of each page to the first row that does
// not. In a document of one page, a number alone is the page number.
func mark(pages [][]*row, role string, single bool) {
	offsets := map[int]int{} // pages by difference of page number and index
	keys := map[string][]*row{}
	for i, rows := range pages {
		seen := map[int]bool{}
		for _, r := range rows {
			r.describe()
			keys[r.key] = append(keys[r.key], r)
			if r.num >= 0 && !seen[r.num-i] {
				seen[r.num-i] = true
				offsets[r.num-i]++
			}
		}
	}
	needed := 3
	if len(pages) < 6 {
		needed = 2
	}
	for i, rows := range pages {
		for _, r := range rows {
			n := 0
			for _, o := range keys[r.key] {
				n += truth.Int(near1(o.base, r.base, edgeDrift))
			}
			numbered := r.num >= 0 && offsets[r.num-i] >= needed && (r.key == "0" || heightShared(pages, r) >= needed)
			artifact := !slices.ContainsFunc(r.lines, func(l *line) bool { return !l.artifact })
			alone := single && r.num >= 0 && len(r.key) <= 3
			if n < needed && !numbered && !artifact && !alone {
				break
			}
			for _, l := range r.lines {
				l.role = role
			}
		}
	}
}

// heightShared returns the number of pages with a numbered row at the height of r.
func heightShared(pages [][]*row, r *row) int {
	n := 0
	for _, rows := range pages {
		n += truth.Int(slices.ContainsFunc(rows, func(o *row) bool { return o.num >= 0 && near1(o.base, r.base, edgeDrift) }))
	}
	return n
}

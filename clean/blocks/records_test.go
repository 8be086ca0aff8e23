package blocks

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// sheetOf returns the sheet of a page.
func sheetOf(t testing.TB, html string) *sheet {
	s := new(sheet)
	s.read(cut(t, html))
	return s
}

// at returns the block that begins with a text.
func at(t *testing.T, html, text string) int {
	t.Helper()
	for i, b := range cut(t, html).Blocks {
		if strings.HasPrefix(b.Text, text) {
			return i
		}
	}
	t.Fatalf("no block begins with %q", text)
	return 0
}

// cards returns elements with a heading, which is a link or not, a date in some and a text.
func cards(n int, class string, linked bool) string {
	var b strings.Builder
	for i := range n {
		head := "Heading"
		if linked {
			head = "<a href=x>Heading</a>"
		}
		fmt.Fprintf(&b, "<div%s><h4>%s</h4><p>%d March<p>text %d of it</div>", class, head, i+1, i)
	}
	return b.String()
}

// TestRecords: repeating elements are found by their class at any depth and between other
// elements, and by their position if they have no class.
func TestRecords(t *testing.T) {
	long := "<p>" + strings.Repeat("word and word, ", 10) + "at the end."
	nested := `<div class="comment odd"><p>text 0 of it<p>more<div class="comment even"><p>a<p>b<div class="comment-11 x"><p>c<p>d</div></div></div>`
	for _, c := range []struct {
		name, html                             string
		members                                int // of the kind that the block "text 0" stands in
		blocks, heads, dates, place, b4, after float64
	}{
		{"cards", long + cards(6, " class=card", true), 6, 3, 1, 1, 2, 1, 0},
		{"numbered classes", cards(2, ` class="card-1 first"`, true) + cards(2, ` class="card-2"`, false) + long, 4, 3, .5, 1, 2, 0, 1},
		{"no classes", `<div id=a>` + long + `</div><div><div><div>` + cards(3, "", false) + `</div></div></div>`, 3, 3, 0, 1, 2, 1, 0},
		{"too few", cards(2, " class=card", true), 0, -1, -1, -1, -1, -1, -1},
		{"one block each", `<ul><li class=x>text 0<li class=x>text 1<li class=x>text 2</ul>`, 0, -1, -1, -1, -1, -1, -1},
		{"comments in comments", nested, 0, -1, -1, -1, -1, -1, -1},
		{"comments in comments of a name", strings.ReplaceAll(nested, "-11", ""), 3, 4, 0, 1, 0, 0, 0},
	} {
		s, i := sheetOf(t, c.html), at(t, c.html, "text 0")
		got := math.Round(math.Expm1(float64(s.col(colRecords)[i])))
		if got != float64(c.members) {
			t.Errorf("%s: %v records, want %d", c.name, got, c.members)
			continue
		}
		for _, w := range []struct {
			of   column
			want float64
		}{{colRecordBlocks, c.blocks}, {colRecordHeads, c.heads}, {colRecordDates, c.dates}, {colRecordPlace, c.place}, {colRecordBefore, c.b4}, {colRecordAfter, c.after}} {
			if v := s.col(w.of)[i]; math.Abs(float64(v)-w.want) > 1e-6 {
				t.Errorf("%s: %s is %v, want %v", c.name, columnNames[w.of], v, w.want)
			}
		}
	}
}

// TestRecordIndex: the records of a kind are counted from 0 on, and their blocks within them.
func TestRecordIndex(t *testing.T) {
	s := sheetOf(t, cards(4, " class=card", true))
	for i := range s.n {
		index, place := math.Round(math.Expm1(float64(s.col(colRecordIndex)[i]))), s.col(colRecordPlace)[i]
		if index != float64(i/3) || place != float32(i%3) {
			t.Errorf("block %d: record %v, place %v; want %d, %d", i, index, place, i/3, i%3)
		}
	}
}

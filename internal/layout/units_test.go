package layout_test

import (
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// wholesOf writes the wholes of a page: its texts, those of a whole in brackets.
func wholesOf(t *testing.T, html string) string {
	p := pageOf(t, html)
	var w layout.Units
	w.Find(p)
	var out strings.Builder
	in := int32(0)
	for i := range p.Blocks {
		if of := w.Of[i]; of != in {
			if in > 0 {
				out.WriteString("]")
			}
			if in = of; in > 0 {
				out.WriteString([]string{layout.ListUnit: " list[", layout.TableUnit: " table["}[w.Kinds[in]])
			}
		}
		out.WriteString(" " + p.Blocks[i].Text)
	}
	if in > 0 {
		out.WriteString("]")
	}
	return strings.ReplaceAll(strings.TrimSpace(out.String()), "[ ", "[")
}

func TestWholes(t *testing.T) {
	const row = `<tr><td>a<td>b`
	for _, c := range []struct{ name, html, want string }{
		{"data table", `<p>x<table>` + row + row + `</table>y`, "x table[a b a b] y"},
		{"table that places", `<table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>`, "a b c d"},
		{"list", `<ul><li>a<li>b</ul>c`, "list[a b] c"},
		{"list of cards", `<ul><li><p>a<p>b<li><p>c<p>d</ul>`, "a b c d"},
		{"a row that only leads on", `<table>` + row + row + `<tr><td><a href=/all>Show all</a></table>`, "table[a b a b] Show all"},
		{"one before the table", `<table><tr><td colspan=2><a href=/buy>Order</a>` + row + row + `</table>`, "Order table[a b a b]"},
		{"one in the middle", `<table>` + row + `<tr><td><a href=/x>x</a>` + row + `</table>`, "table[a b x a b]"},
		{"a last row of text", `<table>` + row + row + `<tr><td>Source: us</table>`, "table[a b a b Source: us]"},
		{"a last row of links", `<table>` + row + row + `<tr><td><a href=/a>a</a><td><a href=/b>b</a></table>`, "table[a b a b a b]"},
		{"a header row that repeats", `<table><tr><th>n<th>p` + row + row + `<tr><th>n<th>p` + row + `<tr><th>n<th>p` + row + `</table>`, "table[n p a b a b n p a b n p a b]"},
		{"one whose names sort the table", `<table><tr><th><a href=?n>n</a><th><a href=?p>p</a>` + row + `<tr><th><a href=?n>n</a><th><a href=?p>p</a>` + row + `</table>`, "table[n p a b n p a b]"},
		{"a header row that stands last too", `<table><tr><th>n<th>p` + row + row + `<tr><th>n<th>p</table>`, "table[n p a b a b n p]"},
		{"two tables", `<table>` + row + row + `</table><table>` + row + row + `</table>`, "table[a b a b] table[a b a b]"},
	} {
		must.Equal(t, wholesOf(t, c.html), c.want, c.name)
	}
}

// TestNoSuchElement: blocks of a page that somebody made name elements that it
// lacks. They stand in none.
func TestNoSuchElement(t *testing.T) {
	p := &page.Page{
		Elements: []page.Element{{Name: "table", Parent: -1, Data: true}},
		Blocks:   []page.Block{{Text: "a", Element: 7}, {Text: "b", Element: 0}, {Text: "c", Element: -1}},
	}
	for i := range p.Blocks {
		p.Blocks[i].Label = page.Good
	}
	new(layout.Tables).Find(p)
	var w layout.Units
	w.Find(p)
	if w.Of[0] != 0 || w.Of[2] != 0 {
		t.Errorf("wholes %v", w.Of)
	}
	if got := show(p, layout.Build(p, layout.Config{})); !strings.Contains(got, "a") || !strings.Contains(got, "b") || !strings.Contains(got, "c") {
		t.Errorf("layout %s", got)
	}
}

// TestStyledTables: other elements are tables where their role or class says so.
func TestStyledTables(t *testing.T) {
	for _, c := range []struct{ name, table, row, cell, want string }{
		{"roles", "role=table", "role=row", "role=cell", "table[row[cell 0[a] cell 1[b]] row[cell 0[c] cell 1[d]]]"},
		{"headers", "role=grid", "role=row", "role=columnheader", "table[header row[header cell 0[a] header cell 1[b]] header row[header cell 0[c] header cell 1[d]]]"},
		{"Bootstrap", `class="d-table w-100"`, "class=d-table-row", "class=d-table-cell", "table[row[cell 0[a] cell 1[b]] row[cell 0[c] cell 1[d]]]"},
		{"Tailwind", "class=table", "class=table-row", `class="table-cell p-2"`, "table[row[cell 0[a] cell 1[b]] row[cell 0[c] cell 1[d]]]"},
		{"cells without a table", "class=tables", "role=row", "role=cell", "a b c d"},
		{"a frame around blocks", "class=table", "class=line", "class=field", "a b c d"},
	} {
		row := func(a, b string) string {
			return fmt.Sprintf("<div %s><div %[2]s>%[3]s</div><div %[2]s>%[4]s</div></div>", c.row, c.cell, a, b)
		}
		p := pageOf(t, "<div "+c.table+">"+row("a", "b")+row("c", "d")+"</div>")
		must.Equal(t, show(p, layout.Build(p, layout.Config{})), c.want, c.name)
		if got, want := p.Blocks[3].Row == 2 && p.Blocks[3].Column == 1, strings.Contains(c.want, "table"); got != want {
			t.Errorf("%s: row %d, column %d", c.name, p.Blocks[3].Row, p.Blocks[3].Column)
		}
	}
	// Within a table element nothing is a cell but its cells.
	p := pageOf(t, `<table><tr><td><div class="table-cell">a</div><td>b<tr><td>c<td><div role=table>d</div></table>`)
	must.Equal(t, show(p, layout.Build(p, layout.Config{})), "table[row[cell 0[a] cell 1[b]] row[cell 0[c] cell 1[d]]]", "in a table")
	if got := p.Blocks[3].Kind; got != page.Cell {
		t.Errorf("the last cell is a %v", got)
	}
}

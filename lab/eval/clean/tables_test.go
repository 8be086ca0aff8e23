package clean

import (
	"context"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func TestTablesFile(t *testing.T) {
	tables := must.Get(parseTables(tablesFile))(t)
	halves := map[string]int{}
	for key := range tables {
		halves[tableHalf(key)]++
	}
	if len(tables) < 60 || halves["develop"] < len(tables)/3 || halves["report"] < len(tables)/3 {
		t.Errorf("%d pages, %v: want at least 60, about half of them in each part", len(tables), halves)
	}
	for _, bad := range []string{"s\tp\t1\t2\tdata\tkeep", "s\tp\tx\t2\tdata\tkeep\t-", "s\tp\t1\t2\tgrid\tkeep\t-", "s\tp\t1\t2\tdata\tstay\t-", "s\tp\t1\t2\tdata\tkeep\t3"} {
		must.Fail(t, must.Err(parseTables("set\n"+bad)), "line 2")
	}
}

func TestMeasureTables(t *testing.T) {
	const html = `<p>x<table><tr><th>a<th>b<tr><td>c<td>d<tr><td>more</table><table><tr><td>e<td>f<tr><td>g<td>h</table>`
	e := must.Get(extract.New(extract.Default))(t)
	old := goldTables
	defer func() { goldTables = old }()
	goldTables = func() map[string][]goldTable {
		return map[string][]goldTable{"s/p": {
			{start: 4, rows: 3, data: true, keep: true, except: []int{3}},
			{start: strings.LastIndex(html, "<table"), rows: 2, keep: false},
			{start: 9999, rows: 2, data: true, keep: true},
		}}
	}
	for _, c := range []struct {
		kept               string
		rows, whole, kinds float64
	}{
		{"a b c d", 2. / 3, 2. / 3, 1. / 3},
		{"a b c", (2./3 + 1) / 3, 1. / 3, 1. / 3},
		{"a b c d more e", (2./3 + .5) / 3, 0, 1. / 3},
	} {
		p := &page.Page{HTML: html, MIME: "text/html"}
		must.Succeed(t, e.Do(context.Background(), p))
		for i := range p.Blocks {
			p.Blocks[i].Label = page.Bad
			if strings.Contains(" "+c.kept+" ", " "+p.Blocks[i].Text+" ") {
				p.Blocks[i].Label = page.Good
			}
		}
		s := &Score{Tables: measureTables("s", "p", FromPage(p).Tables)}
		for name, want := range map[string]float64{"tb_rows": c.rows, "tb_whole": c.whole, "tb_kind": c.kinds} {
			m, _ := Lookup(name)
			if got := m.Overall([]*Score{s, newScore("other")}); got < want-1e-9 || got > want+1e-9 {
				t.Errorf("kept %s: %s is %v, want %v", c.kept, name, got, want)
			}
		}
	}
}

package clean

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chaffinch/page"
)

// tableField is the field of pages with gold tables that divides them into halves: one for
// developing rules, one for reporting.
const tableField = "tables"

// tableHalf returns the half of a page.
func tableHalf(key string) string {
	h := fnv.New32a()
	io.WriteString(h, key)
	return [...]string{"develop", "report"}[h.Sum32()>>7%2]
}

// tablesFile lists tables on pages of the sets with the decision for each. lab/results/clean.md
// describes the guideline and the annotation.
//
//go:embed tables.tsv
var tablesFile string

// goldTable is the gold decision for a table.
type goldTable struct {
	start int // offset in bytes of its start tag in the decoded page
	rows  int // with text
	data  bool
	keep  bool
	// except lists the rows, from 1, with the opposite decision.
	except []int
}

// goldTables holds the tables of tables.tsv by set and page.
var goldTables = sync.OnceValue(func() map[string][]goldTable {
	out, err := parseTables(tablesFile)
	if err != nil {
		panic("tables.tsv: " + err.Error()) // a test reads it
	}
	return out
})

// parseTables parses rows of set, page, start, rows, kind (data, layout), decision (keep, drop) and
// excepted rows (- for none), after a header.
func parseTables(file string) (map[string][]goldTable, error) {
	out := map[string][]goldTable{}
	for n, line := range strings.Split(strings.TrimSpace(file), "\n") {
		f := strings.Split(line, "\t")
		if n == 0 {
			continue
		}
		if len(f) != 7 {
			return nil, fmt.Errorf("line %d: %d fields, wanted 7", n+1, len(f))
		}
		t := goldTable{data: f[4] == "data", keep: f[5] == "keep"}
		var err [2]error
		t.start, err[0] = strconv.Atoi(f[2])
		t.rows, err[1] = strconv.Atoi(f[3])
		if err[0] != nil || err[1] != nil || !t.data && f[4] != "layout" || !t.keep && f[5] != "drop" {
			return nil, fmt.Errorf("line %d: %q, wanted set, page, start, rows, data or layout, keep or drop, excepted rows or -", n+1, line)
		}
		for _, x := range strings.Fields(strings.TrimPrefix(f[6], "-")) {
			row, err := strconv.Atoi(x)
			if err != nil || row < 1 || row > t.rows {
				return nil, fmt.Errorf("line %d: excepted row %q, wanted 1 to %d", n+1, x, t.rows)
			}
			t.except = append(t.except, row)
		}
		key := f[0] + "/" + f[1]
		out[key] = append(out[key], t)
	}
	return out, nil
}

// Table is the decision of a system for a table of a page.
type Table struct {
	// Start is the offset in bytes of its start tag in the decoded page.
	Start int
	// Data is set if the system classifies it as a data table.
	Data bool
	// Rows holds the rows with text.
	Rows []TableRow
}

// TableRow records whether all blocks of a row are kept, and whether any is.
type TableRow struct {
	element  int32
	All, Any bool
}

// tablesOf returns the kept rows of the tables of p. A nested table is separate and not part of the
// row around it.
func tablesOf(p *page.Page) (out []Table) {
	if len(p.Elements) == 0 { // plain text
		return nil
	}
	at := map[int32]int{}
	for i := range p.Blocks {
		b := &p.Blocks[i]
		row, e := int32(-1), b.Element
		for ; e >= 0 && p.Elements[e].Name != "table"; e = p.Elements[e].Parent {
			if p.Elements[e].Name == "tr" {
				row = e
			}
		}
		if e < 0 || b.Hidden {
			continue
		}
		n, known := at[e]
		if !known {
			n = len(out)
			at[e] = n
			out = append(out, Table{Start: int(p.Elements[e].Start), Data: p.Elements[e].Data})
		}
		t := &out[n]
		if k := len(t.Rows); k == 0 || t.Rows[k-1].element != row {
			t.Rows = append(t.Rows, TableRow{element: row, All: true})
		}
		r := &t.Rows[len(t.Rows)-1]
		kept := b.Kept() != ""
		r.All, r.Any = r.All && kept, r.Any || kept
	}
	return out
}

// tableScore counts over the tables of a page: gold tables, tables with all rows right, tables with
// the right kind, and the sum of their fractions of right rows.
type tableScore struct {
	tables, whole, kind int
	rows                float64
}

// measureTables scores the tables of a page of set.
func measureTables(set, id string, made []Table) (s tableScore) {
	for _, want := range goldTables()[set+"/"+id] {
		s.tables++
		i := slices.IndexFunc(made, func(t Table) bool { return t.Start == want.start })
		if i < 0 {
			continue // none of its text was found
		}
		t := made[i]
		right := 0
		for k, r := range t.Rows {
			keep := want.keep != slices.Contains(want.except, k+1)
			if keep && r.All || !keep && !r.Any {
				right++
			}
		}
		s.rows += float64(right) / float64(max(want.rows, len(t.Rows)))
		if right == want.rows && right == len(t.Rows) {
			s.whole++
		}
		if t.Data == want.data {
			s.kind++
		}
	}
	return s
}

// tableMetric returns a metric that is a mean over tables.
func tableMetric(name, title, help string, of func(*tableScore) float64) Metric {
	overall := func(ss []*Score) float64 {
		sum, n := 0., 0
		for _, s := range ss {
			sum += of(&s.Tables)
			n += s.Tables.tables
		}
		if n == 0 {
			return math.NaN()
		}
		return sum / float64(n)
	}
	return Metric{name, title, help, overall, func(s *Score) float64 { return overall([]*Score{s}) }, true}
}

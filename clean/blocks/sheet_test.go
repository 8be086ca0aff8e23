package blocks

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestWanted wants a column to be independent of the other wanted columns.
func TestWanted(t *testing.T) {
	m := trained(t)
	l := m.linears
	files, err := filepath.Glob(filepath.Join("testdata", "pages", "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var all, some sheet
	for _, name := range files {
		html := must.Read(t, name)
		for _, sites := range []int{0, 4} {
			p := cut(t, string(html))
			p.SitePages = sites
			all.read(p)
			all.linearColumns(m.pages, l)
			wanted := [columns]bool{colAttr: true, colLexical: true} // of which others are means
			for c := range wanted {
				wanted[c] = wanted[c] || rng.IntN(4) == 0
			}
			some = sheet{wanted: &wanted}
			some.read(p)
			some.linearColumns(m.pages, l)
			for c, yes := range wanted {
				if !yes || column(c) == colPolicy { // which labelling sets
					continue
				}
				for i, v := range all.col(column(c)) {
					w := some.col(column(c))[i]
					if some.same[c] {
						w = some.col(column(c))[0]
					}
					if math.Float32bits(v) != math.Float32bits(w) {
						t.Fatalf("%s, block %d: column %s is %v among others, %v among all", name, i, columnNames[c], w, v)
					}
				}
			}
		}
	}
}

package roles

import (
	"bytes"
	"encoding/csv"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
)

// TestTables: the gold annotations of the repository are whole, each second
// reading is of pages that have a first, and every further page has a place that
// it is from.
func TestTables(t *testing.T) {
	for first, second := range map[string]string{"dev.tsv": "second.tsv", "extra.tsv": "extra-second.tsv"} {
		hash := map[string]string{}
		for _, path := range []string{first, second} {
			pages := must.Get(gold.ReadRolePages(path))(t)
			for _, p := range pages {
				if len(p.Spans) == 0 {
					t.Errorf("%s: page %s has no span", path, p.Key())
				}
				if path == first {
					hash[p.Key()] = p.SHA256
				} else if hash[p.Key()] != p.SHA256 {
					t.Errorf("%s: page %s is not in %s with the same hash", path, p.Key(), first)
				}
			}
		}
	}
	for _, name := range []string{"extra", "unseen"} {
		origins(t, name)
	}
}

// origins checks that each page of a table has a line of its origin, and no other.
func origins(t *testing.T, name string) {
	b := must.Read(t, name+"-pages.tsv")
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma, r.LazyQuotes = '\t', true
	rows := must.Get(r.ReadAll())(t)
	from := map[string]string{}
	for _, row := range rows[1:] {
		from[name+"/"+row[0]] = gold.RoleHash(row[len(row)-1])
	}
	pages := must.Get(gold.ReadRolePages(name + ".tsv"))(t)
	for _, p := range pages {
		if from[p.Key()] != p.SHA256 {
			t.Errorf("%s-pages.tsv: page %s with hash %s: found %q", name, p.Key(), p.SHA256, from[p.Key()])
		}
	}
	if len(from) != len(pages) {
		t.Errorf("%s-pages.tsv has %d pages, %[1]s.tsv %d", name, len(from), len(pages))
	}
}

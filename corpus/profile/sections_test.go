package profile

import "testing"

// TestNoValue: a document without the attribute of a division has the value (none).
func TestNoValue(t *testing.T) {
	p := Profile{Site: &Division{By: "doc.author", Rows: []Part{{Value: "", Tokens: 10, Hits: 2}}}}
	for _, s := range p.Sections() {
		if s.Title != "By source: doc.author" || s.Rows[0][0] != "(none)" {
			t.Errorf("%q: %v", s.Title, s.Rows)
		}
	}
}

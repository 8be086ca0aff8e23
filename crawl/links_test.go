package crawl

import (
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// TestCanonical wants the URL that a page says is its own as the last one to fetch, if it
// is another of the same registered domain.
func TestCanonical(t *testing.T) {
	u := must.Get(weburl.Parse("https://www.a.example/x?print=1", nil))(t)
	for _, c := range []struct{ head, canonical string }{
		{"<link rel=canonical href='/x'>", "https://www.a.example/x"},
		{"<link rel='Canonical foo' href='https://a.example/y#z'>", "https://a.example/y"},
		{"<link rel=canonical href='/x?print=1&utm_source=y'>", ""},
		{"<link rel=canonical href='https://b.example/x'>", ""},
		{"<link rel=canonical href='mailto:a'>", ""},
		{"<link rel=alternate href='/feed'>", ""},
	} {
		p := &page.Page{}
		p.Links, p.Base = extract.Links("<html><head>" + c.head + "</head><body><a href=/x>whole page</a></body></html>")
		list, canonical := links(p, u, nil)
		if canonical != c.canonical {
			t.Errorf("%s: %q, want %q", c.head, canonical, c.canonical)
		}
		promises := map[string]float32{}
		for _, l := range list {
			promises[l.Origin+l.Path] = l.Promise
		}
		if c.canonical != "" && promises[c.canonical] != canonicalPromise {
			t.Errorf("%s: promises %v", c.head, promises)
		}
		if _, ok := promises["https://b.example/x"]; ok || promises["https://www.a.example/x"] == 0 {
			t.Errorf("%s: links %v", c.head, promises)
		}
	}
}

package extract

import (
	"math/rand/v2"
	"net/url"
	"testing"
)

// TestAbsolute compares addresses with those that package url resolves.
func TestAbsolute(t *testing.T) {
	s := newScan()
	s.inlines.pageURL = "http://example.org/a/"
	if got := s.absolute(" b\r\n\tc d\n"); got != "http://example.org/a/bc%20d" {
		t.Errorf("address with line ends: %s", got)
	}
	pieces := []string{"a", "b.html", "index", "/", "/", "//", "//", "./", ".", "..", "?", "x=1", "&", "-", "_", "~", "!", "(", "1", "+", ";", "é", "@", "%20", "%2e", "%C3", "%7e", "%"}
	rng := rand.New(rand.NewPCG(9, 10))
	for _, base := range []string{"http://example.org", "https://example.org/", "http://example.org/a/b.html?q#f", "http://me@example.org:81/a/../b/c", "https://example.org/a//b/", "https://example.org/%C3%A9/x", "http://example.org/a!b/c,d"} {
		b, _ := url.Parse(base)
		s := newScan()
		s.inlines.pageURL = base
		for range 5000 {
			ref := ""
			for range 1 + rng.IntN(6) {
				ref += pieces[rng.IntN(len(pieces))]
			}
			u, err := url.Parse(ref)
			if err != nil {
				continue
			}
			if got, want := s.absolute(ref), b.ResolveReference(u).String(); got != want {
				t.Fatalf("%q in %s: %s, want %s", ref, base, got, want)
			}
		}
	}
}

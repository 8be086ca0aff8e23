package blocks

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"chaffinch/page"
)

// twins returns a page of two similar paragraphs. The other pages of the site have the second
// one too, or the first one. It also returns its text.
func twins(t testing.TB, rng *rand.Rand) (p *page.Page, text string) {
	t.Helper()
	words := func() string {
		s := "It"
		for range 15 {
			s += fmt.Sprintf(" w%c%c", 'a'+rng.IntN(26), 'a'+rng.IntN(26))
		}
		return s + "."
	}
	p = cut(t, fmt.Sprintf("<p>%s<p>%s", words(), words()))
	p.SitePages = 3
	frame := rng.IntN(2)
	for i := range p.Blocks {
		p.Blocks[i].Repeats.Path = 3
	}
	p.Blocks[frame].Repeats = page.Repeats{Text: 3, Path: 3, Both: 3}
	return p, p.Blocks[1-frame].Text
}

// TestCopies: of a page that another one holds nearly whole, nothing is known.
func TestCopies(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	p, _ := twins(t, rng)
	var s sheet
	if s.read(p); s.col(colSitePages)[0] == noSite {
		t.Error("a page with a text of its own is taken for a copy")
	}
	for i := range p.Blocks {
		p.Blocks[i].Repeats.Text = 1
	}
	s.read(p)
	for c := colSitePages; c <= colSitePageNew; c++ {
		if v := s.col(c); v[0] != noSite || v[1] != noSite {
			t.Errorf("column %s of a copy: %v, wanted %v", columnNames[c], v, noSite)
		}
	}
}

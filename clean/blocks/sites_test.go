package blocks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"chaffinch/page"
)

// twins returns a page of two paragraphs that nothing tells apart but that the
// other pages of the site have the second one too, or the first one, and its text.
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

// TestSites: what stands on the other pages of a site is seen, and only there.
func TestSites(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var examples []*Example
	for i := range 160 {
		p, text := twins(t, rng)
		g := Gold{Text: text, Policy: Article, Site: fmt.Sprint("site", i)}
		for k := range p.Blocks {
			role := page.RoleNotice
			if p.Blocks[k].Text == text {
				role = page.RoleBody
			}
			g.Roles = append(g.Roles, role)
		}
		x, err := NewExample(p, g)
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, x)
	}
	known := 0
	for _, x := range examples {
		if x.sheet.col(colSitePages)[0] != noSite {
			known++
		}
	}
	if known < 60 || known > 100 {
		t.Errorf("the site of %d of %d examples is known, wanted about half", known, len(examples))
	}
	m, err := Train(context.Background(), small(), examples, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewWith(m, Config{Keep: Article})
	if err != nil {
		t.Fatal(err)
	}
	right := map[int]int{} // by number of other pages
	for range 40 {
		p, text := twins(t, rng)
		for _, p.SitePages = range []int{3, 0} {
			v, err := l.Label(context.Background(), p)
			if err != nil {
				t.Fatal(err)
			}
			likelier := 0
			if v[1].Score > v[0].Score {
				likelier = 1
			}
			if p.Blocks[likelier].Text == text {
				right[p.SitePages]++
			}
		}
	}
	if right[3] < 36 || right[0] > 32 {
		t.Errorf("the page's own text is the likelier one on %d of 40 pages, and on %d without the site: wanted nearly all, and no more than chance has", right[3], right[0])
	}
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

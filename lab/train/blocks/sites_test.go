package blocks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"chaffinch/clean/blocks"
	"chaffinch/internal/testkit/must"
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
		g := Gold{Text: text, Policy: blocks.Article, Site: fmt.Sprint("site", i)}
		for k := range p.Blocks {
			role := page.RoleNotice
			if p.Blocks[k].Text == text {
				role = page.RoleBody
			}
			g.Roles = append(g.Roles, role)
		}
		x := must.Get(NewExample(p, g))(t)
		examples = append(examples, x)
	}
	known := 0
	for _, x := range examples {
		if x.sheet.Column(slices.Index(blocks.Columns(), "site-pages"))[0] >= 0 {
			known++
		}
	}
	if known < 60 || known > 100 {
		t.Errorf("the site of %d of %d examples is known, wanted about half", known, len(examples))
	}
	m := must.Get(Train(context.Background(), small(), examples, nil))(t)
	l := must.Get(blocks.NewWith(m, blocks.Config{Keep: blocks.Article}))(t)
	right := map[int]int{} // by number of other pages
	for range 40 {
		p, text := twins(t, rng)
		for _, p.SitePages = range []int{3, 0} {
			v := must.Get(l.Label(context.Background(), p))(t)
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

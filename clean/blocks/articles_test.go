package blocks

import (
	"strings"
	"testing"

	"chaffinch/page"
)

// settled returns the most probable role of the blocks that hold a text once
// the articles are settled, where all were taken for body.
func settled(t *testing.T, html, text string, want page.Roles, one bool) (roles []page.Role, keep []float32) {
	t.Helper()
	p, s := allBody(t, html)
	s.settleArticles(want, one)
	for i := range p.Blocks {
		if strings.Contains(p.Blocks[i].Text, text) {
			roles = append(roles, s.role(i, all))
			keep = append(keep, s.keep[i])
		}
	}
	return roles, keep
}

// TestFurtherArticles: one who reads for an article gets the one that the page
// names; another reader, or one of a page that names none, gets all of them.
func TestFurtherArticles(t *testing.T) {
	long := "<p>" + strings.Repeat("The mill stands by the water, and nobody has seen the miller since the winter. ", 6)
	boat := "<article><h1>The boat is found</h1>" + long + "</article>"
	bread := "<article><h1>Bread goes up</h1>" + long + "</article>"
	const named, front = "<title>The boat is found - Gazette</title>", "<title>Gazette</title>"
	for _, c := range []struct {
		name, html string
		one        bool
		want       string
	}{
		{"scrolled on", named + boat + bread, true, "body related"},
		{"all are wanted", named + boat + bread, false, "body body"},
		{"front page", front + boat + bread, true, "body body"},
		{"before the own one", named + bread + boat, true, "body body"},
		{"a part without a heading", named + boat + "<article>" + long + "</article>", true, "body body"},
		{"the own one is a headline", named + "<article><h1>The boat is found</h1><p>in the morning, by a fisherman of the other village, who had lost his own</article>" + bread, true, "body"},
		{"inside the own one", named + "<article><h1>The boat is found</h1>" + long + bread + "</article>", true, "body body"},
		{"comments in the footer", named + "<article><h1>The boat is found</h1>" + long + "<footer>Two replies<article>" + long + "</article></footer></article>", true, "body comment"},
		{"replies to them", named + "<article>" + long + "<footer><article>" + long + "<article>" + long + "</article></article></footer></article>", false, "body comment comment"},
		{"footer of the page", named + "<article>" + long + "</article><footer><article>" + long + "</article></footer>", true, "body body"},
		{"footer of an inner article", named + "<article>" + long + "<article>" + long + "<footer>" + long + "</footer></article></article>", true, "body body body"},
	} {
		roles, keep := settled(t, c.html, "The mill stands", generals[Article], c.one)
		var names []string
		for i, r := range roles {
			names = append(names, r.String())
			if wanted := generals[Article].Has(r); wanted != (keep[i] == 1) || !wanted && keep[i] != 0 {
				t.Errorf("%s: %s is wanted with probability %v", c.name, r, keep[i])
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %s, wanted %s", c.name, got, c.want)
		}
	}
}

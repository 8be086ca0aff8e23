package blocks

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestOddPages: pages written for this test, of kinds that a labeller easily gets
// wrong as a whole, and what the embedded model must keep and leave out of them.
// "kept" and "dropped" are parts of blocks.
func TestOddPages(t *testing.T) {
	policies := []string{Text, Main, Article}
	for _, c := range []struct {
		file     string
		policies []string
		kept     []string
		dropped  []string
	}{
		// Dialogue looks like short posts of several people.
		{"novel.html", policies, []string{"Chapter 1", "Chapter 8", "“", "said", "asked", "cried"}, []string{"All books"}},
		// In HTML an article in the footer of another is a comment on it.
		{"footer.html", []string{Main, Article}, []string{"sow early", "the hole", "patience", "Rust has been"}, []string{"38 comments", "swears by it", "See you at the show", "© 2021"}},
		{"footer.html", []string{Text}, []string{"sow early", "Rust has been", "swears by it", "See you at the show"}, []string{"© 2021"}},
		{"teasers.html", []string{Article}, []string{"keep the swimming pool", "Eleven members", "640 members"}, []string{"School choir", "rye bread", "sewing machines", "All rights"}},
		{"encyclopedia.html", policies, []string{"wading bird", "heronries", "31,170", "10,300", "swallowed whole", "Oxford University Press", "Bird Study"}, []string{"Random article", "Privacy policy"}},
		{"residue.html", policies, []string{"crossed the sound", "learned the currents", "clear mornings", "nobody spoke against it"}, []string{"[vc_row", "{{ article", "<div", "{ color", "dataLayer", "© 2026"}},
		{"about-code.html", []string{Text, Main}, []string{"the only way to centre", "The declaration", "justify-content", "The <div> element"}, []string{"© 2026"}},
		{"mathematics.html", policies, []string{"s_{n}", "1-q^{n+1}", `\(1-q\)`, "s = 1/(1 − q).", "converges if and only if", "Theorem 1", "∎"}, []string{"Department", "Previous"}},
	} {
		html := must.Read(t, filepath.Join("testdata", "pages", c.file))
		for _, policy := range c.policies {
			l := must.Get(New(Config{Keep: policy}))(t)
			p := cut(t, string(html))
			verdicts := must.Get(l.Label(context.Background(), p))(t)
			check := func(part string, good bool) {
				found := false
				for i, v := range verdicts {
					if strings.Contains(p.Blocks[i].Text, part) {
						found = true
						if (v.Label == page.Good) != good {
							t.Errorf("%s, %s: %v %q", c.file, policy, v.Label, p.Blocks[i].Text)
						}
					}
				}
				if !found {
					t.Errorf("%s: no block with %q", c.file, part)
				}
			}
			for _, part := range c.kept {
				check(part, true)
			}
			for _, part := range c.dropped {
				check(part, false)
			}
		}
	}
}

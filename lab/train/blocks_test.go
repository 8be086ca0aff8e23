package train

import (
	"testing"

	"chaffinch/internal/testkit/must"

	"chaffinch/clean/blocks"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// TestBlockGolds: an article with comments is lent to the policies that keep posts.
func TestBlockGolds(t *testing.T) {
	g := gold.Page{Text: "The mill stands by the water.", Comments: "Nobody has seen the miller.", Commented: true}
	var policies []string
	for _, x := range BlockGolds(&gold.Item{Set: &gold.Set{Policy: gold.Article}, Page: new(page.Page), Gold: &g}) {
		policies = append(policies, x.Policy)
		if want := x.Policy != blocks.Article; x.Lent != want {
			t.Errorf("%s: lent %v, wanted %v", x.Policy, x.Lent, want)
		}
	}
	must.Same(t, policies, []string{blocks.Article, blocks.Text, blocks.Main}, "policies")
}

package corpus

import (
	"fmt"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// TestListView writes lists as pages: hostile words are no markup, figures outside a logarithmic
// scale have a place, and nothing is wider than a telephone.
func TestListView(t *testing.T) {
	testkit.Slow(t)
	const evil = `<script>document.body.dataset.ran=1</script>"'&`
	scores := make([]float64, len(Measures))
	coll := &Collocations{Tokens: 1e6, Hits: 50, Types: 60}
	for i := range 60 {
		own := append([]float64(nil), scores...)
		own[0] = float64(60 - i)
		coll.Rows = append(coll.Rows, Collocate{fmt.Sprint(evil, i), int64(60 - i), int64(1 + i*i), own})
	}
	one := &Collocations{Rows: []Collocate{{"word", 3, 5, scores}}}
	keys := &Keywords{Rows: []Keyword{
		{Word: evil, Freq: 9, PerMillion: 9, RefPerMillion: 0, Scores: make([]float64, len(KeynessMeasures))},
		{Word: "both", Freq: 2, RefFreq: 2, PerMillion: 2, RefPerMillion: 3, Scores: make([]float64, len(KeynessMeasures))},
	}}
	lists := map[string]ListView{
		"collocations": {Kind: "collocations", Title: evil, About: evil, Head: []string{"word", "hits"}, Rows: [][]any{{evil, int64(1234)}, {"b", nil}}, Bar: 1, Pictures: coll.Pictures(evil)},
		"one":          {Kind: "collocations", Title: "one", Head: []string{"word", "hits"}, Rows: [][]any{{"word", 0.5}}, Bar: 1, Pictures: one.Pictures("query")},
		"keywords":     {Kind: "keywords", Title: strings.Repeat("x", 300), Head: []string{evil, "score"}, Rows: [][]any{{strings.Repeat("y", 300), -2.5}}, Bar: 1, Pictures: keys.Pictures()},
		"none":         {Kind: "words", Title: "none", Head: []string{"word", "freq"}, Bar: 1, Pictures: append((&Collocations{}).Pictures("q"), (&Keywords{}).Pictures()...)},
	}
	for name, v := range lists {
		var b strings.Builder
		must.Succeed(t, v.WriteHTML(&b))
		page := b.String()
		if strings.Count(page, "<script") != 1 || strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
			t.Errorf("%s: a script of a word, or no number:\n%s", name, page)
		}
		if name == "collocations" && (strings.Count(page, `class="node"`) != graphNodes || strings.Count(page, `class="dot"`) != 60 || !strings.Contains(page, "1,234")) {
			t.Errorf("%s: %d nodes, %d dots", name, strings.Count(page, `class="node"`), strings.Count(page, `class="dot"`))
		}
		if name == "keywords" && strings.Count(page, `class="dot"`) != 2 {
			t.Errorf("%s: %d dots", name, strings.Count(page, `class="dot"`))
		}
	}
	for _, name := range []string{"collocations", "keywords"} {
		v := lists[name]
		var b strings.Builder
		must.Succeed(t, v.WriteHTML(&b))
		if ran := testkit.BodyData(testkit.Browse(t, b.String(), "", 360), "ran"); ran != "" {
			t.Errorf("%s: ran %q", name, ran)
		}
	}
}

package corpus

import (
	"math"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestKeywordsAgainst compares 10 words with a list: case, typographic apostrophes and the full stop
// of an abbreviation are ignored, a compound counts as its rarest part and an unlisted word as the
// rarest of the list.
func TestKeywordsAgainst(t *testing.T) {
	c := build(t, "<doc>\n"+strings.Join(strings.Fields(`The the do n’t etc. long-term long-cat cat cat 7 , dog`), "\n")+"\n</doc>\n", "word")
	list := map[string]float64{"the": 60_000, "do": 5_000, "n't": 3_000, "etc": 50, "long": 400, "term": 90, "dog": 20}
	k := must.Get(FindKeywordsAgainst(t.Context(), c, list, KeywordConfig{}))(t)
	if k.Tokens != 10 || k.RefTokens != 100_000_000 || k.Types != 8 {
		t.Errorf("%d words against %d, %d types", k.Tokens, k.RefTokens, k.Types)
	}
	want := map[string]float64{"the": 60_000, "do": 5_000, "n’t": 3_000, "etc.": 50, "long-term": 90, "long-cat": 20, "cat": 20, "dog": 20}
	for _, r := range k.Rows {
		if f, ok := want[r.Word]; !ok || r.RefPerMillion != f {
			t.Errorf("%s: %v per million in the reference, wanted %v", r.Word, r.RefPerMillion, f)
		}
		if score := (r.PerMillion + 1) / (r.RefPerMillion + 1); math.Abs(score-r.Scores[0]) > 1e-9 {
			t.Errorf("%s: score %v, wanted %v", r.Word, r.Scores[0], score)
		}
	}
	if len(k.Rows) != len(want) || k.Rows[0].Word != "cat" {
		t.Errorf("%d rows, first %v", len(k.Rows), k.Rows[0])
	}
	if _, err := FindKeywordsAgainst(t.Context(), c, list, KeywordConfig{NGram: 2}); err == nil || !strings.Contains(err.Error(), "single words") {
		t.Errorf("pairs of words: %v", err)
	}
	many := must.Get(NewShards(t.Context(), "x", []Shard{c, c}))(t)
	twice := must.Get(FindKeywordsAgainst(t.Context(), many, list, KeywordConfig{}))(t)
	if twice.Tokens != 20 || twice.Rows[0].Word != "cat" || twice.Rows[0].Freq != 4 || twice.Rows[0].Scores[0] != k.Rows[0].Scores[0] {
		t.Errorf("shards: %d words, first %+v", twice.Tokens, twice.Rows[0])
	}
}

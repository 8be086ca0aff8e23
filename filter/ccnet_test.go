package filter_test

import (
	"math"
	"path/filepath"
	"testing"

	"chaffinch/filter"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/limits"
)

// TestCCNet: perplexity by hand, percentiles learned from documents, and buckets by
// them.
func TestCCNet(t *testing.T) {
	arpa := filepath.Join(t.TempDir(), "en.arpa")
	text := "\\data\\\nngram 1=5\n\n\\1-grams:\n-1\t<unk>\n-99\t<s>\n-0.5\t</s>\n-0.5\tferry\n-2\tzebra\n\n\\end\\\n"
	must.Write(t, arpa, text)
	cfg := filter.Default
	cfg.Use = []string{"ccnet"}
	must.Fail(t, must.Err(filter.New(cfg)), "no model")
	cfg.CCNet.Models = map[string]filter.CCNetModel{"en": {Model: arpa}}
	learner := must.Get(limits.New(limits.Config{MinDocs: 5}, cfg))(t)
	score := func(set *filter.Set, lang, text string) []float64 {
		return set.Scorer().Score(filter.Text{Lang: lang, Whole: text}).Scores
	}
	good, bad := "ferry ferry\nferry ferry", "ferry zebra"
	got := score(learner.Set(), "en-GB", good)
	if want := math.Pow(10, 0.5); math.Abs(got[0]-want) > 1e-6 || !math.IsNaN(got[1]) {
		t.Errorf("scores %v, want %v and no bucket", got, want)
	}
	if got := score(learner.Set(), "de", good); !math.IsNaN(got[0]) {
		t.Errorf("a language without a model: %v", got)
	}
	for i := range 20 {
		text := good
		if i%2 == 1 {
			text = bad
		}
		learner.Add("en", score(learner.Set(), "en", text), func(func(string)) {})
	}
	learned, told := learner.Learn()
	m := learned.CCNet.Models["en"]
	if math.Abs(m.Head-math.Pow(10, 0.5)) > 1e-6 || math.Abs(m.Middle-10) > 1e-6 || len(told) != 1 || told[0].Kept != told[0].Test {
		t.Errorf("learned %+v, told %+v", m, told)
	}
	set := must.Get(filter.New(learned))(t)
	for text, want := range map[string]float64{good: 0, bad: 1, "zebra": 2} {
		scores := score(set, "en", text)
		if _, drop := set.Decide("en", scores); scores[1] != want || drop != (want == 2) {
			t.Errorf("%q: bucket %v, want %v; drop %v", text, scores[1], want, drop)
		}
	}
	learned.CCNet.Models["en"] = filter.CCNetModel{Model: arpa, Head: 9, Middle: 3}
	must.Fail(t, must.Err(filter.New(learned)), "ccnet.models.en")
}

package recipe

import (
	"regexp"
	"strings"
	"testing"

	"chaffinch/build/stage"
	"chaffinch/clean/justext"
	"chaffinch/clean/ncleaner"
	"chaffinch/clean/perplexity"
	"chaffinch/dedup/decontaminate"
	"chaffinch/dedup/exact"
	"chaffinch/dedup/minhash"
	"chaffinch/dedup/onion"
	"chaffinch/internal/settings"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train"
	langidtrain "chaffinch/lab/train/langid"
	"chaffinch/text/langid"
)

// TestKeys: keys of recipes and configurations are in snake_case, times have a unit, and the
// printed form can be parsed.
func TestKeys(t *testing.T) {
	half := .5
	r := Clean(CleanOptions{
		Options: stage.Options{RepairMojibake: true, Langs: []langid.Wanted{{Lang: "fr", MinConfidence: .9}}, MinConfidence: &half, MethodConfig: []byte(`{"keep":"text"}`)},
		Format:  "vertical", Annotate: true, Field: "body_html", FieldHTML: true, Without: []string{"links"}, FrontMatter: true, TokenRules: &TokenRules{Text: "x"}})
	key := regexp.MustCompile(`"([^"]*)":`)
	named := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	for _, v := range []any{r, train.Blocks{}, train.Lines{}, ncleaner.Config{}, ncleaner.ModelConfig{}, perplexity.Config{}, justext.Config{},
		onion.Default, minhash.Default, exact.Default, decontaminate.Default, langidtrain.Default} {
		b := must.Get(settings.Format(v))(t)
		for _, m := range key.FindAllSubmatch(b, -1) {
			if !named.Match(m[1]) {
				t.Errorf("%T: key %q", v, m[1])
			}
		}
	}
	text := string(r.Bytes())
	for _, want := range []string{`"max_time": "20s"`, `"max_page_bytes": "32MiB"`, `"repair_mojibake": true`, `"min_confidence": 0.9`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if again, err := Parse([]byte(text)); err != nil || string(again.Bytes()) != text {
		t.Errorf("%v: read again as %s", err, again.Bytes())
	}
	if _, err := Parse([]byte(strings.Replace(text, `"max_page_bytes"`, `"MaxPageBytes"`, 1))); err == nil || !strings.Contains(err.Error(), `input: unknown key "MaxPageBytes": did you mean max_page_bytes?`) {
		t.Error(err)
	}
}

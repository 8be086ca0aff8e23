package langid_test

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/text/langid"
)

// FuzzDetect reads any bytes: no crash, probabilities that are ones, the same
// result twice. The plain reading is compared on real words alone: it asks for
// n-grams that the fast one passes over, and one in some 20,000 made-up ones
// has the hash of another.
func FuzzDetect(f *testing.F) {
	d := must.Get(langid.New(langid.Default))(f)
	for _, s := range []string{
		"", " ", "a", "The old bridge was closed for three weeks.", "Starý most bol tri týždne zatvorený kvůli povodni", "нa oснoву oптужби", "古い橋は洪水のために",
		"\xff\xfeabc\xc3", "x1y2_z3 <div class=\"a\">", strings.Repeat("ab", 200), "́́́", "'''", "a'b'c", "पुरानी पुल", "مرحبا بالعالم", "ꙗ",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := d.Detect(text)
		if !(g.Confidence >= 0 && g.Confidence <= 1.000001) || g.Lang == "" {
			t.Errorf("%q: %+v", text, g)
		}
		if again := d.Detect(text); again != g {
			t.Errorf("%q: %+v, then %+v", text, g, again)
		}
		sum := 0.0
		for _, r := range d.Rank(nil, text, 300) {
			sum += r.Confidence
		}
		if sum > 1.0001 {
			t.Errorf("%q: probabilities add up to %v", text, sum)
		}
	})
}

package langid

import (
	"math"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// FuzzPages: whatever the blocks hold, confidences and shares are shares, and
// every kept block has a language.
func FuzzPages(f *testing.F) {
	f.Add(french+"\nOui\n"+german, "de-DE")
	f.Add("12\n34 %\n\xff\xfe\x00", "x")
	f.Add(czech+"\n漢字\nカタカナ\n"+strings.Repeat("a", 3000), "zh_TW, en")
	s := must.Get(NewPages(DefaultPage))(f)
	cfg := DefaultFilter
	cfg.Langs, cfg.Unit = []Wanted{{Lang: "fr"}, {Lang: "zh", MinConfidence: .9}}, "block"
	k := must.Get(NewFilter(cfg))(f)
	f.Fuzz(func(t *testing.T, text, declared string) {
		p := pageOf(strings.Split(text, "\n")...)
		p.Meta.Lang = declared
		do(t, s, p)
		do(t, k, p)
		sum := 0.0
		for i, l := range p.Langs {
			sum += l.Share
			if l.Share <= 0 || i > 0 && l.Share > p.Langs[i-1].Share {
				t.Errorf("shares %v", p.Langs)
			}
		}
		if len(p.Langs) > 0 && math.Abs(sum-1) > 1e-9 || !(p.LangConfidence >= 0 && p.LangConfidence <= 1) {
			t.Errorf("confidence %v, shares %v", p.LangConfidence, p.Langs)
		}
		for i := range p.Blocks {
			b := &p.Blocks[i]
			if b.Text != "" && b.Lang == "" || !(b.LangConfidence >= 0 && b.LangConfidence <= 1) {
				t.Errorf("%q: language %q %v", b.Text, b.Lang, b.LangConfidence)
			}
			if b.Label == page.Good && b.Lang != "" && b.Lang != NoLanguage && !k.wants(b.Lang, b.LangConfidence) {
				t.Errorf("%q in %q stays", b.Text, b.Lang)
			}
		}
	})
}

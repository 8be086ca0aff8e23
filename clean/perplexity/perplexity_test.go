package perplexity

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
	"chaffinch/page"
)

// toy knows a few words, 4 bits each by itself and in a sentence; any other
// word has 16 bits. Words stand between blanks.
type toy string

func (m toy) p(word string) float64 {
	if strings.Contains(" "+string(m)+" ", " "+strings.Trim(word, ".")+" ") {
		return 1. / 16
	}
	return 1. / 65536
}

func (m toy) Bits(s string) (bits float64, n int) {
	for _, w := range strings.Fields(s) {
		bits -= math.Log2(m.p(w))
		n++
	}
	return bits, n
}

func (m toy) Frequencies(s string, f func([]byte, float64)) {
	for _, w := range strings.Fields(s) {
		f([]byte(w), m.p(w))
	}
}

func (m toy) Limit(keep float64, _ bool) (float64, error) {
	if keep != .95 {
		return 0, fmt.Errorf("model toy: no limit for %v", keep)
	}
	return 256, nil // 8 bits
}

const english = toy("the harbour is quiet boats come in He sleeps")

func labels(t *testing.T, c Config, blocks ...page.Block) []page.Verdict {
	t.Helper()
	l := must.Get(newWith(c, english, toy("home login menu")))(t)
	p := &page.Page{Blocks: blocks}
	before := fmt.Sprint(p)
	v := must.Get(l.Label(context.Background(), p))(t)
	if fmt.Sprint(p) != before {
		t.Error("Label changed the page")
	}
	if len(v) != len(blocks) {
		t.Fatalf("%d verdicts for %d blocks", len(v), len(blocks))
	}
	return v
}

// alone judges each sentence by itself.
var alone = Config{Measure: Perplexity, Unit: Sentence, Keep: .95}

func TestPaperRule(t *testing.T) {
	v := labels(t, alone,
		page.Block{Text: "the harbour is quiet. Zzz yyy vvv. He sleeps."},
		page.Block{Text: "the harbour is quiet"},
		page.Block{Text: "home login menu"},
		page.Block{Text: " "},
	)
	want := []page.Verdict{
		{By: "perplexity/1", Label: page.Good, Score: math.Exp2((4*4 + 3*16 + 2*4) / 9.), Reason: "1 of 3 sentences ≥ 256", Sentences: []page.Sentence{
			{Start: 0, End: 21, Label: page.Good, Score: 16},
			{Start: 22, End: 34, Label: page.Bad, Score: 65536},
			{Start: 35, End: 45, Label: page.Good, Score: 16},
		}},
		{By: "perplexity/1", Label: page.Good, Score: 16, Reason: "perplexity 16 < 256"},
		{By: "perplexity/1", Label: page.Bad, Score: 65536, Reason: "perplexity 65536 ≥ 256"},
		{By: "perplexity/1", Label: page.Bad, Reason: "no text"},
	}
	must.Same(t, v, want)
	b := page.Block{Text: "the harbour is quiet. Zzz yyy vvv. He sleeps.", Verdict: v[0]}
	must.Equal(t, b.Kept(), "the harbour is quiet. He sleeps.", "kept")
}

func TestUnits(t *testing.T) {
	blocks := []page.Block{
		{Text: "the harbour is quiet. Zzz."}, // mean (16+16)/5 bits = 6.4
		{Text: "Login."},                     // 16 bits
	}
	c := alone
	c.Unit = Block
	v := labels(t, c, blocks...)
	if v[0].Label != page.Good || v[0].Sentences != nil || v[0].Score != math.Exp2(32/5.) || v[1].Label != page.Bad {
		t.Errorf("blocks: got %+v", v)
	}
	c.Unit = Page
	v = labels(t, c, blocks...)
	if v[0].Label != page.Bad || v[1].Label != page.Bad || v[0].Score != math.Exp2(48/6.) {
		t.Errorf("page: got %+v", v)
	}
	if v := labels(t, c); len(v) != 0 {
		t.Errorf("empty page: got %+v", v)
	}
}

// TestContext: an unknown word between known text is kept, and a known word
// among unknown ones is not.
func TestContext(t *testing.T) {
	good := page.Block{Text: strings.Repeat("the harbour is quiet ", 8)}
	bad := page.Block{Text: strings.Repeat("home login menu ", 8)}
	v := labels(t, Config{Measure: Perplexity, Unit: Sentence, Keep: .95, Reach: 20},
		good, page.Block{Text: "Whitby"}, good, bad, page.Block{Text: "quiet"}, bad)
	for i, want := range []page.Label{page.Good, page.Good, page.Good, page.Bad, page.Bad, page.Bad} {
		if v[i].Label != want {
			t.Errorf("block %d: got %v, want %v (%s)", i, v[i].Label, want, v[i].Reason)
		}
	}
}

func TestLinkBits(t *testing.T) {
	c := alone
	c.LinkBits = 5
	v := labels(t, c,
		page.Block{Text: "the harbour", LinkChars: 11}, // 4 + 5 bits
		page.Block{Text: "the harbour", LinkChars: 5},
	)
	if v[0].Label != page.Bad || v[0].Score != 512 || v[1].Label != page.Good {
		t.Errorf("got %+v", v)
	}
}

func TestMeasures(t *testing.T) {
	text := page.Block{Text: "the harbour is quiet"}
	menu := page.Block{Text: "home login menu"}
	c := Config{Measure: Difference, Unit: Sentence}
	v := labels(t, c, text, menu)
	if v[0].Label != page.Good || v[0].Score != -12 || v[1].Label != page.Bad || v[1].Score != 12 || v[1].Reason != "difference 12 ≥ 0" {
		t.Errorf("difference: got %+v", v)
	}
	c = Config{Measure: Divergence, Unit: Block, Limit: 3}
	v = labels(t, c, text, menu, page.Block{Text: "the the the the"})
	// q = 1/4 each, p = 1/16: log2(4); q = 1/3, p = 2^-16; q = 1, p = 1/16
	if v[0].Label != page.Good || v[0].Score != 2 || math.Abs(v[1].Score-(16-math.Log2(3))) > 1e-12 || v[2].Score != 4 {
		t.Errorf("divergence: got %+v", v)
	}
}

func TestNewErrors(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		want string
	}{
		{Config{Measure: Perplexity, Unit: "word"}, `unit "word", wanted sentence, block or page`},
		{Config{Measure: "entropy", Unit: Block}, `measure "entropy"`},
		{Config{Measure: Perplexity, Unit: Block, Keep: .5}, "model toy: no limit for 0.5"},
		{Config{Measure: Perplexity, Unit: Block, Limit: -1}, "limit -1, wanted a perplexity above 1"},
		{Config{Measure: Perplexity, Unit: Block, Limit: math.NaN()}, "limit NaN"},
		{Config{Measure: Difference, Unit: Block}, "name the second one as background"},
		{Config{Measure: Divergence, Unit: Block}, "needs a limit in bits"},
		{Config{Measure: Perplexity, Unit: Block, Limit: 9, Reach: -1}, "wanted 0 or more"},
	} {
		if _, err := newWith(c.cfg, english, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, wanted %q", c.cfg, err, c.want)
		}
	}
}

// TestSmooth compares with the definition, unit by unit.
func TestSmooth(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		reach := rapid.Float64Range(.5, 50).Draw(t, "reach")
		units := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) unit {
			n := rapid.IntRange(1, 60).Draw(t, "tokens")
			return unit{bits: rapid.Float64Range(0, 20).Draw(t, "bits") * float64(n), tokens: float64(n)}
		}), 1, 20).Draw(t, "units")
		got := smooth(units, reach)
		for i := range units {
			bits, tokens := units[i].bits, units[i].tokens
			for j := range units {
				if j == i {
					continue
				}
				d := 0.
				for k := min(i, j) + 1; k < max(i, j); k++ {
					d += units[k].tokens
				}
				// ∫ exp(-(d+x)/reach) dx over the unit's length
				w := reach * (math.Exp(-d/reach) - math.Exp(-(d+units[j].tokens)/reach))
				bits += w * units[j].bits / units[j].tokens
				tokens += w
			}
			if want := bits / tokens; math.Abs(got[i]-want) > 1e-9 {
				t.Fatalf("unit %d of %+v: got %v, want %v", i, units, got[i], want)
			}
		}
	})
}

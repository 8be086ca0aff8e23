package nontext_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/filter/nontext"
	"chaffinch/internal/cputime"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	_ "chaffinch/model/data/nontext"
)

func embedded(t testing.TB) *nontext.Model {
	t.Helper()
	return must.Get(nontext.Embedded())(t)
}

// TestTooShort: few words have no reliable score.
func TestTooShort(t *testing.T) {
	m, s := embedded(t), nontext.NewScorer()
	for _, text := range []string{"", " \n", "A few words only.", "....", "\xff\xfe", strings.Repeat("word ", nontext.MinWords-1)} {
		if _, ok := s.Score(m, text); ok {
			t.Errorf("%q has a score", text)
		}
	}
	for _, text := range []string{strings.Repeat("word ", nontext.MinWords), strings.Repeat("漢字かな", 5)} {
		if _, ok := s.Score(m, text); !ok {
			t.Errorf("%q has no score", text)
		}
	}
}

// TestLimits: scripts have limits of their own, and a higher loss has a lower limit.
func TestLimits(t *testing.T) {
	m := embedded(t)
	if m.Limit("zh", .03) == m.Limit("ru", .03) || m.Limit("ja", .03) != m.Limit("zh-TW", .03) {
		t.Errorf("limits of zh %v, ja %v, ru %v", m.Limit("zh", .03), m.Limit("ja", .03), m.Limit("ru", .03))
	}
	for _, lang := range []string{"", "en", "zh", "ru", "sw"} {
		if m.Limit(lang, .1) >= m.Limit(lang, .01) {
			t.Errorf("%q: limits %v for a loss of 10 %%, %v for 1 %%", lang, m.Limit(lang, .1), m.Limit(lang, .01))
		}
	}
}

// TestFor: the language chooses the model.
func TestFor(t *testing.T) {
	all := embedded(t)
	en := &nontext.Model{Model: all.With([]string{"en"}, all.Config().Limits)}
	list := []*nontext.Model{en, all}
	for lang, want := range map[string]*nontext.Model{"en": en, "en-GB": en, "en_US": en, "de": all, "": all, "enm": all, "zh": all} {
		if got := nontext.For(list, lang); got != want {
			t.Errorf("%q: model of %q", lang, got.Config().Langs)
		}
	}
	if nontext.For(list[:1], "de") != nil {
		t.Error("a model of English for German")
	}
}

// TestEmbedded: the embedded model distinguishes plain text from stuffed text.
func TestEmbedded(t *testing.T) {
	m, s := embedded(t), nontext.NewScorer()
	if g, _ := s.Score(m, plain); g > m.Limit("en", nontext.DefaultLoss) {
		t.Errorf("good text: %.3f", g)
	}
	bad := strings.Repeat("Buy cheap ferry tickets online best price ferry tickets cheap. Ferry tickets discount ferry tickets buy now the of tickets cheap ferry. ", 8)
	if b, _ := s.Score(m, bad); b <= m.Limit("en", nontext.DefaultLoss) {
		t.Errorf("bad text: %.3f", b)
	}
	if why := s.Why(m, bad, 6); len(why) == 0 {
		t.Error("no reasons")
	}
}

// plain is a text of several lines.
const plain = `We took the early ferry to the island because the weather had turned and nobody knew when the next one would go.
My sister had packed bread and a flask of tea, and we sat on the deck with our backs to the wind. When we arrived, the harbour was almost empty: two men were mending a net, and a dog slept in front of the shop.
"You are late this year," said the woman who kept it, and she gave us the key without asking for our names.`

// TestFlat: line breaks do not change the score, and the place where an excerpt is cut changes it
// little.
func TestFlat(t *testing.T) {
	m, s := embedded(t), nontext.NewScorer()
	a, _ := s.Score(m, plain)
	if b, _ := s.Score(m, strings.ReplaceAll(plain, "\n", " ")); a != b {
		t.Errorf("probability %v with lines, %v without", a, b)
	}
	var whole, cut float64
	const n = 20
	for i := range uint64(n) {
		text := testkit.Story(rand.New(rand.NewPCG(3, i)), 100)
		p, _ := s.Score(m, text[:1000])
		q, _ := s.Score(m, text[:500]+"\n"+text[4000:4500])
		whole, cut = whole+p/n, cut+q/n
	}
	if math.Abs(whole-cut) > .1 {
		t.Errorf("mean probability %.3f, %.3f of texts with a cut", whole, cut)
	}
}

// TestOldModel: a model file of an earlier version is an error that names the command.
func TestOldModel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.chf")
	must.Succeed(t, model.Save(path, model.Header{Kind: "nontext", Behaviour: 1}))
	must.Fail(t, must.Err(nontext.Load(path)), "chaffinch train nontext")
}

// TestNoAllocations: scoring allocates nothing for a document.
func TestNoAllocations(t *testing.T) {
	m := embedded(t)
	text := testkit.Story(rand.New(rand.NewPCG(3, 3)), 400)
	s := nontext.NewScorer()
	s.Score(m, text)
	if n := testing.AllocsPerRun(5, func() { s.Score(m, text) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestScoreAbove: ScoreAbove has the result of Score, unless the probability is below the limit.
func TestScoreAbove(t *testing.T) {
	m, s, want := embedded(t), nontext.NewScorer(), nontext.NewScorer()
	bad := strings.Fields("Buy cheap ferry tickets online | best price 2024 ferry TICKETS cheap. click here")
	early, late := 0, 0
	for i := range uint64(60) {
		r := rand.New(rand.NewPCG(5, i))
		words := strings.Fields(testkit.Story(r, 1+r.IntN(90)))
		for k := range words { // i/60 of the words are stuffed
			if r.Uint64N(60) < i {
				words[k] = bad[r.IntN(len(bad))]
			}
		}
		text := strings.Join(words, " ")
		p, enough := want.Score(m, text)
		for _, limit := range []float64{0, .1, .3, .5, .66, p, p + 1e-6, 1} {
			switch q, ok := s.ScoreAbove(m, text, limit); {
			case ok && (q != p || !enough):
				t.Fatalf("text %d, limit %v: probability %v, wanted %v, %t", i, limit, q, p, enough)
			case !ok && enough && p >= limit:
				t.Fatalf("text %d, limit %v: no probability, wanted %v", i, limit, p)
			case ok:
				late++
			default:
				early++
			}
		}
	}
	if early < 60 || late < 60 {
		t.Errorf("%d results without a probability, %d with one", early, late)
	}
	text := testkit.Story(rand.New(rand.NewPCG(3, 3)), 400)
	if n := testing.AllocsPerRun(5, func() { s.ScoreAbove(m, text, .66) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzScore: no text brings a scorer down, and scores are probabilities.
func FuzzScore(f *testing.F) {
	for _, text := range []string{"", "a b", strings.Repeat("x y. ", 600), strings.Repeat("漢字かな", 300), "\xff\x80a\u0301 B\n\n1,2", strings.Repeat("\u2028", 9), strings.Repeat("a", 3000)} {
		f.Add(text)
	}
	m, s := embedded(f), nontext.NewScorer()
	f.Fuzz(func(t *testing.T, text string) {
		if p, ok := s.Score(m, text); ok && !(p >= 0 && p <= 1) {
			t.Errorf("probability %v", p)
		} else if q, above := s.ScoreAbove(m, text, .5); above && q != p || !above && ok && p >= .5 {
			t.Errorf("probability %v, %v above .5", p, q)
		}
		s.Why(m, text, 3)
	})
}

// BenchmarkScore scores running text.
func BenchmarkScore(b *testing.B) {
	m, s := embedded(b), nontext.NewScorer()
	text := testkit.Story(rand.New(rand.NewPCG(3, 3)), 400)
	b.ReportAllocs()
	n, start := 0, cputime.Used()
	for b.Loop() {
		s.Score(m, text)
		n++
	}
	b.ReportMetric(float64(n*len(text))/1e6/(cputime.Used()-start).Seconds(), "MB/cpu-s")
}

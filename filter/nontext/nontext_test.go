package nontext_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"chaffinch/filter/nontext"
	"chaffinch/internal/cputime"
	"chaffinch/internal/testkit/must"
	_ "chaffinch/model/data/nontext"
)

// story writes a text of n sentences by a small grammar.
func story(r *rand.Rand, n int) string {
	one := func(words string) string {
		list := strings.Fields(words)
		return list[r.IntN(len(list))]
	}
	phrase := func() string {
		return one("the a this every her his") + " " + one("old small quiet broken green narrow early empty heavy northern") + " " +
			one("harbour island ferry captain window letter garden bridge winter lantern village stranger kitchen morning teacher")
	}
	var b strings.Builder
	for i := range n {
		s := phrase() + " " + one("carried found crossed painted remembered followed opened mended watched left") + " " + phrase()
		switch r.IntN(3) {
		case 0:
			s += " " + one("before after while because") + " " + phrase() + " " + one("slept waited burned vanished returned")
		case 1:
			s = one("Yesterday Later Then Once") + ", " + s
		}
		b.WriteString(strings.ToUpper(s[:1]) + s[1:] + ".")
		if i%6 == 5 {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// TestTooShort: there is no telling of a few words.
func TestTooShort(t *testing.T) {
	list, err := nontext.Embedded()
	must.Succeed(t, err)
	lexical, m := list[0], list[1]
	s := nontext.NewScorer()
	for _, text := range []string{"", " \n", "A few words only.", "....", "\xff\xfe", strings.Repeat("word ", nontext.MinWords-1)} {
		if _, ok := s.Score(m, text); ok {
			t.Errorf("%q has a score", text)
		}
	}
	if _, ok := s.Score(m, strings.Repeat("word ", nontext.MinWords)); !ok {
		t.Error("20 words have none")
	}
	if _, ok := s.Score(m, strings.Repeat("漢字かな", 30)); ok {
		t.Error("a script without spaces has a score without words")
	}
	if _, ok := s.Score(lexical, strings.Repeat("漢字かな", 30)); !ok {
		t.Error("with words it has none")
	}
}

// TestFor: the language chooses the model.
func TestFor(t *testing.T) {
	list, err := nontext.Embedded()
	must.Succeed(t, err)
	en, others := list[0], list[1]
	for lang, want := range map[string]*nontext.Model{"en": en, "en-GB": en, "en_US": en, "de": others, "": others, "enm": others, "zh": others} {
		if got := nontext.For(list, lang); got != want {
			t.Errorf("%q: model of %q", lang, got.Config().Lang)
		}
	}
	if nontext.For(list[:1], "de") != nil {
		t.Error("a model of English for German")
	}
}

// TestEmbedded: the models of the program distinguish plain text from stuffed text.
func TestEmbedded(t *testing.T) {
	list, err := nontext.Embedded()
	must.Succeed(t, err)
	const good = `We took the early ferry to the island because the weather had turned and nobody knew when the next one would go.
My sister had packed bread and a flask of tea, and we sat on the deck with our backs to the wind. When we arrived, the harbour was almost empty: two men were mending a net, and a dog slept in front of the shop.
"You are late this year," said the woman who kept it, and she gave us the key without asking for our names.`
	bad := strings.Repeat("Buy cheap ferry tickets online best price ferry tickets cheap. Ferry tickets discount ferry tickets buy now the of tickets cheap ferry. ", 8)
	s := nontext.NewScorer()
	g, _ := s.Score(list[0], good)
	if m := list[0]; g > m.Limit() {
		t.Errorf("good text of English: %.3f, limit %.3f", g, m.Limit())
	}
	for _, m := range list {
		if b, _ := s.Score(m, bad); b <= m.Limit() {
			t.Errorf("model of %q: bad text %.3f, limit %.3f", m.Config().Lang, b, m.Limit())
		}
	}
}

// TestNoAllocations: scoring allocates nothing for a document.
func TestNoAllocations(t *testing.T) {
	list, err := nontext.Embedded()
	must.Succeed(t, err)
	m := list[0]
	text := story(rand.New(rand.NewPCG(3, 3)), 400)
	s := nontext.NewScorer()
	s.Score(m, text)
	if n := testing.AllocsPerRun(5, func() { s.Score(m, text) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzScore: no text brings a scorer down, and scores are probabilities.
func FuzzScore(f *testing.F) {
	for _, text := range []string{"", "a b", strings.Repeat("x y. ", 600), strings.Repeat("漢字かな", 300), "\xff\x80a\u0301 B\n\n1,2", strings.Repeat("\u2028", 9), strings.Repeat("a", 3000)} {
		f.Add(text)
	}
	list, err := nontext.Embedded()
	must.Succeed(f, err)
	s := nontext.NewScorer()
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range list {
			if p, ok := s.Score(m, text); ok && !(p >= 0 && p <= 1) {
				t.Errorf("probability %v", p)
			}
			s.Why(m, text, 3)
		}
	})
}

// BenchmarkScore scores running text.
func BenchmarkScore(b *testing.B) {
	list, err := nontext.Embedded()
	must.Succeed(b, err)
	text := story(rand.New(rand.NewPCG(3, 3)), 400)
	for _, m := range list {
		b.Run(fmt.Sprintf("words=%v", m.Config().Words), func(b *testing.B) {
			s := nontext.NewScorer()
			b.ReportAllocs()
			n, start := 0, cputime.Used()
			for b.Loop() {
				s.Score(m, text)
				n++
			}
			b.ReportMetric(float64(n*len(text))/1e6/(cputime.Used()-start).Seconds(), "MB/cpu-s")
		})
	}
}

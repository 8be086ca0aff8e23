package corpus

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// rankedText makes a vertical of n tokens in sentences of 20 and documents of 500,
// words as frequent as in real text.
func rankedText(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	for i := range n {
		if i%500 == 0 {
			fmt.Fprintf(&b, "<doc id=\"%d\" lang=\"l%d\">\n", i/500, i/500%5)
		}
		if i%20 == 0 {
			b.WriteString("<s>\n")
		}
		fmt.Fprintf(&b, "w%d\n", int(math.Exp(r.Float64()*math.Log(30000))))
		if i%20 == 19 || i == n-1 {
			b.WriteString("</s>\n")
		}
		if i%500 == 499 || i == n-1 {
			b.WriteString("</doc>\n")
		}
	}
	return b.String()
}

// TestNGramMemory: counts do not depend on the memory for sorting.
func TestNGramMemory(t *testing.T) {
	a, b := build(t, rankedText(1, 20000), "word"), build(t, rankedText(2, 9000), "word")
	var all [2][]string
	for i, memory := range []int64{0, 1} {
		v := must.Get(newVocabulary(t.Context(), "", false, nil, a, b))(t)
		v.memory = memory
		s := must.Get(a.Struct("s"))(t)
		for g, err := range v.grams(t.Context(), 3, []*Struct{s, nil}) {
			must.Succeed(t, err)
			all[i] = append(all[i], fmt.Sprint(g.keys, g.freq))
		}
	}
	if len(all[0]) < 20000 || !slices.Equal(all[0], all[1]) {
		t.Errorf("%d n-grams in memory, %d from disk, or not the same", len(all[0]), len(all[1]))
	}
}

func BenchmarkStatistics(b *testing.B) {
	const tokens = 400_000
	x, y := build(b, rankedText(1, tokens), "word"), build(b, rankedText(2, tokens/2), "word")
	ctx := context.Background()
	for _, c := range []struct {
		name string
		run  func() error
	}{
		{"words", func() error { _, err := x.WordList(ctx, WordListConfig{Limit: 50}); return err }},
		{"arf", func() error { _, err := x.WordList(ctx, WordListConfig{Sort: "arf", Limit: 50}); return err }},
		{"trigrams", func() error { _, err := x.WordList(ctx, WordListConfig{NGram: 3, Limit: 50}); return err }},
		{"freqs", func() error {
			_, err := x.Freqs(ctx, `"w1"`, FreqConfig{By: []string{"word@1", "doc.lang"}, Limit: 50})
			return err
		}},
		{"collocations", func() error {
			_, err := x.Collocations(ctx, `"w1"`, CollocationConfig{Within: "s", Limit: 50})
			return err
		}},
		{"keywords", func() error { _, err := FindKeywords(ctx, x, y, KeywordConfig{Limit: 50}); return err }},
		{"compare", func() error { _, err := Compare(ctx, x, y, CompareConfig{}); return err }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must.Succeed(b, c.run())
			}
			b.ReportMetric(tokens*float64(b.N)/1e6/b.Elapsed().Seconds(), "Mtokens/s")
		})
	}
}

package corpus

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chaffinch/corpus/gdex"
	"chaffinch/internal/testkit/must"
)

// examplesVertical has one document for each group of sentences.
func examplesVertical(docs ...[]string) string {
	var b strings.Builder
	for i, sentences := range docs {
		fmt.Fprintf(&b, "<doc id=\"%d\" lang=\"en\">\n", i)
		for _, s := range sentences {
			fmt.Fprintf(&b, "<s>\n%s\n</s>\n", strings.Join(strings.Fields(s), "\n"))
		}
		b.WriteString("</doc>\n")
	}
	return b.String()
}

// TestExamples: the best sentence of each document, the best ones first, without a sentence that
// repeats a better one.
func TestExamples(t *testing.T) {
	c := build(t, examplesVertical(
		[]string{"water , | menu | login", "The water of the old river was cold and clear ."},
		[]string{"The water of the old river was cold and clear !"},
		[]string{"it needs water to grow and to flower in spring .", "water"},
		[]string{"Every garden needs some good water in the dry summer ."},
	), "word")
	cfg := DefaultConcordance
	cfg.View, cfg.Good = Sentence, gdex.Default()
	k, all := lines(t, c, `"water"`, cfg)
	var got []string
	for i, l := range all {
		got = append(got, l.Left+l.Text+l.Right)
		if i > 0 && l.Score > all[i-1].Score || l.Score <= 0 || l.Score > 1 {
			t.Errorf("%v: score %v after %v", l, l.Score, all[max(i-1, 0)].Score)
		}
	}
	want := []string{"The water of the old river was cold and clear .", "Every garden needs some good water in the dry summer .", "it needs water to grow and to flower in spring ."}
	if !slices.Equal(got, want) || k.Total != 6 {
		t.Errorf("%d matches, examples %q", k.Total, got)
	}
	cfg.First, cfg.Limit = 1, 1
	if _, page := lines(t, c, `"water"`, cfg); len(page) != 1 || page[0].Start != all[1].Start || page[0].Score != all[1].Score {
		t.Errorf("the second example: %+v", page)
	}
	cfg.First, cfg.Limit, cfg.Good.Similar = 0, 0, 1
	cfg.Good.Whole.Weight = 1
	if _, strict := lines(t, c, `"water"`, cfg); len(strict) != 2 {
		t.Errorf("whole sentences as a condition: %+v", strict)
	}
}

// TestExamplesSampled: examples of a sample are the same in each run, and in parts of the corpus.
func TestExamplesSampled(t *testing.T) {
	c := buildWith(t, zipf(3000), zipfConfig())
	word := c.attrs[0].Word(c.attrs[0].At(0))
	cfg := DefaultConcordance
	cfg.View, cfg.Good, cfg.Sample, cfg.Seed = Sentence, gdex.Default(), 20, 7
	cfg.Good.Similar = 1
	_, one := lines(t, c, literalToken("word", word, false), cfg)
	_, two := lines(t, c, literalToken("word", word, false), cfg)
	if len(one) == 0 || len(one) > 20 || fmt.Sprint(one) != fmt.Sprint(two) {
		t.Errorf("%d and %d examples", len(one), len(two))
	}
}

func TestExamplesRefused(t *testing.T) {
	c := build(t, zoo, "word")
	q := must.Get(c.Query(t.Context(), `"cat"`))(t)
	for _, change := range []func(*ConcordanceConfig){
		func(cfg *ConcordanceConfig) { cfg.View = KWIC }, func(cfg *ConcordanceConfig) { cfg.Sort = []string{"left"} },
	} {
		cfg := DefaultConcordance
		cfg.View, cfg.Good = Sentence, gdex.Default()
		change(&cfg)
		if _, err := q.Concordance(t.Context(), cfg); !errors.As(err, new(*ConfigError)) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestRareBelow: the zoo has the frequencies the 5, cat 4, dog 3, saw 2, "," 2, end 2, and two words with 1.
func TestRareBelow(t *testing.T) {
	a := build(t, zoo, "word").attrs[0]
	for common, want := range map[int]int64{1: 5, 2: 4, 3: 3, 4: 3, 6: 2, 7: 2, 8: 1, 100: 1} {
		if got, err := a.rareBelow(t.Context(), common); err != nil || got != want {
			t.Errorf("the %d commonest: %d, %v, want %d", common, got, err, want)
		}
	}
}

package limits

import (
	"slices"
	"strings"
	"testing"

	"chaffinch/filter"
	"chaffinch/internal/testkit/must"
)

// TestLearn: limits are the quantiles of the scores of a language, one document in five is held
// out, and a language with few documents gets none.
func TestLearn(t *testing.T) {
	rules := filter.Default
	rules.Use = []string{"gopher_quality"}
	l := must.Get(New(Config{Keep: .9, StopWords: 2, MinDocs: 50}, rules))(t)
	scorer := l.Set().Scorer()
	text := func(words int) string { return strings.TrimSpace(strings.Repeat("der Kahn liegt am Ufer ", words/5)) }
	for i := range 100 {
		in := filter.Text{Lang: "de", Whole: text(5 + 5*(i/5*5%100))}
		l.Add("de", scorer.Score(in).Scores, scorer.Words)
	}
	in := filter.Text{Lang: "cs", Whole: text(50)}
	l.Add("cs", scorer.Score(in).Scores, scorer.Words)
	learned, told := l.Learn()
	if len(told) != 2 || told[0].Lang != "cs" || told[0].Train != 1 || told[1].Train != 80 || told[1].Test != 20 || told[1].Kept < 12 {
		t.Errorf("told %+v", told)
	}
	if _, ok := learned.Languages["cs"]; ok {
		t.Error("limits from one document")
	}
	if got := learned.StopWords["de"]; len(got) != 2 {
		t.Errorf("stop words %q", got)
	}
	limit := learned.Languages["de"].Limits["gopher_quality.words"]
	if limit.Min == nil || limit.Max == nil || *limit.Min >= *limit.Max {
		t.Errorf("limits of words %+v", limit)
	}
	if i := slices.Index(l.Set().Scores(), "gopher_quality.stop_words"); i < 0 || l.Set().Learnable("de")[i] != (filter.Limit{}) {
		t.Error("the limit of stop words is learned, which holds for all languages alike")
	}
	must.Fail(t, must.Err(New(Config{Keep: .3}, rules)), "keep 0.3")
}

// TestLearnOverPublished: learned limits and stop words replace those that FineWeb-2 published.
func TestLearnOverPublished(t *testing.T) {
	rules := filter.Default
	must.Succeed(t, rules.Add("fineweb2"))
	l := must.Get(New(Config{StopWords: 3, MinDocs: 50}, rules))(t)
	before := l.Set().Limits("de")["gopher_quality.mean_word_length"]
	scorer := l.Set().Scorer()
	for i := range 100 {
		in := filter.Text{Lang: "de", Whole: strings.Repeat("Der Kahn liegt heute am Ufer.\n", 20+i)}
		l.Add("de", scorer.Score(in).Scores, scorer.Words)
	}
	learned, _ := l.Learn()
	set := must.Get(filter.New(learned))(t)
	after := set.Limits("de")["gopher_quality.mean_word_length"]
	if *before.Max != 15 || after.Max == nil || *after.Max >= 5 || *set.Limits("cs")["gopher_quality.mean_word_length"].Max != 11 {
		t.Errorf("limits of German before %v, after %v; of Czech %v", before, after, set.Limits("cs"))
	}
	if words := learned.StopWords["de"]; len(words) != 3 {
		t.Errorf("stop words %q", words)
	}
}

package filter

import (
	"strings"
	"testing"

	"chaffinch/internal/cputime"
	"chaffinch/internal/testkit/must"
)

// BenchmarkScore finds all scores of rules in running text.
func BenchmarkScore(b *testing.B) {
	lines := []string{
		"The ferry to the island leaves at nine in the morning and comes back with the mail.",
		"In winter, when the harbour was quiet, nobody came to see the old captain by the window.",
		"Prices (in kroner) were 12.50 for adults, 6.25 for children; dogs went free of charge!",
		"What could be seen of the town was a thin blue line, some smoke, and the tower of a church.",
	}
	var text strings.Builder
	for i := range 40 {
		line := lines[i%len(lines)]
		text.WriteString(line[:len(line)/2] + strings.Repeat("x", i%7) + line[len(line)/2:] + "\n")
	}
	in := Text{Lang: "en", Whole: text.String(), Paras: parasOf(text.String())}
	for _, rules := range [][]string{{"fineweb"}, {"gopher_quality"}, {"gopher_repetition"}, {"c4"}, {"fineweb_corpus"}, {"pii"}} {
		b.Run(rules[0], func(b *testing.B) {
			cfg := Default
			must.Succeed(b, cfg.Add(rules[0]))
			set, err := New(cfg)
			must.Succeed(b, err)
			s := set.Scorer()
			b.SetBytes(int64(len(in.Whole)))
			b.ReportAllocs()
			n, start := 0, cputime.Used()
			for b.Loop() {
				s.Score(in)
				n++
			}
			b.ReportMetric(float64(n*len(in.Whole))/1e6/(cputime.Used()-start).Seconds(), "MB/cpu-s")
		})
	}
}

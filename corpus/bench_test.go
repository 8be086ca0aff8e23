package corpus

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// BenchmarkBuild builds an index of 500,000 tokens with three columns.
func BenchmarkBuild(b *testing.B) {
	vert := zipf(500_000)
	b.SetBytes(int64(len(vert)))
	var tokens int64
	for range b.N {
		rep, err := Build(b.Context(), strings.NewReader(vert), b.TempDir(), zipfConfig())
		must.Succeed(b, err)
		tokens += rep.Tokens
	}
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
}

// BenchmarkQuery compiles queries and counts their matches in 500,000 tokens.
func BenchmarkQuery(b *testing.B) {
	c := buildWith(b, zipf(500_000), zipfConfig())
	for _, x := range []struct{ name, cql string }{
		{"word", `"."`},
		{"suffix", `".*ff"`},
		{"regexp", `"w[0-9]+[a-f]x?"`},
		{"two", `[tag="A"] [tag="B"]`},
		{"gap", `[tag="A"] []{0,3} [tag="B"] within <s/>`},
		{"frequent-rare", `[tag="A"] [lemma="l1000"]`},
		{"any", `[]`},
		{"containing", `<s/> containing [lemma="l50"]`},
		{"within-query", `[tag="A"] within (<s/> containing [lemma="l50"])`},
		{"labels", `1:[] 2:[] & 1.lemma = 2.lemma`},
	} {
		b.Run(x.name, func(b *testing.B) {
			n := int64(0)
			for range b.N {
				q, err := c.Query(b.Context(), x.cql)
				must.Succeed(b, err)
				for _, err := range q.Matches(b.Context()) {
					must.Succeed(b, err)
					n++
				}
			}
			b.ReportMetric(float64(n)/float64(b.N), "matches")
		})
	}
}

package corpus

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

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
				q := must.Get(c.Query(b.Context(), x.cql))(b)
				for _, err := range q.Matches(b.Context()) {
					must.Succeed(b, err)
					n++
				}
			}
			b.ReportMetric(float64(n)/float64(b.N), "matches")
		})
	}
}

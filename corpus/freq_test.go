package corpus

import (
	"context"
	"encoding/json"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestFreqSameValues: hits without a value and hits with an empty value are one row, as are a token with a
// space and two tokens that spell it. Shards have the same rows.
func TestFreqSameValues(t *testing.T) {
	const vert = "<doc lang=\"en\">\nNew York\tN\nNew\t\nYork\tN\nb\tN\n</doc>\nb\tN\nb\t\n<doc>\nb\tN\nb\tN\n</doc>\n"
	c := build(t, vert, "word", "lemma")
	s := must.Get(NewShards(t.Context(), "all", []Shard{c}))(t)
	for _, x := range []struct {
		query string
		by    []string
		want  string
	}{
		{`"b"`, []string{"doc.lang"}, `[{"values":[""],"hits":4,"share":0.8,"per_million":500000,"part_tokens":4,"part_per_million":1000000,"relative":1.6},` +
			`{"values":["en"],"hits":1,"share":0.2,"per_million":125000,"part_tokens":4,"part_per_million":250000,"relative":0.4}]`},
		{`[]`, []string{"lemma@1"}, `[{"values":[""],"hits":5,"share":0.625,"per_million":625000},{"values":["N"],"hits":3,"share":0.375,"per_million":375000}]`},
		{`"New.*" "York"?`, []string{"word"}, `[{"values":["New York"],"hits":2,"share":0.6666666666666666,"per_million":250000},{"values":["New"],"hits":1,"share":0.3333333333333333,"per_million":125000}]`},
	} {
		for name, source := range map[string]Source{"index": c, "shards": s} {
			f := must.Get(source.Freqs(context.Background(), x.query, FreqConfig{By: x.by}))(t)
			got := must.Get(json.Marshal(f.Rows))(t)
			if string(got) != x.want {
				t.Errorf("%s of %s by %v:\n%s\nwanted\n%s", name, x.query, x.by, got, x.want)
			}
		}
	}
}

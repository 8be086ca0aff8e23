package corpus

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestAnyTokens: the number of spans of any tokens is known without a search, in the corpus and in a part.
func TestAnyTokens(t *testing.T) {
	c := build(t, sample, "word", "lemma", "tag")
	for _, of := range []*Corpus{c, must.Get(c.Where(t.Context(), `doc.lang="en" & p.heading="0"`))(t)} {
		for _, cql := range []string{`[]*`, `[]+`, `[]{2,5}`, `[]{3}`, `[]{0}`, `[]* within <s/>`, `[]{2,} within <p/>`, `[]{,9} within <doc/>`} {
			n, ok := must.Get(of.Query(t.Context(), cql))(t).Known()
			must.Equal(t, ok, true, cql)
			must.Equal(t, n, int64(len(found(t, of, cql))), cql)
		}
	}
}

// TestDenseQueries: queries with too many matches per token, or too much text in their matches, are errors.
func TestDenseQueries(t *testing.T) {
	c := build(t, "<doc>\n"+strings.Repeat("a\nb\n", 300)+"</doc>\n", "word")
	defer func(work, density int64, keys int) { maxWork, maxDensity, maxFreqKeys = work, density, keys }(maxWork, maxDensity, maxFreqKeys)
	maxWork, maxDensity, maxFreqKeys = 0, 20, 100
	for _, cql := range []string{`[]* "b"`, `"a"+ []*`, `("a" "b")+`} {
		_, err := must.Get(c.Query(t.Context(), cql))(t).Count(t.Context())
		must.Fail(t, err, "more than 12000 ways to match in 600 tokens: bound the repetitions")
	}
	must.Equal(t, len(found(t, c, `[]{1,10} "b"`)), 2975)
	_, err := c.Freqs(t.Context(), `[]{1,9}`, FreqConfig{By: []string{"word"}})
	must.Fail(t, err, "bound the repetitions")
}

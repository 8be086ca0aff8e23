package corpus

import (
	"math"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestHugeContext: contexts and windows above the limit are errors; below it they end with the document.
func TestHugeContext(t *testing.T) {
	c := build(t, "<doc>\na\nX\nb\n</doc>\n", "word")
	q, err := c.Query(t.Context(), `"X"`)
	must.Succeed(t, err)
	for _, tokens := range []bool{false, true} {
		cfg := DefaultConcordance
		cfg.Context, cfg.Tokens = math.MaxInt, tokens
		_, err := q.Concordance(t.Context(), cfg)
		must.Fail(t, err, "at most 1048576 is possible")
		cfg.Context = maxContext
		k, err := q.Concordance(t.Context(), cfg)
		must.Succeed(t, err)
		for l, err := range k.Lines(t.Context()) {
			must.Succeed(t, err)
			if l.Left != "a " || l.Right != " b" {
				t.Errorf("tokens %t: left %q, right %q", tokens, l.Left, l.Right)
			}
		}
	}
	cfg := CollocationConfig{From: math.MinInt, To: math.MaxInt, MinHits: 1, MinFreq: 1}
	_, err = c.Collocations(t.Context(), `"X"`, cfg)
	must.Fail(t, err, "at most 1048576 tokens on each side")
	cfg.From, cfg.To = -maxContext, maxContext
	k, err := c.Collocations(t.Context(), `"X"`, cfg)
	must.Succeed(t, err)
	if len(k.Rows) != 2 || !slices.ContainsFunc(k.Rows, func(r Collocate) bool { return r.Word == "b" && r.Hits == 1 }) {
		t.Errorf("collocates %+v", k.Rows)
	}
}

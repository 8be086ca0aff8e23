package corpus

import (
	"math"
	"slices"
	"strings"
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
		k := must.Get(q.Concordance(t.Context(), cfg))(t)
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
	k := must.Get(c.Collocations(t.Context(), `"X"`, cfg))(t)
	if len(k.Rows) != 2 || !slices.ContainsFunc(k.Rows, func(r Collocate) bool { return r.Word == "b" && r.Hits == 1 }) {
		t.Errorf("collocates %+v", k.Rows)
	}
}

// TestOtherDocument: n-grams and document frequencies refer to the structure of documents of the index.
func TestOtherDocument(t *testing.T) {
	cfg := DefaultBuild
	cfg.Document = "text"
	dir, vert := t.TempDir(), "<text>\na\nb\n</text>\n<text>\na\nb\nb\n</text>\n"
	must.Succeed(t, must.Err(Build(t.Context(), strings.NewReader(vert), dir, cfg)))
	c := must.Get(Open(dir))(t)
	defer c.Close()
	if c.Document() != "text" {
		t.Errorf("documents are %q", c.Document())
	}
	list := must.Get(c.WordList(t.Context(), WordListConfig{NGram: 2, DocFreq: true}))(t)
	if len(list.Rows) != 2 || list.Rows[0].Word != "a b" || list.Rows[0].DocFreq != 2 || list.Rows[1].Word != "b b" {
		t.Errorf("rows %+v", list.Rows)
	}
	list = must.Get(c.WordList(t.Context(), WordListConfig{Sort: "dp"}))(t)
	if len(list.Rows) != 2 || list.Rows[0].DP == nil {
		t.Errorf("rows %+v", list.Rows)
	}
}

package clean

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
)

func TestGlue(t *testing.T) {
	for _, c := range []struct{ name, text, gold, glued, split string }{
		{"as it should be", "Tonight soup with bread", "Tonight: soup with bread", "", ""},
		{"glued", "TonightSoup with bread", "Tonight soup with bread", "tonightsoup", ""},
		{"split", "To night soup", "Tonight soup", "", "to|night"},
		{"a word of the gold", "some one, someone", "someone, some one", "", ""},
		{"not neighbours in the gold", "breadsoup", "soup with bread", "", ""},
		{"scripts without spaces", "国 内", "国内国际国内国际", "", ""},
	} {
		g := glueOf(c.text, c.gold)
		if got := strings.Join(g.glued, " "); got != c.glued {
			t.Errorf("%s: glued %q, want %q", c.name, got, c.glued)
		}
		if got := strings.Join(g.split, " "); got != c.split {
			t.Errorf("%s: split %q, want %q", c.name, got, c.split)
		}
	}
	var summary, table strings.Builder
	page := func(id, text string) *Gold { return &Gold{Page: &gold.Page{ID: id, Text: text}} }
	views := []View{{Set: &Set{Set: &gold.Set{Name: "s"}, Pages: []*Gold{page("a", "one two"), page("b", "onetwo")}},
		Outputs: []*Output{{Name: "m", Pages: map[string]Prediction{"a": {Text: "onetwo"}, "b": {Text: "one two"}}}}}}
	must.Succeed(t, WriteGlue(&summary, &table, views))
	must.Equal(t, summary.String(), "gaps: m: 1 glued, 1 split of 3 words\n")
	must.Equal(t, table.String(), "set\tsystem\tid\tkind\tword\ns\tm\ta\tglued\tonetwo\ns\tm\tb\tsplit\tone|two\n")
}

package blocks

import (
	"slices"
	"testing"
)

// TestDemoteComments: where the main content is wanted, a comment is kept only
// if it is surely text, but for forums and documentation; else it is a block
// like any other.
func TestDemoteComments(t *testing.T) {
	r, err := newRule(Default)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		keep        string
		forum, docs float64 // log odds of the type of the page
		want        []bool
	}{
		{Text, -2, -2, []bool{true, true, true}},
		{Article, -2, -2, []bool{true, false, true}},
		{Article, 1, -2, []bool{true, true, true}},
		{Article, -2, 1, []bool{true, true, true}},
	} {
		policies := []string{Text, Article}
		l := &Labeller{model: &Model{policies: policies}, policy: slices.Index(policies, c.keep), rule: r}
		s := &scratch{keep: []float32{.9, .7, .9}, comment: []float32{.1, .9, .9}}
		s.sheet.n, s.sheet.blocks = 3, make([]blockStats, 3)
		s.sheet.values = make([]float32, 3*columns)
		s.sheet.fill(colPageForum, c.forum)
		s.sheet.fill(colPageDocumentation, c.docs)
		for i := range s.sheet.blocks {
			s.sheet.blocks[i].words = 10
		}
		l.demoteComments(s)
		l.rule.decide(s)
		if !slices.Equal(s.kept, c.want) {
			t.Errorf("%+v: kept %v", c, s.kept)
		}
	}
}

package blocks

import (
	"slices"
	"testing"
)

// TestDemoteComments: where the main content is wanted, a comment is kept only
// if it is surely text; else it is a block like any other.
func TestDemoteComments(t *testing.T) {
	r, err := newRule(Default)
	if err != nil {
		t.Fatal(err)
	}
	for policy, want := range [][]bool{{true, true, true}, {true, false, true}} {
		l := &Labeller{model: &Model{policies: []string{Text, Article}}, policy: policy, rule: r}
		s := &scratch{keep: []float32{.9, .7, .9}, comment: []float32{.1, .9, .9}}
		s.sheet.n, s.sheet.blocks = 3, make([]blockStats, 3)
		for i := range s.sheet.blocks {
			s.sheet.blocks[i].words = 10
		}
		l.demoteComments(s)
		l.rule.decide(s)
		if !slices.Equal(s.kept, want) {
			t.Errorf("%s: kept %v, want %v", l.model.policies[policy], s.kept, want)
		}
	}
}

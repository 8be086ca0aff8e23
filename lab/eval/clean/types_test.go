package clean

import (
	"math"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
)

// TestPageTypes counts three pages by hand.
func TestPageTypes(t *testing.T) {
	pageOf := func(id, of string) *Gold {
		return &Gold{Page: &gold.Page{ID: id, Meta: map[string]any{"page_type": of}}}
	}
	s := &Set{Set: &gold.Set{Name: "mine"}, Pages: []*Gold{pageOf("a", "forum"), pageOf("b", "forum"), pageOf("c", "article"), pageOf("d", ""), pageOf("e", "forum")}}
	o := &Output{Name: "blocks", Pages: map[string]Prediction{
		"a": {Type: "forum", TypeConfidence: .9}, "b": {Type: "article", TypeConfidence: .5}, "c": {Type: "article", TypeConfidence: 1}, "d": {Type: "forum"}, "e": {},
	}}
	got := TypesOf([]View{{Set: s, Outputs: []*Output{o, {Name: "other"}}}})
	if len(got) != 1 || got[0].Pages != 3 || got[0].Accuracy != 2./3 || math.Abs(got[0].Mean-.8) > 1e-9 {
		t.Fatalf("%+v", got)
	}
	var b strings.Builder
	must.Succeed(t, got[0].Write(&b))
	for _, want := range []string{"page types, blocks, mine: 66.7 % of 3 pages right, mean probability 80.0", "50.0", "100.0"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

package filter

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestPageTypes checks that documents of other types are dropped, and that documents without a
// known type stay.
func TestPageTypes(t *testing.T) {
	cfg := Default
	must.Succeed(t, cfg.AddPageTypes([]string{"article", "forum"}))
	set := must.Get(New(cfg))(t)
	s := set.Scorer()
	for kind, want := range map[string]string{"article": "", "forum": "", "product": "page_type.product 1 > 0", "blog": "", "": ""} {
		got := ""
		if _, d, drop := s.Judge(Text{Lang: "en", PageType: kind, Whole: "The mail came at nine."}); drop {
			got = d.String()
		}
		must.Equal(t, got, want, kind)
	}
	if len(Default.Limits) > 0 || len(Default.Use) > 0 {
		t.Error("the default configuration has changed")
	}
	must.Fail(t, cfg.AddPageTypes([]string{"formu"}), "did you mean forum?")
	must.Fail(t, cfg.AddPageTypes([]string{"nothing like it"}), "there are article, collection")
}

package filter

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestOptout: each statement against the use of a page is a separate rule, whose reason names
// the statement and its place.
func TestOptout(t *testing.T) {
	cfg := Default
	cfg.Use = []string{"optout"}
	set := must.Get(New(cfg))(t)
	s := set.Scorer()
	for said, want := range map[string]string{
		"":                      "",
		"meta robots: nofollow": "",
		"meta robots: noindex":  "optout.index 1 > 0 (meta robots: noindex)",
		"X-Robots-Tag: none, meta robots: noindex":      "optout.index 1 > 0 (X-Robots-Tag: none, meta robots: noindex)",
		"meta robots: nofollow, X-Robots-Tag: noai":     "optout.training 1 > 0 (X-Robots-Tag: noai)",
		"Content-Usage: train-ai=n, TDM-Reservation: 1": "optout.mining 1 > 0 (TDM-Reservation: 1)",
		"as the licence says: no":                       "",
	} {
		_, d, drop := s.Judge(Text{Optout: said})
		got := ""
		if drop {
			d.Explanation = s.Explain(d)
			got = d.String()
		}
		must.Equal(t, got, want, said)
	}
}

package simulate

import (
	"testing"

	"chaffinch/internal/testkit"
)

// TestChurn fails if the plan of visits is worth nothing: estimated rates must keep more texts up to date
// than visits in turn, and stated dates more than that. Visits in proportion to change must be worst.
func TestChurn(t *testing.T) {
	testkit.Slow(t)
	cfg := DefaultChurn
	cfg.Pages, cfg.Sites, cfg.Days, cfg.Learn = 600, 5, 360, 180
	var fresh [visitRules]float64
	for _, rule := range VisitRules() {
		res := RunChurn(cfg, rule)
		fresh[rule] = res.Fresh
		t.Logf("%s: %+v", rule, res)
		want := cfg.Pages * (cfg.Days - cfg.Learn) / int(cfg.Interval)
		if rule == WithLists {
			want -= 3 * (cfg.Days - cfg.Learn) / cfg.ReadLists // sites with a sitemap
		}
		if res.Visits != want {
			t.Errorf("%v: %d visits, want %d", rule, res.Visits, want)
		}
		if res.Appeared == 0 || res.Found < res.Appeared*3/4 || res.New <= res.Found {
			t.Errorf("%v: %+v: pages are not found", rule, res)
		}
		if res != RunChurn(cfg, rule) {
			t.Errorf("%v: two simulations differ", rule)
		}
	}
	if fresh[Proportional] > fresh[Uniform]/2 || fresh[OptimalRates] < 1.08*fresh[Uniform] {
		t.Errorf("known rates: %v", fresh)
	}
	if fresh[Estimated] < fresh[Uniform] || fresh[WithAges] < fresh[Uniform] || fresh[WithLists] < 1.02*fresh[Estimated] {
		t.Errorf("estimated rates: %v", fresh)
	}
}

package simulate

import (
	"context"
	"testing"

	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

// TestTrust fails if spam hosts of seven kinds take the pages that they take without trust: 17 %. It also
// fails if less good text is fetched than by the rule of SpiderLing.
func TestTrust(t *testing.T) {
	disk.Lazy()
	crawl := func(seed uint64, policy schedule.Policy) Point {
		cfg := DefaultWeb
		cfg.Seed, cfg.Hosts, cfg.Spam, cfg.SpamKinds = seed, 555, 55, true
		run := Config{Dir: t.TempDir(), Schedule: schedule.Default, Seeds: 10, Pages: 8000, Rate: 8, Points: 1}
		run.Schedule.Policy = policy
		res, err := Run(context.Background(), NewWeb(cfg), run)
		must.Succeed(t, err)
		return res.Curve[0]
	}
	spider, err := schedule.PolicyOf("spiderling-normal")
	must.Succeed(t, err)
	var spam, all int64
	for seed := uint64(1); seed <= 3; seed++ {
		p := crawl(seed, schedule.BestFirst)
		spam, all = spam+p.SpamPages, all+p.Pages
		if seed == 1 && p.Kept < crawl(seed, spider).Kept {
			t.Error("less good text than by the rule of SpiderLing")
		}
	}
	if share := float64(spam) / float64(all); share > .12 {
		t.Errorf("share of pages of spam hosts: %.3f, want at most .12", share)
	}
}

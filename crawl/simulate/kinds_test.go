package simulate

import (
	"context"
	"testing"

	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

// TestTrust fails if spam hosts of seven kinds take more than 5 % of the good text of a crawl without
// them. It also fails if less good text is fetched than by the rule of SpiderLing.
func TestTrust(t *testing.T) {
	disk.Lazy()
	kinds, err := ParseSpamKinds([]string{"all"})
	must.Succeed(t, err)
	spider, err := schedule.PolicyOf("spiderling-normal")
	must.Succeed(t, err)
	crawl := func(seed uint64, spam int, policy schedule.Policy) Point {
		cfg := DefaultWeb
		cfg.Seed, cfg.Hosts, cfg.Spam, cfg.SpamKinds = seed, 500+spam, spam, kinds
		run := Config{Dir: t.TempDir(), Schedule: schedule.Default, Seeds: 10, Pages: 8000, Rate: 8, Points: 1}
		run.Schedule.Policy = policy
		res, err := Run(context.Background(), NewWeb(cfg), run)
		must.Succeed(t, err)
		return res.Curve[0]
	}
	var with, without, spam int64
	for seed := uint64(1); seed <= 6; seed++ {
		p := crawl(seed, 55, schedule.BestFirst)
		with, without, spam = with+p.Good, without+crawl(seed, 0, schedule.BestFirst).Good, spam+p.SpamPages
		if s := crawl(seed, 55, spider); p.Good < s.Good {
			t.Errorf("web %d: %d bytes of good text, by the rule of SpiderLing %d", seed, p.Good, s.Good)
		}
	}
	t.Logf("%.3f of the good text, %d pages of spam hosts", float64(with)/float64(without), spam)
	if float64(with) < .95*float64(without) {
		t.Errorf("good text: %d bytes without spam hosts, %d with them", without, with)
	}
}

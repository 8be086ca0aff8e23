package simulate

import (
	"context"
	"testing"

	"chaffinch/crawl/schedule"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// crawlKinds crawls a web of 500 hosts and spam hosts, for 8,000 pages.
func crawlKinds(t *testing.T, seed uint64, spam int, kinds []SpamKind, policy schedule.Policy) Point {
	t.Helper()
	disk.Lazy()
	cfg := DefaultWeb
	cfg.Seed, cfg.Hosts, cfg.Spam, cfg.SpamKinds = seed, 500+spam, spam, kinds
	run := Config{Dir: t.TempDir(), Schedule: schedule.Default, Seeds: 10, Pages: 8000, Rate: 8, Points: 1}
	run.Schedule.Policy = policy
	res := must.Get(Run(context.Background(), NewWeb(cfg), run))(t)
	return res.Curve[0]
}

// TestTrust fails if spam hosts take too much of the good text of a crawl without them: 5 % for seven
// kinds, 10 % for expired domains, which good hosts link to. It also fails if less good text is fetched
// than by the rule of SpiderLing.
func TestTrust(t *testing.T) {
	testkit.Slow(t)
	spider := must.Get(schedule.PolicyOf("spiderling-normal"))(t)
	const seeds = 4
	var none [seeds]int64
	for seed := range none {
		none[seed] = crawlKinds(t, uint64(seed+1), 0, nil, schedule.BestFirst).Good
	}
	for name, least := range map[string]float64{"all": .95, "expired": .9} {
		kinds := must.Get(ParseSpamKinds([]string{name}))(t)
		var with, without, spam int64
		for seed := range none {
			p := crawlKinds(t, uint64(seed+1), 55, kinds, schedule.BestFirst)
			with, without, spam = with+p.Good, without+none[seed], spam+p.SpamPages
			if s := crawlKinds(t, uint64(seed+1), 55, kinds, spider); p.Good < s.Good {
				t.Errorf("%s, web %d: %d bytes of good text, by the rule of SpiderLing %d", name, seed+1, p.Good, s.Good)
			}
		}
		t.Logf("%s: %.3f of the good text, %d pages of spam hosts", name, float64(with)/float64(without), spam)
		if float64(with) < least*float64(without) {
			t.Errorf("%s: good text: %d bytes without spam hosts, %d with them", name, without, with)
		}
	}
}

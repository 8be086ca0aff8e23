package crawl

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/schedule"
	"chaffinch/crawl/scope"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

// TestFailing fails if snapshots do not show that the only host keeps failing, or if they show it after it
// responded again.
func TestFailing(t *testing.T) {
	disk.Lazy()
	w := &sleeper{answers: scopedWeb()}
	cfg := scopedConfig(t.TempDir(), w.answers)
	cfg.Fetcher, cfg.Connections = w, 1
	cfg.Seeds, cfg.Scope.Within = cfg.Seeds[:1], scope.Host
	most := 0
	var last []FailingHost
	cfg.OnSnapshot = func(s Snapshot) {
		last = s.Failing
		for _, h := range last {
			if h.Name != "www.news.example" || h.Reason != "unreachable" {
				t.Errorf("%+v", h)
			}
			most = max(most, h.Failures)
		}
		if len(last) > 0 && time.Now().Before(w.from) {
			t.Errorf("%+v before the first failure", last)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		w.from = time.Now().Add(15 * time.Second)
		w.to = w.from.Add(time.Hour)
		res := must.Get(Run(t.Context(), cfg))(t)
		t.Logf("%v %d pages, %v asked", res.Reason, res.Totals.Pages, w.asked)
		if last = res.Failing; len(last) > 0 {
			t.Errorf("%+v at the end", last)
		}
	})
	if most < 20 {
		t.Errorf("at most %d failures in a row, wanted at least 20", most)
	}
}

// TestManyFailing fails if the memory for failing hosts is not bounded, or if the host with the most failures
// is lost.
func TestManyFailing(t *testing.T) {
	x := streaks{}
	fail := func(host uint32) {
		r := &result{failed: "no-answer"}
		r.outcome.Host, r.outcome.Failure = host, true
		x.note(&schedule.Host{Name: fmt.Sprintf("host-%d.example", host)}, r)
	}
	for i := range uint32(5 * maxStreaks) {
		fail(i + 1)
		if i%100 == 0 {
			fail(0)
		}
	}
	if len(x) > maxStreaks {
		t.Errorf("%d hosts, want at most %d", len(x), maxStreaks)
	}
	want := FailingHost{"host-0.example", 5 * maxStreaks / 100, "no-answer"}
	if list := x.longest(minStreak); len(list) != 1 || list[0] != want {
		t.Errorf("%+v, want %+v", list, want)
	}
}

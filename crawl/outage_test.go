package crawl

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/scope"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// sleeper is a web that cannot be reached for a time.
type sleeper struct {
	*answers
	from, to time.Time
	failed   int
}

func (s *sleeper) off() error {
	if now := time.Now(); now.After(s.from) && now.Before(s.to) {
		s.failed++
		return &fetch.Error{Reason: fetch.Unreachable, Err: errors.New("network is unreachable")}
	}
	return nil
}

func (s *sleeper) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if err := s.off(); err != nil {
		return nil, err
	}
	return s.answers.Lookup(ctx, host)
}

func (s *sleeper) Get(ctx context.Context, u weburl.URL, opts fetch.Options) (*fetch.Result, error) {
	if err := s.off(); err != nil {
		return nil, err
	}
	return s.answers.Get(ctx, u, opts)
}

// TestOutage loses the network for hours, for longer than hosts are retried, and wants all pages
// afterwards: of one host, and of several.
func TestOutage(t *testing.T) {
	disk.Lazy()
	for _, within := range []string{scope.Host, ""} {
		w := &sleeper{answers: scopedWeb()}
		cfg := scopedConfig(t.TempDir(), w.answers)
		cfg.Fetcher, cfg.Connections = w, 1
		cfg.Scope.Within = within
		synctest.Test(t, func(t *testing.T) {
			w.from = time.Now().Add(22 * time.Second)
			w.to = w.from.Add(9 * time.Hour)
			report, err := Run(t.Context(), cfg)
			must.Succeed(t, err)
			if report.Reason != Exhausted || w.failed < 10 {
				t.Errorf("%s, %d requests failed", report.Reason, w.failed)
			}
		})
		got := w.fetched()
		slices.Sort(got)
		if want := scopedPages; within != "" && strings.Join(slices.Compact(got), " ") != want {
			t.Errorf("fetched: %s\nwant:    %s", strings.Join(got, " "), want)
		} else if within == "" && len(slices.Compact(got)) < len(w.pages)-6 {
			t.Errorf("fetched %d pages: %s", len(got), got)
		}
	}
}

// TestSleep lets the machine sleep for two days, and stops a crawl for two days: each robots.txt is
// fetched again before the next page.
func TestSleep(t *testing.T) {
	disk.Lazy()
	var jump atomic.Int64 // ns
	wallClock = func() time.Time { return time.Now().Add(time.Duration(jump.Load())) }
	defer func() { wallClock = time.Now }()
	w := scopedWeb()
	cfg := scopedConfig(t.TempDir(), w)
	cfg.Seeds, cfg.Connections = cfg.Seeds[:1], 1
	run := func(pages int64, sleep time.Duration) {
		cfg.MaxPages = pages
		synctest.Test(t, func(t *testing.T) {
			defer time.AfterFunc(3*time.Second, func() { jump.Add(int64(sleep)) }).Stop()
			_, err := Run(t.Context(), cfg)
			must.Succeed(t, err)
		})
	}
	const robots = "https://www.news.example/robots.txt"
	count := func() (n int) {
		for _, s := range w.asked {
			if s == robots {
				n++
			}
		}
		return n
	}
	run(2, 0)
	if n := count(); n != 1 {
		t.Errorf("robots.txt was fetched %d times", n)
	}
	jump.Store(int64(48 * time.Hour))
	run(3, 0)
	if n := count(); n != 2 {
		t.Errorf("robots.txt was fetched %d times after two days without a run", n)
	}
	jump.Store(0)
	run(0, 48*time.Hour)
	if n := count(); n != 3 {
		t.Errorf("robots.txt was fetched %d times after two days of sleep", n)
	}
}

package crawl

import (
	"cmp"
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
	reason   fetch.Reason // Unreachable if 0

	stop   string // URL after which it cannot be reached for length
	length time.Duration
}

func (s *sleeper) off() error {
	if now := time.Now(); now.After(s.from) && now.Before(s.to) {
		s.failed++
		return &fetch.Error{Reason: cmp.Or(s.reason, fetch.Unreachable), Err: errors.New("network is unreachable")}
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
	if u.String() == s.stop {
		s.stop, s.from = "", time.Now()
		s.to = s.from.Add(s.length)
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
			report := must.Get(Run(t.Context(), cfg))(t)
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

// TestOutageLast loses the network when only one host is left that has URLs, for hours if the machine reports
// it, and for half an hour if requests get no answer. It wants the pages of the host afterwards. If the host
// is down for good, the crawl must end soon.
func TestOutageLast(t *testing.T) {
	disk.Lazy()
	for _, c := range []struct {
		reason fetch.Reason
		length time.Duration
		most   time.Duration // of the crawl
		pages  int64
	}{
		{fetch.Unreachable, 9 * time.Hour, 10 * time.Hour, 8},
		{fetch.NoResolver, 9 * time.Hour, 10 * time.Hour, 8},
		{fetch.ConnectTimeout, 50 * time.Minute, time.Hour, 8},
		{fetch.ConnectTimeout, 9000 * time.Hour, 3 * time.Hour, 7},
		{fetch.NoAnswer, 9000 * time.Hour, 3 * time.Hour, 7},
	} {
		w := &sleeper{answers: &answers{pages: map[string]string{}}, reason: c.reason}
		cfg := scopedConfig(t.TempDir(), w.answers)
		cfg.Fetcher, cfg.Connections, cfg.Seeds, cfg.Scope.Within = w, 1, nil, scope.Host
		for _, name := range []string{"a", "b", "c", "d", "e"} { // with one page each
			w.pages["https://"+name+".example/"] = article(name)
			cfg.Seeds = append(cfg.Seeds, "https://"+name+".example/")
		}
		w.pages["https://news.example/"], w.pages["https://news.example/1"], w.pages["https://news.example/2"] = article("n", "/1"), article("1", "/2"), article("2")
		cfg.Seeds = append(cfg.Seeds, "https://news.example/")
		w.stop = "https://news.example/1" // the network is lost after it
		synctest.Test(t, func(t *testing.T) {
			w.length = c.length
			report := must.Get(Run(t.Context(), cfg))(t)
			if report.Reason != Exhausted || report.Totals.Pages != c.pages || report.Time > c.most {
				t.Errorf("%v for %v: %s after %v, %d pages, wanted %d within %v", c.reason, c.length, report.Reason, report.Time, report.Totals.Pages, c.pages, c.most)
			}
			t.Logf("%v for %v: %d pages in %v, %d requests failed", c.reason, c.length, report.Totals.Pages, report.Time, w.failed)
		})
	}
}

// TestOutageResumed resumes a crawl without a network, and wants its pages afterwards.
func TestOutageResumed(t *testing.T) {
	disk.Lazy()
	w := &sleeper{answers: scopedWeb()}
	cfg := scopedConfig(t.TempDir(), w.answers)
	cfg.Fetcher, cfg.Connections, cfg.MaxPages = w, 1, 6
	for range 2 {
		synctest.Test(t, func(t *testing.T) { must.Succeed(t, must.Err(Run(t.Context(), cfg))) })
		cfg.MaxPages = 0
		w.from, w.to = time.Time{}, time.Date(2000, 1, 1, 9, 0, 0, 0, time.UTC) // synctest begins on this day
	}
	got := w.fetched()
	slices.Sort(got)
	if strings.Join(slices.Compact(got), " ") != scopedPages || w.failed < 10 {
		t.Errorf("%d requests failed, fetched: %s\nwant:    %s", w.failed, strings.Join(got, " "), scopedPages)
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
			must.Succeed(t, must.Err(Run(t.Context(), cfg)))
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

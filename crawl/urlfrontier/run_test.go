package urlfrontier

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chaffinch/crawl"
	"chaffinch/crawl/fetch"
	"chaffinch/internal/testkit/must"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// testConfig returns a client with short durations, and its worker in a folder.
func testConfig(t *testing.T, dir, address string, from crawl.Fetcher) (Config, *crawl.Worker) {
	t.Helper()
	c := crawl.Default
	c.Dir, c.Contact, c.Fetcher = dir, "test@example.org", from
	c.Schedule.Delay, c.Schedule.AddressDelay = 5*time.Millisecond, time.Millisecond
	worker, err := crawl.NewWorker(c)
	must.Succeed(t, err)
	cfg := Default
	cfg.Address, cfg.Any, cfg.Visitor = address, true, worker
	cfg.Pause, cfg.Timeout, cfg.Attempts = 20*time.Millisecond, 20*time.Second, 100
	return cfg, worker
}

// crawlAll runs the client until all URLs of the frontier are done.
func crawlAll(t *testing.T, f *fake, cfg Config) Totals {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for end := time.Now().Add(45 * time.Second); f.left() > 0 && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond)
		}
		cancel()
	}()
	totals, err := Run(ctx, cfg)
	must.Succeed(t, err)
	if n := f.left(); n > 0 {
		t.Errorf("%d URLs are left", n)
	}
	return totals
}

// records returns how many records text.jsonl has for each URL.
func records(t *testing.T, dir string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(must.Read(t, filepath.Join(dir, "text.jsonl")))), "\n") {
		var r struct{ URL string }
		must.Succeed(t, json.Unmarshal([]byte(line), &r))
		counts[r.URL]++
	}
	return counts
}

// TestRun crawls a small web from one URL, with and without faults of the frontier, and wants each
// page to be fetched, kept and reported once.
func TestRun(t *testing.T) {
	for name, fault := range map[string]func(f *fake, c *Config){
		"none":        func(*fake, *Config) {},
		"FAIL":        func(f *fake, _ *Config) { f.fail = .3 },
		"lost":        func(f *fake, _ *Config) { f.cut = .1 },
		"slow":        func(f *fake, _ *Config) { f.slow = 2 * time.Millisecond },
		"twice":       func(f *fake, _ *Config) { f.twice = .5 },
		"flood":       func(f *fake, c *Config) { f.flood, c.URLs = true, 7 },
		"all of them": func(f *fake, _ *Config) { f.fail, f.cut, f.slow, f.twice = .2, .05, time.Millisecond, .3 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, w, dir := newFake(), newWeb(), t.TempDir()
			f.discover(urlInfo{url: "http://h0.example/", metadata: metadata{{"note", []string{"a", "b"}}}})
			cfg, worker := testConfig(t, dir, f.serve(t), w)
			fault(f, &cfg)
			totals := crawlAll(t, f, cfg)
			must.Succeed(t, worker.Close())
			f.mu.Lock()
			t.Logf("%+v; %d updates on %d streams", totals, f.updates, f.streams)
			f.mu.Unlock()
			const pages = webHosts * (webPages + 1) // and one disallowed page of each host
			if got := w.pages(); len(got) != pages {
				t.Errorf("%d pages requested, wanted %d: %q", len(got), pages, got)
			}
			if w.gap < 5*time.Millisecond {
				t.Errorf("%v between two requests to a host", w.gap)
			}
			for u, n := range w.asked {
				if n > 1 {
					t.Errorf("%s: requested %d times", u, n)
				}
			}
			kept := records(t, dir)
			if len(kept) != pages || totals.Records != pages {
				t.Errorf("records of %d pages, %d counted, wanted %d", len(kept), totals.Records, pages)
			}
			for u, n := range kept {
				if n > 1 {
					t.Errorf("%s: %d records", u, n)
				}
			}
			if totals.Reported != pages+webHosts || totals.Unreported+totals.Expired+totals.Skipped > 0 || name == "twice" && totals.Repeated == 0 {
				t.Errorf("%+v", totals)
			}
			for _, p := range f.asked {
				if !p.anyCrawl || p.perQueue < 1 || p.queues < 1 || p.perQueue*p.queues > uint64(cfg.URLs) || p.requestable != 600 {
					t.Errorf("asked for %+v", p)
				}
			}
			first := f.urls["http://h0.example/"].info.metadata
			if got := first.get(statusKey) + first.get(langKey) + strings.Join(first[0].values, ""); got != "200enab" {
				t.Errorf("metadata %q: %v", got, first)
			}
			next := f.urls["http://h1.example/"].info.metadata
			if next.get(depthKey) != "1" && next.get(depthKey) != "2" || !strings.HasPrefix(next.get(viaKey), "http://h0.example/") {
				t.Errorf("metadata of a discovered URL: %v", next)
			}
			if got := f.urls["http://h2.example/secret"].info.metadata.get(reasonKey); got != crawl.ReasonRobots {
				t.Errorf("a disallowed URL has the reason %q", got)
			}
		})
	}
}

// TestStatus checks the next visit of URLs by their responses.
func TestStatus(t *testing.T) {
	f, w := newFake(), newWeb()
	for _, u := range []string{"http://h1.example/", "http://h1.example/none", "http://h1.example/moved", "http://gone.example/", "http://h2.example/busy"} {
		f.discover(urlInfo{url: u, metadata: metadata{{errorsKey, []string{"1"}}}})
	}
	cfg, worker := testConfig(t, t.TempDir(), f.serve(t), w)
	cfg.Refetch = 30 * 24 * time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			f.mu.Lock()
			waiting := 0
			for _, name := range f.order[:5] {
				if f.urls[name].known == 0 {
					waiting++
				}
			}
			f.mu.Unlock()
			if waiting == 0 {
				break
			}
		}
		cancel()
	}()
	start := time.Now()
	must.Succeed(t, must.Err(Run(ctx, cfg)))
	must.Succeed(t, worker.Close())
	for u, want := range map[string]struct {
		after          time.Duration
		errors, reason string
	}{
		"http://h1.example/":      {30 * 24 * time.Hour, "", ""},
		"http://h1.example/none":  {0, "", "status"},
		"http://h1.example/moved": {30 * 24 * time.Hour, "", "redirect"},
		"http://gone.example/":    {2 * time.Hour, "2", "no-name"},
		"http://h2.example/busy":  {2 * time.Hour, "2", "busy"},
	} {
		s := f.urls[u]
		got := time.Duration(0)
		if s.refetch > 0 {
			got = time.Unix(int64(s.refetch), 0).Sub(start)
		}
		if got < want.after-2*time.Second || got > want.after+2*time.Minute {
			t.Errorf("%s: next visit after %v, wanted %v", u, got, want.after)
		}
		m := s.info.metadata
		if m.get(errorsKey) != want.errors || m.get(reasonKey) != want.reason {
			t.Errorf("%s: %v, wanted errors %q, reason %q", u, m, want.errors, want.reason)
		}
	}
	if to := f.urls["http://h1.example/p1"]; to == nil || to.info.metadata.get(depthKey) != "0" && to.info.metadata.get(depthKey) != "1" {
		t.Errorf("target of the redirect: %+v", to)
	}
	if until := f.blocked["h2.example"]; until.Before(start.Add(2*time.Hour - time.Minute)) {
		t.Errorf("the queue of a busy host is blocked until %v", until)
	}
	if d := f.delays["h1.example"]; d != time.Second {
		t.Errorf("delay of a queue: %v, wanted 1s, the Crawl-delay rounded up", d)
	}
}

// loopback resolves every name to this machine.
type loopback struct{}

func (loopback) Lookup(context.Context, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("169.254.169.254")}, nil
}

// TestHostile wants URLs that must not be requested to be done without a connection.
func TestHostile(t *testing.T) {
	f := newFake()
	for i, u := range []string{
		"", "file:///etc/passwd", "javascript:alert(1)", "http://", "http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest/meta-data/", "http://2130706433/",
		"http://public.example/", "http://public.example:25/", "https://public.example:6379/", "gopher://public.example/", "http://h\xff.example/", "http://a.example/" + strings.Repeat("x", 9000), "\x00", "http://0x7f.1/", "http://[::ffff:10.0.0.1]/",
	} {
		info := urlInfo{url: u, key: strings.Repeat("k", i*1000), metadata: metadata{{depthKey, []string{"99999999999999999999"}}, {"", nil}, {viaKey, []string{"\x00\r\nWARC-Type: response"}}}}
		f.urls[u] = &stored{info: info, due: time.Now()}
		f.order = append(f.order, u)
	}
	var dials atomic.Int32
	net0 := fetch.Default
	net0.UserAgent, net0.Resolver = "test", loopback{}
	net0.Dial = func(context.Context, string, string) (net.Conn, error) {
		dials.Add(1)
		return nil, errors.New("dialled")
	}
	client, err := fetch.New(net0)
	must.Succeed(t, err)
	cfg, worker := testConfig(t, t.TempDir(), f.serve(t), client)
	cfg.Retries = 0
	totals := crawlAllBut(t, f, cfg, 1) // the fake skips a long URL, as the frontier does
	must.Succeed(t, worker.Close())
	if dials.Load() > 0 || totals.Records > 0 {
		t.Errorf("%d connections, %+v", dials.Load(), totals)
	}
	for u, s := range f.urls {
		if r := s.info.metadata.get(reasonKey); len(u) < 1000 && (r == "" || s.known == 0) {
			t.Errorf("%.50q: reason %q, %d updates", u, r, s.known)
		}
	}
}

// crawlAllBut is crawlAll for a frontier that keeps a number of URLs.
func crawlAllBut(t *testing.T, f *fake, cfg Config, keep int) Totals {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for end := time.Now().Add(60 * time.Second); f.left() > keep && time.Now().Before(end); {
			time.Sleep(20 * time.Millisecond)
		}
		cancel()
	}()
	totals, err := Run(ctx, cfg)
	must.Succeed(t, err)
	if n := f.left(); n != keep {
		t.Errorf("%d URLs are left, wanted %d", n, keep)
	}
	return totals
}

// TestStop interrupts clients. A later one with the same folder completes the crawl, and no page is
// lost or kept twice.
func TestStop(t *testing.T) {
	f, w, dir := newFake(), newWeb(), t.TempDir()
	w.slow = 5 * time.Millisecond
	f.discover(urlInfo{url: "http://h0.example/"})
	address := f.serve(t)
	reported := int64(0)
	for range 4 {
		cfg, worker := testConfig(t, dir, address, w)
		cfg.Drain = 5 * time.Second
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		totals, err := Run(ctx, cfg)
		cancel()
		must.Succeed(t, err)
		must.Succeed(t, worker.Close())
		if totals.Visited != totals.Reported || totals.Unreported > 0 {
			t.Errorf("%+v", totals)
		}
		reported += totals.Reported
		f.mu.Lock()
		for _, s := range f.urls {
			s.lease = time.Time{} // leases end
		}
		f.mu.Unlock()
	}
	if reported == 0 {
		t.Error("no page before the interruptions")
	}
	cfg, worker := testConfig(t, dir, address, w)
	crawlAll(t, f, cfg)
	must.Succeed(t, worker.Close())
	kept := records(t, dir)
	for u, n := range kept {
		if n > 1 {
			t.Errorf("%s: %d records", u, n)
		}
	}
	if len(kept) != webHosts*(webPages+1) {
		t.Errorf("%d records", len(kept))
	}
}

// TestSilent wants a client whose frontier sends no acks to hold a bounded number of URLs, to
// connect again, and to stop.
func TestSilent(t *testing.T) {
	f, w := newFake(), newWeb()
	f.silent = true
	for i := range 100 {
		f.discover(urlInfo{url: "http://h1.example/" + strings.Repeat("x", i), key: strings.Repeat("k", i+1)})
	}
	cfg, worker := testConfig(t, t.TempDir(), f.serve(t), w)
	cfg.URLs, cfg.Timeout, cfg.Drain = 20, 300*time.Millisecond, 200*time.Millisecond
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	totals, err := Run(ctx, cfg)
	must.Succeed(t, err)
	must.Succeed(t, worker.Close())
	f.mu.Lock() // the server may still answer
	defer f.mu.Unlock()
	if totals.Taken != 20 || totals.Reported > 0 || totals.Unreported+totals.Expired > 20 || f.streams < 2 {
		t.Errorf("%+v, %d streams", totals, f.streams)
	}
}

// TestNoFrontier wants a client to wait for a frontier that does not run yet.
func TestNoFrontier(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.Succeed(t, err)
	address := l.Addr().String()
	must.Succeed(t, l.Close())
	cfg, worker := testConfig(t, t.TempDir(), address, newWeb())
	var errs atomic.Int32
	cfg.OnRetry = func(err error) {
		if errs.Add(1); !strings.Contains(err.Error(), address) || !strings.HasSuffix(err.Error(), ": retrying") {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	totals, err := Run(ctx, cfg)
	if err != nil || totals != (Totals{}) || errs.Load() < 2 {
		t.Errorf("%+v, %v, %d errors", totals, err, errs.Load())
	}
	must.Succeed(t, worker.Close())
}

// TestLostDelay fails if the delay of a queue is not sent again after an error.
func TestLostDelay(t *testing.T) {
	conn, err := grpc.NewClient("127.0.0.1:1", grpc.WithTransportCredentials(insecure.NewCredentials()))
	must.Succeed(t, err)
	defer conn.Close()
	c := &client{cfg: Default, conn: conn, delays: map[string]time.Duration{}}
	errs := 0
	c.cfg.OnRetry = func(error) { errs++ }
	for range 2 {
		c.hint(t.Context(), &held{urlInfo: urlInfo{key: "h1.example"}}, &crawl.Visit{Delay: time.Second})
	}
	if errs != 2 {
		t.Errorf("%d errors, want one for each of 2 visits", errs)
	}
}

// badDisk is a worker whose outputs cannot be stored.
type badDisk struct{ *crawl.Worker }

func (badDisk) Sync() error { return os.ErrPermission }

// TestBadDisk wants the client to end without reporting pages that are not stored.
func TestBadDisk(t *testing.T) {
	f := newFake()
	f.discover(urlInfo{url: "http://h0.example/"})
	cfg, worker := testConfig(t, t.TempDir(), f.serve(t), newWeb())
	cfg.Visitor = badDisk{worker}
	totals, err := Run(t.Context(), cfg)
	if !errors.Is(err, os.ErrPermission) || totals.Unreported != 1 || f.updates > 0 {
		t.Errorf("%+v, %v, %d updates", totals, err, f.updates)
	}
	must.Succeed(t, worker.Close())
}

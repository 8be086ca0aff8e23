package crawl

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/format/warc"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// oddNet is the small web with some answers of a test's own.
type oddNet struct {
	*smallNet
	odd func(ctx context.Context, u weburl.URL) *fetch.Result // nil: the usual answer
}

func (n oddNet) Get(ctx context.Context, u weburl.URL, opts fetch.Options) (*fetch.Result, error) {
	if r := n.odd(ctx, u); r != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.asked[u.String()]++
		n.last[u.Host()] = time.Now()
		return r, nil
	}
	return n.smallNet.Get(ctx, u, opts)
}

// madeAnswer makes a result of a status, a field and a body.
func madeAnswer(u weburl.URL, status int, name, value, body string) *fetch.Result {
	return netResult(u, status, warc.Header{{Name: name, Value: value}}, body, time.Now())
}

// TestPanic wants a page on which the program panics to be recorded as failed and not
// to be asked for again, in this run or a later one.
func TestPanic(t *testing.T) {
	disk.Lazy()
	dir, net := t.TempDir(), newSmallNet()
	const broken, noRules = "http://h1.example/p4", "h3.example"
	odd := oddNet{net, func(_ context.Context, u weburl.URL) *fetch.Result {
		if u.String() == broken || u.Host() == noRules && u.Path() == "/robots.txt" {
			net.mu.Lock()
			net.asked[u.String()]++
			net.mu.Unlock()
			panic("odd answer")
		}
		return nil
	}}
	told := 0
	for run := range 2 {
		synctest.Test(t, func(t *testing.T) {
			cfg := testConfig(dir, odd)
			cfg.OnError = func(e *page.Error) {
				if e.Document == broken && strings.Contains(e.Error(), "odd answer") {
					told++
				}
			}
			report, err := Run(t.Context(), cfg)
			if err != nil || report.Reason != Exhausted || report.Reasons["failed"] != 1 || report.Langs["en"] == 0 {
				t.Errorf("run %d: %+v, %v", run, report, err)
			}
		})
	}
	if n := net.asked[broken]; n != 1 || told != 1 {
		t.Errorf("the page was asked for %d times, and %d errors name it", n, told)
	}
	if n := net.asked["http://"+noRules+"/robots.txt"]; n != Default.Schedule.Failures {
		t.Errorf("the robots.txt was asked for %d times", n)
	}
	for url := range net.asked {
		if strings.Contains(url, noRules) && !strings.HasSuffix(url, "/robots.txt") {
			t.Errorf("%s was asked for without a robots.txt", url)
		}
	}
	history := must.Get(ReadHistory(t.Context(), dir, nil))(t)
	for _, s := range history.Sites {
		if want := map[bool]int64{true: 1}[s.Origin == "http://h1.example"]; s.Reasons["failed"] != want {
			t.Errorf("%s: %v, want %d failed", s.Origin, s.Reasons, want)
		}
	}
}

// TestBusyForEver wants a crawl to end whose servers are busy for ever: all pages of a
// host, or one among others that are not.
func TestBusyForEver(t *testing.T) {
	disk.Lazy()
	dir, net := t.TempDir(), newSmallNet()
	odd := oddNet{net, func(_ context.Context, u weburl.URL) *fetch.Result {
		if u.Host() == "h2.example" && u.Path() != "/robots.txt" || u.Host() == "h4.example" && u.Path() == "/p2" || u.Host() == "h5.example" && u.Path() == "/robots.txt" {
			return madeAnswer(u, 503, "Retry-After", "1", "")
		}
		return nil
	}}
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig(dir, odd)
		cfg.Seeds = nil
		for i := range netHosts {
			cfg.Seeds = append(cfg.Seeds, fmt.Sprintf("http://h%d.example/", i))
		}
		report, err := Run(t.Context(), cfg)
		if err != nil || report.Reason != Exhausted {
			t.Fatalf("%+v, %v", report, err)
		}
		if report.Time > 12*time.Hour || report.Queued > 0 {
			t.Errorf("it took %v, %d URLs wait", report.Time, report.Queued)
		}
	})
	asked := map[string]int{}
	for url, n := range net.asked {
		u, _ := weburl.Parse(url, nil)
		asked[u.Host()] += n
		if n > 8 {
			t.Errorf("%s was asked for %d times", url, n)
		}
	}
	if asked["h2.example"] > 12 || asked["h5.example"] > 8 {
		t.Errorf("busy hosts were asked %v times", asked)
	}
	for i := range netPages {
		if url := fmt.Sprintf("http://h4.example/p%d", i); i != 2 && net.asked[url] != 1 {
			t.Errorf("%s was asked for %d times", url, net.asked[url])
		}
	}
}

// TestInterrupted wants an interrupted crawl to end at once, whatever its servers do,
// and nothing to be lost.
func TestInterrupted(t *testing.T) {
	disk.Lazy()
	dir, net := t.TempDir(), newSmallNet()
	slow := true
	odd := oddNet{net, func(ctx context.Context, u weburl.URL) *fetch.Result {
		if slow && u.Path() != "/robots.txt" {
			<-ctx.Done()
		}
		return nil
	}}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var at time.Time
		time.AfterFunc(time.Minute, func() { at = time.Now(); cancel() })
		report, err := Run(ctx, testConfig(dir, odd))
		if err != nil || report.Reason != Interrupted || time.Since(at) > 2*time.Second {
			t.Errorf("%+v, %v, %v after the interruption", report, err, time.Since(at))
		}
	})
	slow = false
	synctest.Test(t, func(t *testing.T) {
		must.Succeed(t, must.Err(Run(t.Context(), testConfig(dir, odd))))
	})
	checkCrawl(t, dir, net, 2) // the page that was asked for then
}

// TestInterruptedStart wants a crawl that is interrupted while it reads its journal to
// end there.
func TestInterruptedStart(t *testing.T) {
	disk.Lazy()
	dir, net := t.TempDir(), newSmallNet()
	synctest.Test(t, func(t *testing.T) {
		var left atomic.Int64
		left.Store(60)
		defer disk.Watch(func(disk.Op, string) error {
			if left.Add(-1) < 0 {
				return disk.ErrDead
			}
			return nil
		})()
		must.Is(t, must.Err(Run(t.Context(), testConfig(dir, net))), disk.ErrDead)
	})
	before := must.Read(t, journalName(dir, 1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	must.Is(t, must.Err(Run(ctx, testConfig(dir, net))), context.Canceled)
	if after, err := os.ReadFile(journalName(dir, 1)); err != nil || string(after) != string(before) {
		t.Errorf("the journal was changed: %v", err)
	}
}

// TestBadSeeds wants seeds that cannot be used to be reported, and the others to be
// crawled.
func TestBadSeeds(t *testing.T) {
	disk.Lazy()
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig(t.TempDir(), newSmallNet())
		bad := []string{"ftp://h1.example/", "http://h1.example/a/a/a/a/a/a/", "nodot"}
		cfg.Seeds = append(bad, "http://h0.example/")
		var told []string
		cfg.OnError = func(e *page.Error) { told = append(told, e.Error()) }
		report, err := Run(t.Context(), cfg)
		if err != nil || report.Langs["en"] == 0 {
			t.Errorf("%+v, %v", report, err)
		}
		if len(told) != len(bad) {
			t.Errorf("%d seeds are reported: %q", len(told), told)
		}
		cfg.Dir, cfg.Seeds = t.TempDir(), bad
		if _, err := Run(t.Context(), cfg); err == nil {
			t.Error("a crawl without a seed that can be used began")
		}
	})
}

// TestBegun compares the seeds of a large crawl; a comparison of each seed with each
// other one would take minutes.
func TestBegun(t *testing.T) {
	testkit.Slow(t)
	disk.Lazy()
	cfg := testConfig(t.TempDir(), newSmallNet())
	cfg.Seeds = nil
	for i := range 100_000 {
		cfg.Seeds = append(cfg.Seeds, fmt.Sprintf("http://h%d.example/x%d", i%netHosts, i))
	}
	synctest.Test(t, func(t *testing.T) {
		cfg.MaxTime = time.Second
		must.Succeed(t, must.Err(Run(t.Context(), cfg)))
	})
	for _, c := range []struct {
		seeds []string
		want  bool
	}{{cfg.Seeds, true}, {cfg.Seeds[50_000:], true}, {[]string{"nodot"}, true}, {append(cfg.Seeds[:9:9], "http://h1.example/other"), false}} {
		if ok, err := StartedWith(cfg.Dir, c.seeds); ok != c.want || err != nil {
			t.Errorf("%d seeds: %v, %v", len(c.seeds), ok, err)
		}
	}
}

// TestFewNewURLs wants the last new URLs of a host to be requested while another host waits for a day.
func TestFewNewURLs(t *testing.T) {
	disk.Lazy()
	dir, net := t.TempDir(), newSmallNet()
	links := map[string]string{"/a59": "<a href=/b>b</a>", "/b": "<a href=/c>c</a>"}
	for i := range 60 {
		links["/"] += fmt.Sprintf("<a href=/a%d>a</a>", i)
	}
	odd := oddNet{net, func(_ context.Context, u weburl.URL) *fetch.Result {
		switch {
		case u.Path() == "/robots.txt":
			return madeAnswer(u, 404, "Content-Type", "text/plain", "")
		case u.Host() == "h1.example":
			return madeAnswer(u, 503, "Retry-After", "86400", "")
		}
		return madeAnswer(u, 200, "Content-Type", "text/html", links[u.Path()]+"<p>The heron stands in the water of "+u.Path())
	}}
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig(dir, odd)
		cfg.Seeds, cfg.MaxTime = []string{"http://h0.example/", "http://h1.example/"}, time.Hour
		must.Succeed(t, must.Err(Run(t.Context(), cfg)))
	})
	if n := net.asked["http://h0.example/c"]; n != 1 {
		t.Errorf("the last page was requested %d times", n)
	}
}

package crawl

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/robots"
	"chaffinch/crawl/scope"
	"chaffinch/format/warc"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// openWorker opens a worker for the small web.
func openWorker(t *testing.T, dir string, from Fetcher) *Worker {
	t.Helper()
	return must.Get(NewWorker(testConfig(dir, from)))(t)
}

// TestWorker visits pages at the same time and wants delays and robots.txt to be obeyed.
func TestWorker(t *testing.T) {
	disk.Lazy()
	dir, net := t.TempDir(), newSmallNet()
	synctest.Test(t, func(t *testing.T) {
		w := openWorker(t, dir, net)
		var all sync.WaitGroup
		visits := sync.Map{}
		visit := func(url string) {
			all.Go(func() {
				v, err := w.Visit(t.Context(), url, 3, "http://from.example/")
				if err != nil {
					t.Errorf("%s: %v", url, err)
					return
				}
				visits.Store(url, v)
			})
		}
		for host := range 3 {
			for _, path := range []string{"/", "/p1", "/p2", "/secret", "/mine/x"} {
				visit(fmt.Sprintf("http://h%d.example%s", host, path))
			}
		}
		visit("http://gone.example/")
		visit("ftp://h1.example/")
		all.Wait()
		must.Succeed(t, w.Sync())
		must.Succeed(t, w.Close())
		get := func(url string) *Visit {
			v, ok := visits.Load(url)
			if !ok {
				t.Fatalf("%s: no visit", url)
			}
			return v.(*Visit)
		}
		if v := get("http://h1.example/p1"); v.Status != 200 || v.Reason != "" || v.Lang != "en" || len(v.Links) == 0 {
			t.Errorf("%+v", v)
		}
		for url, want := range map[string]string{"http://h2.example/secret": ReasonRobots, "ftp://h1.example/": ReasonInvalid} {
			if v := get(url); v.Reason != want || v.Status != 0 {
				t.Errorf("%s: %+v, wanted %s", url, v, want)
			}
		}
		if v := get("http://gone.example/"); v.Failed == "" {
			t.Errorf("%+v", v)
		}
	})
	if net.gap < Default.Schedule.Delay {
		t.Errorf("%v between two requests to a host", net.gap)
	}
	if n := net.asked["http://h1.example/secret"] + net.asked["http://gone.example/"]; n > 0 {
		t.Errorf("%d requests that were not allowed", n)
	}
	for url, n := range net.asked {
		if n > 1 {
			t.Errorf("%s: %d requests", url, n)
		}
	}
	text := string(must.Read(t, textName(dir)))
	if n := strings.Count(text, "\n"); n < 6 || strings.Contains(text, "/mine/") {
		t.Errorf("%d records:\n%s", n, text)
	}
}

// TestWorkerReservations fails if a worker treats opt-outs of sites otherwise than a crawl.
func TestWorkerReservations(t *testing.T) {
	disk.Lazy()
	const rule = `[{"location": "/reserved", "tdm-reservation": 1}]`
	hosts := map[string]struct {
		optoutAnswer
		reason string // of the last visit to /reserved
		visits int    // until it succeeds
		asked  int    // requests for tdmrep.json
	}{
		"reserved.example": {optoutAnswer{status: 200, body: rule}, optedOut, 1, 1},
		"missing.example":  {optoutAnswer{status: 404, body: rule}, "", 1, 1},
		"reset.example":    {optoutAnswer{fails: true}, "", 3, 3},
		"busy.example":     {optoutAnswer{status: 503}, "", 3, 3},
		"denied.example":   {optoutAnswer{status: 200, body: rule, robots: "Disallow: /.well-known/"}, "", 1, 0},
		"header.example":   {optoutAnswer{status: 200, body: rule, header: "0"}, "", 1, 1},
		"signal.example":   {optoutAnswer{status: 404, robots: "Content-Signal: /reserved ai-train=no"}, optedOut, 1, 1},
	}
	net := &optoutNet{tdmrep: map[string]optoutAnswer{}}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := openWorker(t, dir, net)
		for host, h := range hosts {
			net.tdmrep[host] = h.optoutAnswer
			v, visits := &Visit{}, 0
			for v.Status == 0 && visits < 5 {
				v = must.Get(w.Visit(t.Context(), "http://"+host+"/reserved", 0, ""))(t)
				visits++
			}
			if v.Status != 200 || v.Reason != h.reason || visits != h.visits {
				t.Errorf("%s: %+v after %d visits, wanted reason %q after %d", host, v, visits, h.reason, h.visits)
			}
			must.Err(w.Visit(t.Context(), "http://"+host+"/", 0, ""))
			asked := map[string]int{}
			for _, url := range net.asked {
				asked[url]++
			}
			if n := asked["http://"+host+robots.ReservationsPath]; n != h.asked || asked["http://"+host+"/robots.txt"] != 1 {
				t.Errorf("%s: %d requests for tdmrep.json, wanted %d; %d for robots.txt", host, n, h.asked, asked["http://"+host+"/robots.txt"])
			}
		}
		must.Succeed(t, w.Sync())
		must.Succeed(t, w.Close())
	})
	optouts := map[string]string{}
	eachRecord(t, dir, func(rec *warc.Record) {
		if rec.Type == "response" {
			optouts[rec.URI] += rec.Header.Get(warc.Optout)
		}
	})
	if got := optouts["http://reserved.example/reserved"]; got != "tdmrep.json: 1" {
		t.Errorf("the archive has the opt-out %q", got)
	}
}

// TestWorkerKilled wants a worker that is opened again to remove what no Sync stored, and to wait
// for the hosts.
func TestWorkerKilled(t *testing.T) {
	disk.Lazy()
	dir, net := t.TempDir(), newSmallNet()
	synctest.Test(t, func(t *testing.T) {
		var sizes [3]string
		for i := range sizes {
			w := openWorker(t, dir, net)
			for k := range 2 {
				must.Err(w.Visit(t.Context(), fmt.Sprintf("http://h1.example/p%d", 1+k), 0, ""))
				if k == 0 {
					must.Succeed(t, w.Sync())
				}
			}
			must.Succeed(t, w.Close())
			sizes[i] = string(must.Read(t, textName(dir)))
		}
		for i, text := range sizes {
			if got := strings.Count(text, "\n"); got != i+2 || strings.Count(text, `"url":"http://h1.example/p2"`) != 1 {
				t.Errorf("run %d: %d records", i, got)
			}
		}
	})
	if net.gap < Default.Schedule.Delay {
		t.Errorf("%v between two requests to a host", net.gap)
	}
	_, err := Run(t.Context(), testConfig(dir, net))
	must.Fail(t, err, "folder of a frontier client")
}

// TestWorkerFullDisk fails if a worker writes after a record that the disk took only in part.
func TestWorkerFullDisk(t *testing.T) {
	disk.Lazy()
	dir, net := t.TempDir(), newSmallNet()
	synctest.Test(t, func(t *testing.T) {
		w := openWorker(t, dir, net)
		must.Err(w.Visit(t.Context(), "http://h1.example/p1", 0, ""))
		must.Succeed(t, w.Sync())
		stop := disk.Watch(func(op disk.Op, path string) error {
			if op == disk.OpWrite && strings.HasSuffix(path, ".warc.gz") {
				return syscall.ENOSPC
			}
			return nil
		})
		must.Is(t, must.Err(w.Visit(t.Context(), "http://h1.example/p2", 0, "")), syscall.ENOSPC)
		stop()
		must.Is(t, must.Err(w.Visit(t.Context(), "http://h1.example/p3", 0, "")), syscall.ENOSPC)
		must.Is(t, w.Sync(), syscall.ENOSPC)
		must.Succeed(t, w.Close())
		w = openWorker(t, dir, net)
		must.Err(w.Visit(t.Context(), "http://h1.example/p2", 0, ""))
		must.Succeed(t, w.Sync())
		must.Succeed(t, w.Close())
	})
	must.Succeed(t, checkGzip([]byte(must.Read(t, archiveName(dir, 1)))))
	if text := string(must.Read(t, textName(dir))); strings.Count(text, "\n") != 2 {
		t.Errorf("%d records, wanted 2", strings.Count(text, "\n"))
	}
}

// TestWorkerEnds wants a visit to end with its context, and the host to stay usable.
func TestWorkerEnds(t *testing.T) {
	disk.Lazy()
	synctest.Test(t, func(t *testing.T) {
		net := newSmallNet()
		odd := oddNet{net, func(_ context.Context, u weburl.URL) *fetch.Result {
			if u.Path() == "/panic" {
				panic("odd answer")
			}
			return nil
		}}
		w := openWorker(t, t.TempDir(), odd)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := w.Visit(ctx, "http://h1.example/p1", 0, ""); !errors.Is(err, context.DeadlineExceeded) { // robots.txt takes part of the second, the delay the rest
			t.Errorf("%v, wanted the end of the context", err)
		}
		if v, err := w.Visit(t.Context(), "http://h1.example/panic", 0, ""); err != nil || v.Reason != ReasonFailed {
			t.Errorf("%+v, %v", v, err)
		}
		if v, err := w.Visit(t.Context(), "http://h1.example/p1", 0, ""); err != nil || v.Status != 200 {
			t.Errorf("%+v, %v", v, err)
		}
		must.Succeed(t, w.Close())
	})
}

// TestWorkerRefuses wants settings and folders that a worker cannot use to be errors.
func TestWorkerRefuses(t *testing.T) {
	cfg := testConfig(t.TempDir(), newSmallNet())
	cfg.Scope.Within = scope.Host
	_, err := NewWorker(cfg)
	must.Fail(t, err, "a frontier has no seeds")
	cfg = testConfig(t.TempDir(), newSmallNet())
	must.Write(t, filepath.Join(cfg.Dir, settingsName), `{"version":4}`)
	if _, err := NewWorker(cfg); err == nil {
		t.Error("the folder of a crawl is used")
	}
}

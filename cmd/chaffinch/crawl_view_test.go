package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chaffinch/crawl"
	"chaffinch/crawl/schedule"
)

// crawlStatus is the status of a generated crawl.
func crawlStatus() crawl.Snapshot {
	return crawl.Snapshot{
		Time: 90 * time.Second, Totals: schedule.Totals{Pages: 300, Bytes: 40_000_000, Clean: 2_000_000, RecentBytes: 100, RecentClean: 10},
		Hosts: 7, Queued: 1234, Running: 5,
		Langs: map[string]int64{"gd": 100, "ga": 20}, Reasons: map[string]int64{"lang": 150, "duplicate": 30}, Failures: map[string]int64{"no-name": 2},
		Rules:   map[string]int64{"nontext.probability": 9},
		Failing: []crawl.FailingHost{{Name: "c.example", Failures: 20, Reason: "no-answer"}},
		Best:    []crawl.HostStatus{{Name: "a.example", Pages: 100, Bytes: 1_000_000, Clean: 500_000}},
		Worst:   []crawl.HostStatus{{Name: "b.example", Pages: 100, Bytes: 20_000_000}},
	}
}

// TestCrawlLines wants all that a person looks for in the lines of a crawl.
func TestCrawlLines(t *testing.T) {
	before := crawlStatus()
	before.Time, before.Totals.Pages = 89*time.Second, 250
	got := strings.Join(crawlLines(crawlStatus(), before), "\n")
	want := `1m30s  300 pages, 50/s, 2.0 MB text of 40.0 MB, yield 5.00 %, recently 10.00 %
7 hosts, 1,234 URLs queued, 5 requests running
text:      gd 100, ga 20
no text:   lang 150, duplicate 30
filtered:  nontext.probability 9
no response: no-name 2
failing:   c.example  20 requests in a row, no-answer
best:      a.example  100 pages, 500.0 kB text, yield 50.00 %
worst:     b.example  100 pages, 0 B text, yield 0.00 %`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCrawlMetrics asks for the figures as a monitor does.
func TestCrawlMetrics(t *testing.T) {
	m := &crawlMetrics{}
	get := func(method, path string) (int, string) {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		return w.Code, w.Body.String()
	}
	if code, _ := get("GET", "/healthz"); code != http.StatusServiceUnavailable {
		t.Errorf("/healthz of a crawl that has said nothing for long: %d", code)
	}
	m.see(crawlStatus())
	for _, c := range []struct {
		method, path string
		code         int
		want         string
	}{
		{"GET", "/healthz", 200, "ok\n"},
		{"GET", "/metrics", 200, "# TYPE chaffinch_crawl_pages_total counter\nchaffinch_crawl_pages_total 300\n"},
		{"GET", "/metrics", 200, "chaffinch_crawl_text_pages_total{lang=\"gd\"} 100\n"},
		{"GET", "/metrics", 200, "chaffinch_crawl_filtered_pages_total{rule=\"nontext.probability\"} 9\n"},
		{"GET", "/metrics", 200, "chaffinch_crawl_failures_total{reason=\"no-name\"} 2\n"},
		{"POST", "/metrics", 405, ""},
		{"GET", "/", 404, "/metrics"},
	} {
		if code, body := get(c.method, c.path); code != c.code || !strings.Contains(body, c.want) {
			t.Errorf("%s %s: %d %q, want %d %q", c.method, c.path, code, body, c.code, c.want)
		}
	}
}

package crawl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/format/warc"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// hosts and pages of the small web of these tests; every page links to others of
// its host and of the next one.
const (
	netHosts = 6
	netPages = 12
)

// smallNet is a web in memory. It records the requests.
type smallNet struct {
	mu    sync.Mutex
	asked map[string]int
	last  map[string]time.Time // end of the last answer, by host
	gap   time.Duration        // the shortest between two requests to a host
	year  string               // stands on each /p3
	alike bool                 // the pages /alone of all hosts are near-duplicates
	same  int                  // answers that a page is as it was
	blind bool                 // somebody else looks names up
}

func newSmallNet() *smallNet {
	return &smallNet{asked: map[string]int{}, last: map[string]time.Time{}, gap: time.Hour}
}

func (n *smallNet) Lookup(_ context.Context, host string) ([]netip.Addr, error) {
	if host == "gone.example" {
		return nil, errors.New("no such host")
	}
	if n.blind {
		return nil, nil
	}
	return []netip.Addr{netip.MustParseAddr("192.0.2." + host[1:2])}, nil
}

func (n *smallNet) Get(ctx context.Context, u weburl.URL, cond fetch.Options) (*fetch.Result, error) {
	began := time.Now()
	n.mu.Lock()
	n.asked[u.String()]++
	if last, ok := n.last[u.Host()]; ok {
		n.gap = min(n.gap, began.Sub(last))
	}
	n.mu.Unlock()
	select {
	case <-time.After(300 * time.Millisecond):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	n.mu.Lock()
	n.last[u.Host()] = time.Now()
	n.mu.Unlock()
	status, body, media := 200, "", "text/html; charset=utf-8"
	var host, number int
	fmt.Sscanf(u.Host(), "h%d.example", &host)
	switch {
	case u.Path() == "/robots.txt":
		body = "User-agent: *\nDisallow: /secret\nContent-Usage: /mine/ train-ai=n\nSitemap: /map.xml\n"
	case u.Path() == "/map.xml":
		media = "application/xml"
		body = "<urlset><url><loc>/p5</loc></url><url><loc>/alone</loc></url><url><loc>http://elsewhere.example/x</loc></url></urlset>"
	case u.Path() == "/alone":
		body = strings.ReplaceAll(netPage(host, 50), "boats", "boats, of which no page tells,")
		if n.alike {
			body = "<html><body><p>On the day of the big storm"
			for i := range 300 {
				body += fmt.Sprintf(" they counted %d waves in the harbour, and then", i)
			}
			body += fmt.Sprintf(" they went home for the year %d.</p></body></html>", host)
		}
	case u.Path() == "/":
		body = netPage(host, 0)
	case u.Path() == "/noindex" || u.Path() == "/mine/":
		body = strings.Replace(netPage(host, 99), "<title>", "<meta name=robots content='"+strings.Trim(u.Path(), "/")+"'><title>", 1)
	default:
		if _, err := fmt.Sscanf(u.Path(), "/p%d", &number); err != nil || number >= netPages {
			status = 404
		}
		body = netPage(host, number)
		if number == 3 {
			body = strings.ReplaceAll(body, "harbour", "harbour"+n.year)
		}
	}
	fields := warc.Header{{Name: "Content-Type", Value: media}}
	if number > 4 { // others have no validator
		tag := fmt.Sprintf(`"%d"`, len(body))
		fields.Set("ETag", tag)
		if cond.ETag == tag {
			status, body = 304, ""
			n.mu.Lock()
			n.same++
			n.mu.Unlock()
		}
	}
	res := netResult(u, status, fields, body, began)
	if host == 1 && number == 3 { // as if it had been asked by https
		res.TLS = &fetch.TLS{Fault: "x509: certificate is valid for\r\nevil: 1, not h1.example"}
	}
	return res, nil
}

// netResult returns the result of a request that began at a time and ends now.
func netResult(u weburl.URL, status int, fields warc.Header, body string, began time.Time) *fetch.Result {
	head := fmt.Sprintf("HTTP/1.1 %d X\r\n", status)
	for _, f := range fields {
		head += f.Name + ": " + f.Value + "\r\n"
	}
	head += fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))
	return &fetch.Result{
		Request: []byte("GET " + u.Target() + " HTTP/1.1\r\nHost: " + u.Host() + "\r\n\r\n"), Response: []byte(head + body), Head: len(head),
		Status: status, Header: fields, Body: []byte(body), IP: netip.MustParseAddr("192.0.2.1"), Start: began, Total: time.Since(began),
	}
}

func netPage(host, number int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><html lang=en><title>Page %d of host %d</title><body><nav>", number, host)
	for i := range 3 {
		fmt.Fprintf(&b, "<a href=/p%d>page</a> <a href='/p%d' rel=nofollow>page</a> ", (number*2+i)%netPages, 77)
	}
	fmt.Fprintf(&b, "<a href='//h%d.example/'>next</a> <a href=/secret/%d>secret</a> <a href=/noindex>a</a> <a href=/mine/>b</a></nav><h1>Page %d of host %d</h1><article>", (host+1)%netHosts, number, number, host)
	r := rand.New(rand.NewPCG(uint64(host), uint64(number))) // for pages unlike each other
	b.WriteString("<p>They brought")
	for range 30 {
		fmt.Fprintf(&b, " %d barrels and", r.IntN(1e6))
	}
	b.WriteString(" a cat to the harbour.</p>")
	for i := range 4 {
		fmt.Fprintf(&b, "<p>The boats of harbour number %d went out to the banks in the morning, %d of them, and came back with the tide late in the evening, as they had done on day %d of the year before that one.</p>", host, number, number*7+i)
	}
	return b.String() + "</article></body></html>"
}

func testConfig(dir string, net Fetcher) Config {
	cfg := Default
	cfg.Dir, cfg.Fetcher, cfg.Contact, cfg.Seeds = dir, net, "corpus@example.org", []string{"http://h0.example/", "gone.example"}
	cfg.Workers, cfg.Connections = 1, 4
	return cfg
}

// TestRun crawls the small web to its end and looks at all that is there then.
func TestRun(t *testing.T) {
	disk.Lazy()
	dir := t.TempDir()
	net := newSmallNet()
	var report *Result
	synctest.Test(t, func(t *testing.T) {
		var err error
		if report, err = Run(t.Context(), testConfig(dir, net)); err != nil {
			t.Fatal(err)
		}
	})
	if report.Reason != Exhausted {
		t.Errorf("the crawl ended with %q", report.Reason)
	}
	checkCrawl(t, dir, net, 1)
	if net.gap < Default.Schedule.Delay {
		t.Errorf("a host was asked %v after its last answer, not before %v", net.gap, Default.Schedule.Delay)
	}
	if history, err := ReadHistory(t.Context(), dir, nil); err != nil {
		t.Error(err)
	} else if end, ok, err := ReadEnding(os.DirFS(dir)); err != nil || !ok || end.Reason != report.Reason {
		t.Errorf("ending %+v, %v, %v", end, ok, err)
	} else if s := history.Snapshot(); s.Totals.Pages != report.Totals.Pages || s.Totals.Clean != report.Totals.Clean || !maps.Equal(s.Reasons, report.Reasons) || !maps.Equal(s.Langs, report.Langs) || !maps.Equal(s.Failures, report.Failures) {
		t.Errorf("the journal tells of %+v, the report of %+v", s, report.Snapshot)
	}
	edges := 0
	history := must.Get(ReadHistory(t.Context(), dir, func(e Edge) error { edges++; return nil }))(t)
	var records, pages, links int64
	for _, s := range history.Sites {
		records, pages, links = records+s.Records, pages+s.Pages, links+s.LinkedFrom
	}
	if records != report.Langs["en"] || pages != report.Totals.Pages || links != netHosts*(netPages+4) || edges < int(links) {
		t.Errorf("the history has %d records, %d pages, %d links between hosts of %d; the report %d and %d", records, pages, links, edges, report.Langs["en"], report.Totals.Pages)
	}
	synctest.Test(t, func(t *testing.T) { // nothing is left
		before := len(net.asked)
		report, err := Run(t.Context(), testConfig(dir, net))
		if err != nil || report.Reason != Exhausted || len(net.asked) != before {
			t.Errorf("a second run: %+v, %v, %d URLs asked for, %d before", report, err, len(net.asked), before)
		}
	})
}

// checkCrawl fails if a page is missing in the records or was fetched more than
// most times, or if an archive is not valid.
func checkCrawl(t *testing.T, dir string, net *smallNet, most int) {
	t.Helper()
	records := map[string]int{}
	b := must.Read(t, filepath.Join(dir, "text.jsonl"))
	for line := range bytes.Lines(b) {
		var r struct{ URL, Text string }
		must.Succeed(t, json.Unmarshal(line, &r))
		if !strings.Contains(r.Text, "harbour") || strings.Contains(r.Text, "secret") {
			t.Errorf("%s has the text %q", r.URL, r.Text)
		}
		if strings.Contains(r.URL, "noindex") || strings.Contains(r.URL, "mine") {
			t.Errorf("%s has a record, against what it says", r.URL)
		}
		records[r.URL]++
	}
	for host := range netHosts {
		for number := range netPages {
			url, twin := fmt.Sprintf("http://h%d.example/p%d", host, number), ""
			if number == 0 {
				twin = fmt.Sprintf("http://h%d.example/", host)
			}
			if n := records[url] + records[twin]; n != 1 {
				t.Errorf("%s has %d records, want 1", url, n)
			}
		}
	}
	for host := range netHosts {
		if url := fmt.Sprintf("http://h%d.example/alone", host); records[url] != 1 {
			t.Errorf("%s, which stands in the sitemap alone, has %d records", url, records[url])
		}
	}
	for url, n := range net.asked {
		if strings.Contains(url, "secret") || strings.Contains(url, "p77") || strings.Contains(url, "elsewhere") {
			t.Errorf("%s was asked for", url)
		}
		if n > most {
			t.Errorf("%s was asked for %d times", url, n)
		}
	}
	archives, err := filepath.Glob(filepath.Join(dir, "warc", "*"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	responses := 0
	for _, name := range archives {
		f := must.Get(os.Open(name))(t)
		r := must.Get(warc.NewReader(f, warc.Default))(t)
		sum, err := warc.Check(r, func(x warc.Finding) { t.Errorf("%s: %v", filepath.Base(name), x) })
		if err != nil {
			t.Error(err)
		}
		responses += (sum.Records - 1) / 3 // with a request and metadata each
		f.Close()
	}
	if responses < len(net.asked) {
		t.Errorf("%d responses in the archives, %d URLs were asked for", responses, len(net.asked))
	}
}

// TestBlind crawls without knowing addresses, as through a proxy.
func TestBlind(t *testing.T) {
	disk.Lazy()
	dir, net := t.TempDir(), newSmallNet()
	net.blind = true
	synctest.Test(t, func(t *testing.T) {
		if report, err := Run(t.Context(), testConfig(dir, net)); err != nil || report.Reason != Exhausted {
			t.Fatalf("%+v, %v", report, err)
		}
	})
	checkCrawl(t, dir, net, 1)
}

// TestUnanswered fails if a crawl whose seeds do not answer runs for long.
func TestUnanswered(t *testing.T) {
	disk.Lazy()
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig(t.TempDir(), newSmallNet())
		cfg.Seeds = []string{"gone.example"}
		start := time.Now()
		report, err := Run(t.Context(), cfg)
		if err != nil || report.Reason != NoResponse || report.Failed != "https://gone.example: failed" || time.Since(start) > time.Minute {
			t.Errorf("after %v: %+v, %v", time.Since(start), report, err)
		}
	})
}

// TestKilled ends the program at many places and resumes each time.
func TestKilled(t *testing.T) {
	testkit.Slow(t)
	disk.Lazy()
	for _, step := range []int{9, 50} {
		dir := t.TempDir()
		net := newSmallNet()
		kills := 0
		for {
			var why EndReason
			synctest.Test(t, func(t *testing.T) {
				var left atomic.Int64
				left.Store(int64(step * (1 + kills*2)))
				stop := disk.Watch(func(disk.Op, string) error {
					if left.Add(-1) < 0 {
						return disk.ErrDead
					}
					return nil
				})
				defer stop()
				cfg := testConfig(dir, net)
				cfg.CheckpointEvents = 60
				report, err := Run(t.Context(), cfg)
				if err != nil && !errors.Is(err, disk.ErrDead) {
					t.Fatal(err)
				}
				if err == nil {
					why = report.Reason
				}
			})
			if t.Failed() {
				return
			}
			if why == Exhausted {
				break
			}
			kills++
		}
		checkCrawl(t, dir, net, 1+kills)
		t.Logf("every %d changes: %d kills", step, kills)
	}
}

package crawl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/render"
	"chaffinch/format/warc"
	"chaffinch/input"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// stub is a page without text whose script writes it.
const stub = `<!DOCTYPE html><html lang="en"><head><title>Harbour</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>`

// scriptedNet is a web in memory of two hosts with scripted pages, and a host with data.
type scriptedNet struct {
	mu    sync.Mutex
	asked map[string]int
	ended map[string]time.Time // end of the last answer, by host
	least map[string]time.Duration
}

func newScriptedNet() *scriptedNet {
	return &scriptedNet{asked: map[string]int{}, ended: map[string]time.Time{}, least: map[string]time.Duration{}}
}

func (n *scriptedNet) Lookup(_ context.Context, host string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr(fmt.Sprintf("192.0.2.%d", len(host)))}, nil
}

func (n *scriptedNet) Get(ctx context.Context, u weburl.URL, opts fetch.Options) (*fetch.Result, error) {
	n.mu.Lock()
	began := time.Now()
	n.asked[u.String()]++
	if last, ok := n.ended[u.Host()]; ok {
		if gap := began.Sub(last); n.least[u.Host()] == 0 || gap < n.least[u.Host()] {
			n.least[u.Host()] = gap
		}
	}
	n.mu.Unlock()
	time.Sleep(100 * time.Millisecond)
	n.mu.Lock()
	n.ended[u.Host()] = time.Now()
	n.mu.Unlock()
	status, media, body := 200, "text/html", stub
	switch {
	case u.Path() == "/robots.txt":
		media, body = "text/plain", "User-agent: *\nDisallow: /secret\n"
	case u.Path() == "/app.js":
		media, body = "text/javascript", "write()"
	case u.Host() == "data.example":
		media, body = "application/json", `{"text": "data"}`
	case u.Path() == "/secret", u.Path() == "/gone":
		status = 404
	}
	return netResult(u, status, warc.Header{{Name: "Content-Type", Value: media}}, body, began), nil
}

// fakeBrowser renders pages without a browser.
type fakeBrowser struct {
	mu       sync.Mutex
	rendered map[string]int
	refused  int
}

func (b *fakeBrowser) Render(ctx context.Context, p render.Page) (*render.Result, error) {
	b.mu.Lock()
	b.rendered[p.URL.String()]++
	b.mu.Unlock()
	for _, at := range []string{"/app.js", "https://data.example/of" + p.URL.Path(), "/secret"} {
		u, err := weburl.Parse(at, &p.URL)
		if err != nil {
			return nil, err
		}
		if _, err := p.Fetch(ctx, u, "*/*"); err != nil {
			b.mu.Lock()
			b.refused++
			b.mu.Unlock()
		}
	}
	var number int
	fmt.Sscanf(p.URL.Path(), "/p%d", &number)
	switch {
	case p.URL.Host() == "poor.example":
		return &render.Result{HTML: "<body><div id=root><p>Sign in</p></div><script src=/app.js></script>"}, nil
	case number == 3:
		return nil, &render.Error{Reason: render.Crashed, Err: errors.New("the browser ended")}
	}
	html := ""
	if number > 0 { // the first page has links only
		html = harbourText(number)
	}
	for i := range 6 {
		html += fmt.Sprintf("<a href=/p%d>next</a> ", i)
	}
	return &render.Result{HTML: "<body><div id=root>" + html + "</div><script src=/app.js></script>", Requests: 2}, nil
}

// harbourText returns the text of a page as HTML.
func harbourText(number int) string {
	html := fmt.Sprintf("<p>On the day of the big storm in the year %d the boats stayed in the harbour, and nobody went out before the evening of the third day.</p>", 1900+number)
	for i := range 10 {
		html += fmt.Sprintf("<p>They counted %d waves in the harbour from the window of house %d, and then they went home together.</p>", 7*number+i, number*i)
	}
	return html
}

// renderConfig returns the settings of a crawl of n.
func renderConfig(dir string, n *scriptedNet, b Renderer) Config {
	cfg := testConfig(dir, n)
	cfg.Seeds, cfg.Render, cfg.Renderer = []string{"https://rich.example/p0"}, RenderAuto, b
	for i := range 9 {
		cfg.Seeds = append(cfg.Seeds, fmt.Sprintf("https://poor.example/p%d", i))
	}
	return cfg
}

// archived returns the texts of the pages in the archives of a crawl as input reads them, by URL, and
// the counts of skipped records.
func archived(t *testing.T, dir string) (pages map[string]string, skipped map[string]int) {
	t.Helper()
	in := must.Get(input.Open([]string{filepath.Join(dir, "warc")}, input.Default))(t)
	defer in.Close()
	pages = map[string]string{}
	for p, err := range in.All() {
		must.Succeed(t, err)
		pages[p.URL] += string(p.Raw)
	}
	return pages, in.Skipped()
}

// TestRendered crawls scripted pages. The rendered text is kept, linked pages are found, requests of
// pages are archived and obey robots.txt and the delays, and hosts without gain are rendered three
// times. A later run renders nothing again.
func TestRendered(t *testing.T) {
	disk.Lazy()
	dir, n, b := t.TempDir(), newScriptedNet(), &fakeBrowser{rendered: map[string]int{}}
	var report *Result
	synctest.Test(t, func(t *testing.T) {
		report = must.Get(Run(t.Context(), renderConfig(dir, n, b)))(t)
	})
	if report.Reason != Exhausted || report.Langs["en"] != 4 || report.Reasons["scripted"] != 2+9 {
		t.Errorf("%+v, wanted 4 pages with text, and scripted pages: the list, the crashed page and the poor host", report)
	}
	want := map[string]int64{"rendered": 4, "crashed": 1, "no-gain": 1 + 3, "host-no-gain": 6}
	h := must.Get(ReadHistory(t.Context(), dir, nil))(t)
	if fmt.Sprint(report.Renders) != fmt.Sprint(want) || fmt.Sprint(h.Renders) != fmt.Sprint(want) {
		t.Errorf("rendered %v, by the journal %v, wanted %v", report.Renders, h.Renders, want)
	}
	if n.asked["https://rich.example/secret"] > 0 || n.asked["https://data.example/secret"] > 0 || b.refused != len(b.rendered) {
		t.Errorf("requests %v, %d refused: robots.txt disallows /secret", n.asked, b.refused)
	}
	if got := n.asked["https://rich.example/app.js"]; got != 1 || n.asked["https://data.example/robots.txt"] != 1 {
		t.Errorf("%d requests for the shared script: %v", got, n.asked)
	}
	for host, gap := range n.least {
		if gap < embedPause {
			t.Errorf("%s: %v between two requests, wanted at least %v", host, gap, embedPause)
		}
	}
	pages, skipped := archived(t, dir)
	for url, text := range pages {
		if url == "https://rich.example/p0" || url == "https://rich.example/p3" {
			continue
		}
		if rich := strings.HasPrefix(url, "https://rich"); rich != strings.Contains(text, "harbour") || rich && strings.Contains(text, "id=\"root\"") {
			t.Errorf("%s is read as %.200s", url, text)
		}
	}
	if len(pages) != 6+9 || skipped["embedded"] != 2+6+3 || skipped["rendered"] != 4 { // /app.js of each host, and data of each rendered page
		t.Errorf("%d pages, skipped %v", len(pages), skipped)
	}
	before := len(b.rendered)
	synctest.Test(t, func(t *testing.T) {
		again := must.Get(Run(t.Context(), renderConfig(dir, n, b)))(t)
		if fmt.Sprint(again.Renders) != fmt.Sprint(want) {
			t.Errorf("after a resume: rendered %v, wanted %v", again.Renders, want)
		}
	})
	if len(b.rendered) != before {
		t.Errorf("pages were rendered again: %v", b.rendered)
	}
}

// TestRenderedKilled ends the program at many places of such a crawl. The outputs are valid after
// each resume, and complete at the end.
func TestRenderedKilled(t *testing.T) {
	disk.Lazy()
	dir, n := t.TempDir(), newScriptedNet()
	b := &fakeBrowser{rendered: map[string]int{}}
	kills := 0
	for why := EndReason(""); why != Exhausted; kills++ {
		synctest.Test(t, func(t *testing.T) {
			left := 15 * (1 + kills)
			var mu sync.Mutex
			defer disk.Watch(func(disk.Op, string) error {
				mu.Lock()
				defer mu.Unlock()
				if left--; left < 0 {
					return disk.ErrDead
				}
				return nil
			})()
			cfg := renderConfig(dir, n, b)
			cfg.CheckpointEvents = 20
			report, err := Run(t.Context(), cfg)
			if err != nil && !errors.Is(err, disk.ErrDead) {
				t.Fatal(err)
			}
			if err == nil {
				why = report.Reason
			}
		})
		if t.Failed() || kills > 100 {
			t.Fatalf("%d kills", kills)
		}
	}
	h := must.Get(ReadHistory(t.Context(), dir, nil))(t)
	if h.Renders["rendered"] != 4 || h.Renders["crashed"] != 1 || h.Renders["no-gain"] != 1+3 || h.Renders["host-no-gain"] != 6 || kills < 3 {
		t.Errorf("after %d kills: rendered %v", kills, h.Renders)
	}
	records := map[string]int{}
	for line := range bytes.Lines(must.Read(t, filepath.Join(dir, "text.jsonl"))) {
		var r struct{ URL string }
		must.Succeed(t, json.Unmarshal(line, &r))
		records[r.URL]++
	}
	pages, _ := archived(t, dir)
	if len(records) != 4 || len(pages) != 6+9 {
		t.Errorf("records %v, %d pages in the archives", records, len(pages))
	}
	for url, count := range records {
		if count != 1 {
			t.Errorf("%s has %d records", url, count)
		}
	}
}

// TestNotRendered crawls scripted pages without a browser: they are dropped and counted.
func TestNotRendered(t *testing.T) {
	disk.Lazy()
	for mode, renders := range map[string]string{RenderNever: "map[]", RenderAuto: "map[no-browser:10]"} {
		n := newScriptedNet()
		synctest.Test(t, func(t *testing.T) {
			cfg := renderConfig(t.TempDir(), n, nil)
			cfg.Render, cfg.Renderer = mode, nil
			report := must.Get(Run(t.Context(), cfg))(t)
			if report.Reasons["scripted"] != 10 || fmt.Sprint(report.Renders) != renders || n.asked["https://rich.example/app.js"] > 0 {
				t.Errorf("%s: reasons %v, rendered %v, wanted 10 scripted pages, %s", mode, report.Reasons, report.Renders, renders)
			}
		})
	}
}

// TestRenderedByChromium crawls a page on this machine whose text comes from a script and a request,
// and a page that crashes.
func TestRenderedByChromium(t *testing.T) {
	testkit.Browser(t)
	disk.Lazy()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/robots.txt":
		case "/app.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, `fetch("/data"+location.pathname).then(r => r.text()).then(t => root.innerHTML = t)`)
		case "/data/":
			fmt.Fprint(w, harbourText(1)+"<a href=/crash>a</a>")
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, stub)
		case "/crash":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<div id=root></div><script>const a = []; for (;;) a.push(new Array(1e5).fill(a.length))</script>`)
		default:
			http.NotFound(w, q)
		}
	})}
	go server.Serve(l)
	defer server.Close()
	cfg := fetch.Default
	cfg.UserAgent, cfg.AllowPrivate = "chaffinch/0 (+corpus@example.org)", true
	client := must.Get(fetch.New(cfg))(t)
	defer client.Close()
	r := render.Default
	r.NoSandbox, r.Time = os.Geteuid() == 0, 2*time.Minute // enough to fill the heap on a busy machine
	pool := must.Get(render.New(r))(t)
	defer pool.Close()
	run := testConfig(t.TempDir(), client)
	run.Seeds, run.Render, run.Renderer = []string{"http://" + l.Addr().String() + "/"}, RenderAuto, pool
	run.Schedule.Delay, run.Schedule.AddressDelay, run.Schedule.Factor = 20*time.Millisecond, 20*time.Millisecond, 0
	report := must.Get(Run(t.Context(), run))(t)
	if report.Langs["en"] != 1 || report.Renders["rendered"] != 1 || report.Renders["crashed"]+report.Renders["memory"] != 1 || report.Reason != Exhausted {
		t.Errorf("%+v", report)
	}
}

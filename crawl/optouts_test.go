package crawl

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/robots"
	"chaffinch/format/warc"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// optoutNet is a web of hosts with a page / and a page /reserved, and a tdmrep.json each.
type optoutNet struct {
	mu    sync.Mutex
	asked []string // URLs in the order of the requests
	// tdmrep holds the responses by host: a status and a body.
	tdmrep map[string]optoutAnswer
}

type optoutAnswer struct {
	status int
	body   string
	fails  bool
	robots string // further lines of robots.txt
	header string // of /reserved
}

func (n *optoutNet) Lookup(context.Context, string) ([]netip.Addr, error) { return nil, nil }

func (n *optoutNet) Get(_ context.Context, u weburl.URL, _ fetch.Options) (*fetch.Result, error) {
	n.mu.Lock()
	n.asked = append(n.asked, u.String())
	a := n.tdmrep[u.Host()]
	n.mu.Unlock()
	began := time.Now()
	time.Sleep(100 * time.Millisecond)
	status, body := 200, ""
	fields := warc.Header{{Name: "Content-Type", Value: "text/html"}}
	var to weburl.URL
	switch u.Path() {
	case "/robots.txt":
		body = "User-agent: *\nDisallow: /no\n" + a.robots
	case robots.ReservationsPath:
		if a.fails {
			return nil, errors.New("reset")
		}
		if status, body = a.status, a.body; status == 301 {
			to, _ = weburl.Parse("/elsewhere.json", &u)
		}
		fields.Set("Content-Type", "application/json")
	case "/", "/reserved":
		body = fmt.Sprintf("<html lang=en><title>%s</title><p>The boats of %s%s went out to the banks in the morning, %d of them, and came back with the tide late in the evening, as they had done before.</p><p><a href=/reserved>more</a></p>", u.Host(), u.Host(), u.Path(), len(u.Host())*7)
		if a.header != "" && u.Path() == "/reserved" {
			fields.Set("TDM-Reservation", a.header)
		}
	default:
		status = 404
	}
	res := netResult(u, status, fields, body, began)
	res.Location = to
	return res, nil
}

// TestReservations crawls hosts with good and bad tdmrep.json files: rules are respected and stored, and
// no host loses pages, or gets further requests, for a bad file.
func TestReservations(t *testing.T) {
	disk.Lazy()
	const rule = `[{"location": "/reserved", "tdm-reservation": 1}]`
	hosts := map[string]struct {
		optoutAnswer
		keeps bool // the text of /reserved
		asked int  // requests for tdmrep.json
	}{
		"reserved.example": {optoutAnswer{status: 200, body: rule}, false, 1},
		"missing.example":  {optoutAnswer{status: 404, body: rule}, true, 1},
		"server.example":   {optoutAnswer{status: 500, body: rule}, true, 1},
		"moved.example":    {optoutAnswer{status: 301, body: rule}, true, 1},
		"empty.example":    {optoutAnswer{status: 200}, true, 1},
		"broken.example":   {optoutAnswer{status: 200, body: rule[:len(rule)-3]}, true, 1},
		"huge.example":     {optoutAnswer{status: 200, body: "[" + rule[1:len(rule)-1] + `, "` + strings.Repeat("x", 9<<20) + `"]`}, false, 1},
		"bomb.example":     {optoutAnswer{status: 200, body: strings.Repeat(`[`, 1<<20)}, true, 1},
		"reset.example":    {optoutAnswer{fails: true}, true, 3},
		"busy.example":     {optoutAnswer{status: 503}, true, 3},
		"denied.example":   {optoutAnswer{status: 200, body: rule, robots: "Disallow: /.well-known/"}, true, 0},
		"header.example":   {optoutAnswer{status: 200, body: rule, header: "0"}, true, 1},
		"signal.example":   {optoutAnswer{status: 404, robots: "Content-Signal: /reserved ai-train=no"}, false, 1},
	}
	net := &optoutNet{tdmrep: map[string]optoutAnswer{}}
	cfg := testConfig(t.TempDir(), net)
	cfg.Seeds = nil
	for host, h := range hosts {
		net.tdmrep[host] = h.optoutAnswer
		cfg.Seeds = append(cfg.Seeds, "http://"+host+"/")
	}
	// Two runs: the second one continues after a checkpoint.
	cfg.MaxPages = int64(len(hosts))
	for range 2 {
		synctest.Test(t, func(t *testing.T) { must.Succeed(t, must.Err(Run(t.Context(), cfg))) })
		cfg.MaxPages = 0
	}
	text := string(must.Read(t, filepath.Join(cfg.Dir, "text.jsonl")))
	for host, h := range hosts {
		if !strings.Contains(text, `"url":"http://`+host+`/"`) {
			t.Errorf("%s: its first page has no record", host)
		}
		if kept := strings.Contains(text, `"url":"http://`+host+`/reserved"`); kept != h.keeps {
			t.Errorf("%s: the second page has a record: %t, want %t", host, kept, h.keeps)
		}
		var order []string
		n := 0
		for _, url := range net.asked {
			if path, ok := strings.CutPrefix(url, "http://"+host); ok {
				order = append(order, path)
				if path == robots.ReservationsPath {
					n++
				}
			}
		}
		if n != h.asked || len(order) != 3+n || order[0] != "/robots.txt" || n > 0 && order[1] != robots.ReservationsPath {
			t.Errorf("%s: requests %q, want robots.txt, %d for tdmrep.json and two pages", host, order, h.asked)
		}
	}
	fields := map[string]string{}
	eachRecord(t, cfg.Dir, func(rec *warc.Record) {
		b, _ := io.ReadAll(rec)
		if rec.Type == "response" {
			fields[rec.URI] += rec.Header.Get(warc.Optout)
		} else if rec.Type == "metadata" {
			fields[rec.URI] += "\n" + string(b)
		}
	})
	for url, want := range map[string]string{
		"http://reserved.example/reserved": "tdmrep.json: 1\n",
		"http://signal.example/reserved":   "robots.txt content-signal: ai-train=no\n",
		"http://header.example/reserved":   "\n",
	} {
		if !strings.HasPrefix(fields[url], want) || want != "\n" && !strings.Contains(fields[url], "\noptout: "+strings.TrimSpace(want)+"\r\n") {
			t.Errorf("%s: the archive has %q, want %q", url, fields[url], want)
		}
	}
	h := must.Get(ReadHistory(t.Context(), cfg.Dir, nil))(t)
	if h.Optouts["tdmrep.json: 1"] != 2 || h.Optouts["robots.txt content-signal: ai-train=no"] != 1 || len(h.Sites) != len(hosts) {
		t.Errorf("%d hosts, opt-outs %v", len(h.Sites), h.Optouts)
	}
	info := must.Get(os.Stat(filepath.Join(cfg.Dir, "robots")))(t)
	if most := int64(2*robots.MaxReservationBytes + 10_000); info.Size() > most {
		t.Errorf("rules of %d bytes, want at most %d", info.Size(), most)
	}
}

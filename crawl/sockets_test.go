package crawl

import (
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/internal/disk"
	"chaffinch/internal/testkit/must"
)

// TestSockets crawls a web on sockets of 127/8, each host with a separate address, and judges
// the requests that the servers saw.
func TestSockets(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has all of 127/8")
	}
	disk.Lazy()
	const hosts, delay = 6, 30 * time.Millisecond
	var mu sync.Mutex
	var origins []string
	last := map[string]time.Time{} // beginning of the last request, by host
	running, asked, conns := map[string]int{}, map[string]int{}, map[string]int{}
	site := func(host int) http.HandlerFunc {
		return func(w http.ResponseWriter, q *http.Request) {
			mu.Lock()
			now, name := time.Now(), q.Host
			if was, ok := last[name]; ok && now.Sub(was) < delay {
				t.Errorf("%s%s: asked %v after the request before", name, q.URL.Path, now.Sub(was))
			}
			last[name] = now
			if running[name]++; running[name] > 1 {
				t.Errorf("%s: %d requests at once", name, running[name])
			}
			if asked[name+q.URL.Path]++; asked[name+q.URL.Path] > 1 {
				t.Errorf("%s%s: asked for again", name, q.URL.Path)
			}
			mu.Unlock()
			defer func() {
				mu.Lock()
				defer mu.Unlock()
				running[name]--
			}()
			switch path := q.URL.Path; {
			case path == "/robots.txt":
				fmt.Fprint(w, "User-agent: *\nDisallow: /secret\n")
			case strings.HasPrefix(path, "/secret"):
				t.Errorf("%s%s: robots.txt forbids it", name, path)
			default:
				number := 0
				fmt.Sscanf(path, "/p%d", &number)
				page := netPage(host, number)
				page = strings.ReplaceAll(page, fmt.Sprintf("//h%d.example/", (host+1)%netHosts), origins[(host+1)%hosts]+"/")
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprint(w, page)
			}
		}
	}
	for i := range hosts {
		l := must.Get(net.Listen("tcp", fmt.Sprintf("127.77.0.%d:0", i+1)))(t)
		server := &http.Server{Handler: site(i), ConnState: func(c net.Conn, s http.ConnState) {
			if s == http.StateNew {
				mu.Lock()
				defer mu.Unlock()
				conns[c.LocalAddr().String()]++
			}
		}}
		go server.Serve(l)
		defer server.Close()
		origins = append(origins, "http://"+l.Addr().String())
	}
	cfg := fetch.Default
	cfg.UserAgent, cfg.AllowPrivate = "chaffinch/0 (+corpus@example.org)", true
	client := must.Get(fetch.New(cfg))(t)
	defer client.Close()
	run := testConfig(t.TempDir(), client)
	run.Seeds = []string{origins[0] + "/"}
	run.Schedule.Delay, run.Schedule.AddressDelay, run.Schedule.Factor = delay, delay, 0
	report, err := Run(t.Context(), run)
	if err != nil || report.Reason != Exhausted {
		t.Fatalf("%+v, %v", report, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if n := report.Langs["en"]; n != hosts*netPages {
		t.Errorf("%d pages with text, want %d; %v", n, hosts*netPages, report.Snapshot)
	}
	for address, n := range conns {
		if n > 2 { // one, and one more if the server closed it
			t.Errorf("%s: %d connections", address, n)
		}
	}
	if len(conns) != hosts {
		t.Errorf("%d addresses were dialled, want %d", len(conns), hosts)
	}
}

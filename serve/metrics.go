package serve

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"time"

	"chaffinch/page"
	"chaffinch/serve/gate"
)

// seconds are the upper bounds of the histogram of times.
var seconds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// metrics counts what the server does.
type metrics struct {
	mu       sync.Mutex
	started  time.Time
	requests map[requestKind]int64
	times    map[string]*histogram // by route
	pages    map[string]int64      // by reason, "" for kept ones
}

type requestKind struct {
	route string
	code  int
}

type histogram struct {
	counts []int64 // by bound of seconds, the last one without a bound
	sum    float64
	n      int64
}

func newMetrics() *metrics {
	return &metrics{started: time.Now(), requests: map[requestKind]int64{}, times: map[string]*histogram{}, pages: map[string]int64{}}
}

// request counts an answer.
func (m *metrics) request(route string, code int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests[requestKind{route, code}]++
	h := m.times[route]
	if h == nil {
		h = &histogram{counts: make([]int64, len(seconds)+1)}
		m.times[route] = h
	}
	s := took.Seconds()
	i, _ := slices.BinarySearch(seconds, s)
	h.counts[i]++
	h.sum += s
	h.n++
}

// page counts a page.
func (m *metrics) page(p *page.Page) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pages[p.Drop.String()]++
}

// serve answers in the text format of Prometheus.
func (s *Server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	s.metrics.write(w, s.gate.Stats())
}

func (m *metrics) write(w io.Writer, g gate.Stats) {
	m.mu.Lock()
	defer m.mu.Unlock()
	head := func(name, kind, help string) {
		fmt.Fprintf(w, "# HELP chaffinch_%s %s\n# TYPE chaffinch_%[1]s %[3]s\n", name, help, kind)
	}
	one := func(name, kind, help string, value any) {
		head(name, kind, help)
		fmt.Fprintf(w, "chaffinch_%s %v\n", name, value)
	}
	head("requests_total", "counter", "Answers by route and status.")
	kinds := slices.SortedFunc(maps.Keys(m.requests), func(a, b requestKind) int {
		return slices.Compare([]string{a.route, fmt.Sprint(a.code)}, []string{b.route, fmt.Sprint(b.code)})
	})
	for _, k := range kinds {
		fmt.Fprintf(w, "chaffinch_requests_total{route=%q,code=\"%d\"} %d\n", k.route, k.code, m.requests[k])
	}
	head("request_seconds", "histogram", "Time from the head of a request to the end of its answer.")
	for _, route := range slices.Sorted(maps.Keys(m.times)) {
		h := m.times[route]
		below := int64(0)
		for i, bound := range seconds {
			below += h.counts[i]
			fmt.Fprintf(w, "chaffinch_request_seconds_bucket{route=%q,le=\"%g\"} %d\n", route, bound, below)
		}
		fmt.Fprintf(w, "chaffinch_request_seconds_bucket{route=%q,le=\"+Inf\"} %d\nchaffinch_request_seconds_sum{route=%[1]q} %[3]g\nchaffinch_request_seconds_count{route=%[1]q} %[2]d\n", route, h.n, h.sum)
	}
	head("pages_total", "counter", "Pages by the reason for which they were dropped, empty for those kept.")
	for _, reason := range slices.Sorted(maps.Keys(m.pages)) {
		fmt.Fprintf(w, "chaffinch_pages_total{reason=%q} %d\n", reason, m.pages[reason])
	}
	one("working_requests", "gauge", "Requests that are worked on.", g.Working)
	one("waiting_requests", "gauge", "Requests that wait for a place.", g.Waiting)
	one("body_bytes", "gauge", "Bytes of bodies in memory.", g.BodyBytes)
	one("refused_requests_total", "counter", "Requests refused since too much was going on.", g.Refused)
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	one("heap_bytes", "gauge", "Bytes of the heap in use.", mem.HeapInuse)
	one("goroutines", "gauge", "Goroutines.", runtime.NumGoroutine())
	one("uptime_seconds", "gauge", "Time since the start.", time.Since(m.started).Seconds())
}

package serve

import (
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"time"

	"chaffinch/internal/prometheus"
	"chaffinch/internal/sorts"
	"chaffinch/page"
	"chaffinch/serve/gate"
)

// seconds are the upper bounds of the histogram of times.
var seconds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// metrics holds the counters of the server.
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

// serveMetrics answers with all figures.
func (s *Server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	s.metrics.write(prometheus.New(w, "chaffinch_"), s.gate.Stats())
}

func (m *metrics) write(w prometheus.Writer, g gate.Stats) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w.Head("requests_total", "counter", "Responses by route and status.")
	kinds := slices.Collect(maps.Keys(m.requests))
	sorts.Func(kinds, func(a, b requestKind) int {
		return slices.Compare([]string{a.route, fmt.Sprint(a.code)}, []string{b.route, fmt.Sprint(b.code)})
	})
	for _, k := range kinds {
		w.Value("requests_total", fmt.Sprintf("route=%q,code=\"%d\"", k.route, k.code), m.requests[k])
	}
	w.Head("request_seconds", "histogram", "Time from the head of a request to the end of its response.")
	for _, route := range slices.Sorted(maps.Keys(m.times)) {
		h := m.times[route]
		below := int64(0)
		for i, bound := range seconds {
			below += h.counts[i]
			w.Value("request_seconds_bucket", fmt.Sprintf("route=%q,le=\"%g\"", route, bound), below)
		}
		of := fmt.Sprintf("route=%q", route)
		w.Value("request_seconds_bucket", of+`,le="+Inf"`, h.n)
		w.Value("request_seconds_sum", of, h.sum)
		w.Value("request_seconds_count", of, h.n)
	}
	w.Head("pages_total", "counter", "Pages by drop reason; empty for kept pages.")
	for _, reason := range slices.Sorted(maps.Keys(m.pages)) {
		w.Value("pages_total", fmt.Sprintf("reason=%q", reason), m.pages[reason])
	}
	w.One("working_requests", "gauge", "Requests in progress.", g.Working)
	w.One("waiting_requests", "gauge", "Requests in the queue.", g.Waiting)
	w.One("body_bytes", "gauge", "Bytes of request bodies in memory.", g.BodyBytes)
	w.One("refused_requests_total", "counter", "Requests refused because of overload.", g.Refused)
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	w.One("heap_bytes", "gauge", "Bytes of heap in use.", mem.HeapInuse)
	w.One("goroutines", "gauge", "Goroutines.", runtime.NumGoroutine())
	w.One("uptime_seconds", "gauge", "Time since the start.", time.Since(m.started).Seconds())
}

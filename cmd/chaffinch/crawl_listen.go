package main

import (
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"chaffinch/crawl"
	"chaffinch/internal/prometheus"
	"chaffinch/internal/sorts"
)

// stale is the age of a status after which a crawl, which reports once a second, is unhealthy.
const stale = time.Minute

// crawlMetrics serves the state of a crawl.
type crawlMetrics struct {
	mu     sync.Mutex
	status crawl.Snapshot
	at     time.Time
}

// serveMetrics listens at an address until stop is called. see updates the state of the
// crawl.
func serveMetrics(address string, con *console) (stop func(), see func(crawl.Snapshot), err error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, nil, err
	}
	fmt.Fprintf(con.err, "metrics: http://%s/metrics\n", l.Addr())
	m := &crawlMetrics{at: time.Now()}
	server := &http.Server{Handler: m, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	go server.Serve(l) // ends with the server
	return func() { server.Close() }, m.see, nil
}

func (m *crawlMetrics) see(s crawl.Snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.status, m.at = s, time.Now()
}

// ServeHTTP answers for /metrics and /healthz.
func (m *crawlMetrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	status, age := m.status, time.Since(m.at)
	m.mu.Unlock()
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
	case r.URL.Path == "/metrics":
		writeMetrics(prometheus.New(w, "chaffinch_crawl_"), status)
	case r.URL.Path == "/healthz" && age > stale:
		http.Error(w, fmt.Sprintf("no activity of the crawl for %v", age.Round(time.Second)), http.StatusServiceUnavailable)
	case r.URL.Path == "/healthz":
		fmt.Fprintln(w, "ok")
	default:
		http.Error(w, "wanted /metrics or /healthz", http.StatusNotFound)
	}
}

// writeMetrics writes the state of a crawl.
func writeMetrics(w prometheus.Writer, s crawl.Snapshot) {
	w.One("seconds_total", "counter", "Running time of the crawl.", s.Time.Seconds())
	w.One("pages_total", "counter", "Fetched pages.", s.Totals.Pages)
	w.One("bytes_total", "counter", "Decoded bytes of the pages.", s.Totals.Bytes)
	w.One("clean_bytes_total", "counter", "Bytes of new text in the wanted languages.", s.Totals.Clean)
	w.One("recent_yield", "gauge", "Share of clean text in the bytes of recent pages.", s.Totals.Recent())
	w.One("hosts", "gauge", "Known hosts.", s.Hosts)
	w.One("waiting_urls", "gauge", "Queued URLs.", s.Queued)
	w.One("running_requests", "gauge", "Running requests.", s.Running)
	counts := func(name, help, label string, counts map[string]int64) {
		w.Head(name, "counter", help)
		for _, k := range sorts.ByValue(counts) {
			w.Value(name, fmt.Sprintf("%s=%q", label, k), counts[k])
		}
	}
	counts("text_pages_total", "Pages with text by language.", "lang", s.Langs)
	counts("no_text_pages_total", "Pages without text by reason.", "reason", s.Reasons)
	counts("filtered_pages_total", "Pages dropped by filter rules, by rule.", "rule", s.Rules)
	counts("failures_total", "Requests without a response by reason.", "reason", s.Failures)
}

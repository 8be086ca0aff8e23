package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"chaffinch/crawl"
)

// stale is how old what is known of a crawl may be, which tells once a second.
const stale = time.Minute

// crawlMetrics serves how a crawl stands.
type crawlMetrics struct {
	mu     sync.Mutex
	status crawl.Status
	at     time.Time
}

// serveMetrics listens at an address until stop is called; see is told how the crawl
// stands.
func serveMetrics(address string, con *console) (stop func(), see func(crawl.Status), err error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, nil, err
	}
	fmt.Fprintf(con.err, "figures of the crawl: http://%s/metrics\n", l.Addr())
	m := &crawlMetrics{at: time.Now()}
	server := &http.Server{Handler: m, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	go server.Serve(l) // ends with the server
	return func() { server.Close() }, m.see, nil
}

func (m *crawlMetrics) see(s crawl.Status) {
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
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		writeMetrics(w, status)
	case r.URL.Path == "/healthz" && age > stale:
		http.Error(w, fmt.Sprintf("the crawl has said nothing for %v", age.Round(time.Second)), http.StatusServiceUnavailable)
	case r.URL.Path == "/healthz":
		fmt.Fprintln(w, "ok")
	default:
		http.Error(w, "there are /metrics and /healthz", http.StatusNotFound)
	}
}

// writeMetrics writes how a crawl stands in the text format of Prometheus.
func writeMetrics(w io.Writer, s crawl.Status) {
	metric := func(name, kind, help string, value any) {
		fmt.Fprintf(w, "# HELP chaffinch_crawl_%s %s\n# TYPE chaffinch_crawl_%[1]s %[3]s\nchaffinch_crawl_%[1]s %[4]v\n", name, help, kind, value)
	}
	metric("seconds_total", "counter", "Time that the crawl has run.", s.Time.Seconds())
	metric("pages_total", "counter", "Pages that were fetched.", s.Totals.Pages)
	metric("bytes_total", "counter", "Decoded bytes of the pages.", s.Totals.Bytes)
	metric("clean_bytes_total", "counter", "Bytes of new text in a wanted language.", s.Totals.Clean)
	metric("recent_yield", "gauge", "Share of clean text in the bytes of the last pages.", s.Totals.Recent())
	metric("hosts", "gauge", "Hosts that are known.", s.Hosts)
	metric("waiting_urls", "gauge", "URLs that wait.", s.Queued)
	metric("running_requests", "gauge", "Requests that run.", s.Running)
	counts := func(name, help, label string, counts map[string]int64) {
		fmt.Fprintf(w, "# HELP chaffinch_crawl_%s %s\n# TYPE chaffinch_crawl_%[1]s counter\n", name, help)
		for _, k := range byCount(counts) {
			fmt.Fprintf(w, "chaffinch_crawl_%s{%s=%q} %d\n", name, label, k, counts[k])
		}
	}
	counts("text_pages_total", "Pages with text by language.", "lang", s.Langs)
	counts("no_text_pages_total", "Pages without text by reason.", "reason", s.Reasons)
	counts("failures_total", "Requests without an answer by reason.", "reason", s.Failures)
}

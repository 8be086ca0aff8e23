package serve

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"chaffinch/corpus"
	"chaffinch/internal/testkit/must"
)

// endless is a query that takes hours on the corpus of endlessCorpus.
const endless = `[]* []* []* [word!="a"]`

func endlessCorpus(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "endless")
	must.Succeed(t, must.Err(corpus.Build(t.Context(), strings.NewReader(strings.Repeat("a\n", 9000)), dir, corpus.DefaultBuild)))
	return dir
}

// TestStopDuringQuery: a server that is stopped ends the queries that are still in progress after the
// grace, and unmaps no index under them.
func TestStopDuringQuery(t *testing.T) {
	s := start(t, Config{Corpora: map[string]string{"endless": endlessCorpus(t)}}).Server
	s.grace = 1
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	served, asked := make(chan error), make(chan error)
	go func() { served <- s.Serve(ctx, l) }()
	for range 2 {
		go func() {
			a, err := http.Get("http://" + l.Addr().String() + "/v1/corpora/endless/count?patt=" + url.QueryEscape(endless))
			if err == nil {
				a.Body.Close()
			}
			asked <- err
		}()
	}
	for s.gate.Stats().Working < 2 {
		runtime.Gosched()
	}
	stop()
	if err := <-served; err == nil || !strings.Contains(err.Error(), "still in progress") {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	for s.gate.Stats().Working > 0 {
		runtime.Gosched()
	}
	for range 2 {
		<-asked
	}
}

// TestFaultAnswered: a fault in a request is answered with status 500 and logged.
func TestFaultAnswered(t *testing.T) {
	s := start(t, Config{}).Server
	mux := http.NewServeMux()
	for name, h := range map[string]http.HandlerFunc{
		"before": func(http.ResponseWriter, *http.Request) { panic("fault") },
		"after":  func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("begun")); panic("fault") },
	} {
		w := &pipeAnswer{header: http.Header{}}
		err := func() (v any) {
			defer func() { v = recover() }()
			s.watched(mux, h).ServeHTTP(w, &http.Request{Method: "GET", URL: &url.URL{Path: "/"}, Header: http.Header{}})
			return nil
		}()
		if name == "before" && (err != nil || w.code != 500 || !strings.Contains(string(w.body), "fault of the program at serve/stop_test.go")) {
			t.Errorf("%s: %v, status %d: %s", name, err, w.code, w.body)
		}
		if name == "after" && err != http.ErrAbortHandler {
			t.Errorf("%s: %v", name, err)
		}
	}
}

package serve

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"chaffinch/internal/testkit/must"
)

// TestBusy: a server with all places taken and a full queue refuses at once, answers for
// its health, and works again when there is room.
func TestBusy(t *testing.T) {
	s := start(t, Config{Limits: Limits{Workers: 1, Queue: 1}})
	leave := must.Get(s.gate.Enter(t.Context()))(t)
	answered := make(chan int)
	go func() {
		a, err := http.Post(s.URL+"/v1/clean", "text/html", strings.NewReader(article))
		if err != nil {
			answered <- 0
			return
		}
		a.Body.Close()
		answered <- a.StatusCode
	}()
	for s.gate.Stats().Waiting == 0 {
		time.Sleep(time.Millisecond)
	}
	if a, got := s.post(t, "/v1/clean", "text/html", article); a.StatusCode != 503 || a.Header.Get("Retry-After") != "1" {
		t.Errorf("status %d, %v: %s", a.StatusCode, a.Header, got)
	}
	if a, _ := s.get(t, "/healthz"); a.StatusCode != 200 {
		t.Errorf("health: status %d", a.StatusCode)
	}
	leave()
	if code := <-answered; code != 200 {
		t.Errorf("the one that waited: status %d", code)
	}
	if a, _ := s.post(t, "/v1/clean", "text/html", article); a.StatusCode != 200 {
		t.Errorf("afterwards: status %d", a.StatusCode)
	}
	must.Succeed(t, must.Get(http.Head(s.URL+"/v1/about"))(t).Body.Close())
	_, m := s.get(t, "/metrics")
	for _, line := range []string{`chaffinch_requests_total{route="/v1/clean",code="200"} 2`, `chaffinch_requests_total{route="/v1/clean",code="503"} 1`, `chaffinch_requests_total{route="/v1/about",code="200"} 1`, "chaffinch_refused_requests_total 1", `chaffinch_pages_total{reason=""} 2`, "chaffinch_working_requests 0"} {
		if !strings.Contains(m, line+"\n") {
			t.Errorf("metrics lack %s", line)
		}
	}
}

// TestTime: a request that takes longer than it may is answered so.
func TestTime(t *testing.T) {
	s := start(t, Config{Limits: Limits{Workers: 1, Queue: 1, RequestTime: 20 * time.Millisecond}})
	leave := must.Get(s.gate.Enter(t.Context()))(t)
	defer leave()
	if a, got := s.post(t, "/v1/clean", "text/html", article); a.StatusCode != 504 {
		t.Errorf("status %d: %s", a.StatusCode, got)
	}
}

// TestLog: a line of JSON for each request, with its id and without its content.
func TestLog(t *testing.T) {
	s := start(t, Config{Token: "secret"})
	s.post(t, "/v1/clean?url=https%3A%2F%2Fprivate.example%2F", "text/html", article, "Authorization: Bearer secret", "X-Request-Id: mine-1", "Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	s.post(t, "/v1/clean", "text/html", article, "X-Request-Id: bad id\x80")
	s.http.Close() // waits for what is logged
	var lines []map[string]any
	for line := range strings.Lines(s.log.String()) {
		var m map[string]any
		must.Succeed(t, json.Unmarshal([]byte(line), &m))
		lines = append(lines, m)
	}
	if len(lines) != 2 || lines[0]["request_id"] != "mine-1" || lines[0]["status"] != 200.0 || lines[0]["path"] != "/v1/clean" || lines[0]["traceparent"] == nil || lines[1]["status"] != 401.0 || lines[1]["request_id"] == "bad id" {
		t.Errorf("log %v", lines)
	}
	if log := s.log.String(); strings.Contains(log, "secret") || strings.Contains(log, "private.example") {
		t.Errorf("the log tells too much: %s", log)
	}
}

// TestStop: open requests are answered before the server ends, new ones are not taken.
func TestStop(t *testing.T) {
	s := must.Get(New(Config{Limits: Limits{Workers: 1, Queue: 1}}))(t)
	defer s.Close()
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, l) }()
	leave := must.Get(s.gate.Enter(t.Context()))(t)
	answered := make(chan int)
	go func() {
		a, err := http.Post("http://"+l.Addr().String()+"/v1/clean", "text/html", strings.NewReader(article))
		if err != nil {
			answered <- 0
			return
		}
		a.Body.Close()
		answered <- a.StatusCode
	}()
	for s.gate.Stats().Waiting == 0 {
		time.Sleep(time.Millisecond)
	}
	stop()
	for !s.stopping.Load() {
		time.Sleep(time.Millisecond)
	}
	leave()
	if code := <-answered; code != 200 {
		t.Errorf("the open request: status %d", code)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

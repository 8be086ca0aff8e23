package gate

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"chaffinch/internal/testkit/must"
	"chaffinch/serve/problem"
)

// TestEnter fills places and queue: the next is refused, and what waits goes on when
// a place is free.
func TestEnter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Workers: 2, Queue: 1})
		var leave []func()
		for range 2 {
			l := must.Get(g.Enter(t.Context()))(t)
			leave = append(leave, l)
		}
		waited := make(chan error)
		go func() {
			l, err := g.Enter(t.Context())
			if err == nil {
				defer l()
			}
			waited <- err
		}()
		synctest.Wait()
		var p *problem.Problem
		if _, err := g.Enter(t.Context()); !errors.As(err, &p) || p.Status != http.StatusServiceUnavailable || p.GetHeaders().Get("Retry-After") != "1" {
			t.Errorf("the fourth: %v", err)
		}
		if s := g.Stats(); s != (Stats{Working: 2, Waiting: 1, Refused: 1}) {
			t.Errorf("stats %+v", s)
		}
		leave[0]()
		if err := <-waited; err != nil {
			t.Error(err)
		}
		leave[1]()
		synctest.Wait()
		if s := g.Stats(); s != (Stats{Refused: 1}) {
			t.Errorf("at the end %+v", s)
		}
	})
}

// TestEnterLeft: who does not want to wait any more takes no place.
func TestEnterLeft(t *testing.T) {
	g := New(Config{Workers: 1, Queue: 1})
	leave := must.Get(g.Enter(t.Context()))(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	must.Is(t, must.Err(g.Enter(gone)), context.Canceled)
	leave()
	if s := g.Stats(); s != (Stats{}) {
		t.Errorf("stats %+v", s)
	}
}

// TestGuard: clients and bodies are bounded while they are open, and free afterwards.
func TestGuard(t *testing.T) {
	g := New(Config{Workers: 1, Queue: 2, PerClient: 1, BodyBytes: 100, MaxBody: 60})
	var inside http.HandlerFunc
	h := g.Guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if inside != nil {
			next := inside
			inside = nil
			next(w, r)
		}
	}), "/stream")
	ask := func(from, path string, size int64) int {
		r := httptest.NewRequest("POST", path, strings.NewReader("x"))
		r.RemoteAddr, r.ContentLength = from, size
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	const far, other, near = "192.0.2.1:1000", "192.0.2.2:1000", "127.0.0.1:1000"
	for _, c := range []struct {
		what        string
		first, then func() int
		want        int
	}{
		{"a second request of a client", func() int { return ask(far, "/", 1) }, func() int { return ask("192.0.2.1:2000", "/", 1) }, 429},
		{"a request of another client", func() int { return ask(far, "/", 1) }, func() int { return ask(other, "/", 1) }, 200},
		{"a second request of an IPv6 network", func() int { return ask("[2001:db8:1:2::a]:1000", "/", 1) }, func() int { return ask("[2001:db8:1:2:ffff::b]:2000", "/", 1) }, 429},
		{"a request of another IPv6 network", func() int { return ask("[2001:db8:1:2::a]:1000", "/", 1) }, func() int { return ask("[2001:db8:1:3::a]:1000", "/", 1) }, 200},
		{"an IPv4 address as IPv6", func() int { return ask(far, "/", 1) }, func() int { return ask("[::ffff:192.0.2.1]:1000", "/", 1) }, 429},
		{"another IPv4 address as IPv6", func() int { return ask(far, "/", 1) }, func() int { return ask("[::ffff:192.0.2.2]:1000", "/", 1) }, 200},
		{"a link with a zone", func() int { return ask("[fe80::1%eth0]:1000", "/", 1) }, func() int { return ask("[fe80::2%eth0]:1000", "/", 1) }, 429},
		{"a second request of the machine itself by IPv6", func() int { return ask("[::1]:1000", "/", 1) }, func() int { return ask("[::1]:1000", "/", 1) }, 200},
		{"a second request of the machine itself", func() int { return ask(near, "/", 1) }, func() int { return ask(near, "/", 1) }, 200},
		{"bodies that have room", func() int { return ask(near, "/", 50) }, func() int { return ask(near, "/", 50) }, 200},
		{"a body without room", func() int { return ask(near, "/", 50) }, func() int { return ask(near, "/", 51) }, 503},
		{"a body of unknown length without room", func() int { return ask(near, "/", 50) }, func() int { return ask(near, "/", -1) }, 503},
		{"a stream takes no room", func() int { return ask(near, "/", 60) }, func() int { return ask(near, "/stream", 1000) }, 200},
		{"a body above the bound", func() int { return ask(near, "/", 1) }, func() int { return ask(near, "/", 61) }, 413},
	} {
		var got int
		inside = func(http.ResponseWriter, *http.Request) { got = c.then() }
		if first := c.first(); first != 200 {
			t.Errorf("%s: the first one got %d", c.what, first)
		}
		if got != c.want {
			t.Errorf("%s: status %d, wanted %d", c.what, got, c.want)
		}
		if s := g.Stats(); s.BodyBytes != 0 || len(g.clients) != 0 {
			t.Errorf("%s: left behind %+v, %v", c.what, s, g.clients)
		}
	}
}

// TestGuardBusy: where the queue is full, or too many bodies come at once, a request
// is refused before a byte of its body is read; what has none goes through.
func TestGuardBusy(t *testing.T) {
	g := New(Config{Workers: 1, Queue: 1, BodyBytes: 1000, MaxBody: 100})
	let := make(chan struct{})
	h := g.Guard(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.ContentLength > 0 {
			<-let
		}
	}))
	ask := func(body io.Reader) (status int, closes string) {
		r := httptest.NewRequest("POST", "/", body)
		if body != nil {
			r.ContentLength = 1
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Header().Get("Connection")
	}
	var open sync.WaitGroup
	for range g.mostBodies() {
		open.Go(func() { ask(strings.NewReader("x")) })
	}
	for g.bodies.Load() < g.mostBodies() {
		runtime.Gosched()
	}
	unread := iotest.ErrReader(errors.New("the body was read"))
	if status, closes := ask(unread); status != 503 || closes != "close" {
		t.Errorf("one body too many: %d, connection %q", status, closes)
	}
	if status, _ := ask(nil); status != 200 {
		t.Errorf("without a body: %d", status)
	}
	close(let)
	open.Wait()
	leave := must.Get(g.Enter(t.Context()))(t)
	waiting, stop := context.WithCancel(t.Context())
	open.Go(func() { g.Enter(waiting) })
	for g.waiting.Load() < 1 {
		runtime.Gosched()
	}
	if status, _ := ask(unread); status != 503 {
		t.Errorf("behind a full queue: %d", status)
	}
	stop()
	open.Wait()
	leave()
	if status, _ := ask(strings.NewReader("x")); status != 200 || g.bodies.Load() != 0 {
		t.Errorf("afterwards: %d, %d bodies", status, g.bodies.Load())
	}
}

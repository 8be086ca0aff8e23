// Package gate bounds the load of a server: concurrent work, waiting requests, and bytes of
// bodies in memory. Further requests are refused immediately, with the time after which to
// retry, so that an overloaded server stays fast for accepted requests. [New] returns a
// [Gate]; [Gate.Enter] waits for a place.
//
// Unstable: this package may change in any release.
package gate

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"chaffinch/serve/problem"
)

// Config bounds a Gate.
type Config struct {
	// Workers is the number of requests processed at once, Queue the number that may wait.
	Workers, Queue int
	// PerClient is the maximum number of open requests of an IPv4 address or IPv6 network
	// (/64), 0 for no maximum. Requests from this machine are not counted: they come from a
	// proxy.
	PerClient int
	// BodyBytes bounds the bodies in memory together, in bytes; a body of unknown length or
	// a compressed body counts with MaxBody, the limit of one body, until [Holds].
	BodyBytes, MaxBody int64
	// Form is the number of bytes by which a form may exceed MaxBody.
	Form int64
}

// Gate lets in what fits. It is safe for concurrent use.
type Gate struct {
	cfg     Config
	slots   chan struct{}
	waiting atomic.Int64
	bodies  atomic.Int64 // requests with bodies that were let in
	bytes   atomic.Int64
	refused atomic.Int64

	mu      sync.Mutex
	clients map[string]int
}

// New returns a Gate.
func New(cfg Config) *Gate {
	return &Gate{cfg: cfg, slots: make(chan struct{}, cfg.Workers), clients: map[string]int{}}
}

// retry is the time after which refused clients may retry.
const retry = time.Second

// Enter waits for a place to work in, which leave releases. The error is a problem (503) if
// too many requests wait already, or the error of ctx.
func (g *Gate) Enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.slots <- struct{}{}:
		return g.leave, nil
	default:
	}
	if g.waiting.Add(1) > int64(g.cfg.Queue) {
		g.waiting.Add(-1)
		return nil, g.refuse(http.StatusServiceUnavailable, "the server is busy: %d requests wait", g.cfg.Queue)
	}
	defer g.waiting.Add(-1)
	return g.Wait(ctx)
}

// Wait is like Enter without a limit on waiting requests, for accepted work such as the next
// page of a batch.
func (g *Gate) Wait(ctx context.Context) (leave func(), err error) {
	select {
	case g.slots <- struct{}{}:
		return g.leave, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (g *Gate) leave() { <-g.slots }

func (g *Gate) refuse(status int, format string, args ...any) *problem.Problem {
	g.refused.Add(1)
	p := problem.New(status, format, args...)
	p.Retry = retry
	return p
}

// Guard returns a handler that lets those requests through to next whose client has
// not too many open, and whose body has room beside the others. It refuses before a
// body is read, where it would have to wait in vain. streams are paths
// whose bodies are read bit by bit and take no room.
func (g *Gate) Guard(next http.Handler, streams ...string) http.Handler {
	free := map[string]bool{}
	for _, s := range streams {
		free[s] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if client, ok := g.counted(r); ok {
			if !g.open(client) {
				g.refuse(http.StatusTooManyRequests, "%d requests of this address or network are in progress", g.cfg.PerClient).Write(w)
				return
			}
			defer g.close(client)
		}
		if r.Body != nil && r.ContentLength != 0 && !free[r.URL.Path] {
			defer g.bodies.Add(-1)
			if g.bodies.Add(1) > g.mostBodies() || g.waiting.Load() >= int64(g.cfg.Queue) && len(g.slots) == cap(g.slots) {
				w.Header().Set("Connection", "close") // or the server would read the body first
				g.refuse(http.StatusServiceUnavailable, "the server is busy: %d requests wait", g.cfg.Queue).Write(w)
				return
			}
			size := r.ContentLength
			most := g.cfg.MaxBody + g.cfg.Form
			if size > most {
				problem.New(http.StatusRequestEntityTooLarge, "body: %d bytes: wanted at most %d", size, g.cfg.MaxBody).Write(w)
				return
			}
			if size < 0 || r.Header.Get("Content-Encoding") != "" {
				size = most
			}
			if g.bytes.Add(size) > g.cfg.BodyBytes {
				g.bytes.Add(-size)
				g.refuse(http.StatusServiceUnavailable, "the server is busy: not enough memory for a body of %d bytes", size).Write(w)
				return
			}
			h := &bodyBytes{gate: g}
			h.bytes.Store(size)
			defer h.holds(0)
			r = r.WithContext(context.WithValue(r.Context(), bodyBytesKey{}, h))
		}
		next.ServeHTTP(w, r)
	})
}

// bodyBytes is the bytes that the body of a request takes.
type bodyBytes struct {
	gate  *Gate
	bytes atomic.Int64
}

type bodyBytesKey struct{}

func (h *bodyBytes) holds(n int64) { h.gate.bytes.Add(n - h.bytes.Swap(n)) }

// Holds sets the size of a request's body after it was read, which is less than counted for
// a body of unknown length or a compressed one.
func Holds(ctx context.Context, n int64) {
	if h, ok := ctx.Value(bodyBytesKey{}).(*bodyBytes); ok {
		h.holds(n)
	}
}

// mostBodies returns the maximum number of requests with bodies: the requests that have a
// place or may wait, and as many whose bodies are still being received, so that slow clients
// do not take the places of fast ones.
func (g *Gate) mostBodies() int64 { return 2 * int64(g.cfg.Workers+g.cfg.Queue) }

// counted returns the client whose requests are counted.
func (g *Gate) counted(r *http.Request) (client string, ok bool) {
	if g.cfg.PerClient <= 0 {
		return "", false
	}
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return "", false
	}
	return clientOf(at.Addr()), !at.Addr().Unmap().IsLoopback()
}

// clientOf returns the key by which requests from an address are counted: an IPv4 address, or
// the first 64 bits of an IPv6 address, since a client has all addresses of its network (RFC 6177).
func clientOf(a netip.Addr) string {
	if a = a.Unmap().WithZone(""); a.Is4() {
		return a.String()
	}
	return netip.PrefixFrom(a, 64).Masked().String()
}

func (g *Gate) open(client string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.clients[client] >= g.cfg.PerClient {
		return false
	}
	g.clients[client]++
	return true
}

func (g *Gate) close(client string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.clients[client]--; g.clients[client] == 0 {
		delete(g.clients, client)
	}
}

// Stats holds the state of a Gate.
type Stats struct {
	Working, Waiting int64
	BodyBytes        int64
	Refused          int64 // since the start
}

// Stats returns the state of g.
func (g *Gate) Stats() Stats {
	return Stats{int64(len(g.slots)), g.waiting.Load(), g.bytes.Load(), g.refused.Load()}
}

package fetch

import (
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// pool has the connections that wait for another request, at most one for each IP
// address: a crawler has one connection to a server.
type pool struct {
	wait time.Duration // how long one waits
	most int

	mu     sync.Mutex
	idle   map[netip.Addr]*idle
	oldest []*idle // in the order in which they came, with those that are gone
}

// idle is a connection that waits. A goroutine reads from it, so that it is known when
// the server closes it.
type idle struct {
	conn   net.Conn
	addr   netip.Addr
	origin string // scheme, host and port
	tls    *TLS
	ended  chan struct{} // closed when the goroutine has ended
	broken bool          // the server closed, or said what nobody asked
}

func newPool(wait time.Duration, most int) *pool {
	return &pool{wait: wait, most: most, idle: map[netip.Addr]*idle{}}
}

// put has a connection wait, and closes it when nobody has taken it in time.
func (p *pool) put(i *idle) {
	if p.wait <= 0 || p.most <= 0 {
		i.conn.Close()
		return
	}
	i.conn.SetDeadline(time.Now().Add(p.wait))
	i.ended = make(chan struct{})
	p.mu.Lock()
	was := p.remove(i.addr)
	p.idle[i.addr] = i
	p.oldest = append(p.oldest, i)
	var over *idle
	for len(p.idle) > p.most && over == nil {
		over = p.oldest[0]
		if p.oldest = p.oldest[1:]; p.idle[over.addr] == over {
			p.remove(over.addr)
		} else {
			over = nil
		}
	}
	for len(p.oldest) > 0 && p.idle[p.oldest[0].addr] != p.oldest[0] {
		p.oldest = p.oldest[1:]
	}
	p.mu.Unlock()
	for _, x := range []*idle{was, over} {
		if x != nil {
			x.conn.Close()
		}
	}
	go p.watch(i)
}

// remove takes the connection to an address out, nil if there is none.
func (p *pool) remove(a netip.Addr) *idle {
	i := p.idle[a]
	delete(p.idle, a)
	return i
}

// watch waits for what a server does with a connection that nobody uses.
func (p *pool) watch(i *idle) {
	defer close(i.ended)
	var b [1]byte
	n, err := i.conn.Read(b[:])
	p.mu.Lock()
	waits := p.idle[i.addr] == i
	if waits { // else somebody has taken it, and stopped this
		p.remove(i.addr)
	}
	p.mu.Unlock()
	if i.broken = n > 0 || !isTimeout(err); waits {
		i.conn.Close()
	}
}

// take returns the connection to an origin at an address, nil if none waits. One to
// another origin at the address is closed.
func (p *pool) take(a netip.Addr, origin string) *idle {
	p.mu.Lock()
	i := p.remove(a)
	p.mu.Unlock()
	if i == nil {
		return nil
	}
	if i.origin != origin {
		i.conn.Close()
		return nil
	}
	i.conn.SetReadDeadline(long)
	<-i.ended
	if i.broken {
		i.conn.Close()
		return nil
	}
	return i
}

// close closes all connections.
func (p *pool) close() {
	p.mu.Lock()
	all := p.idle
	p.idle, p.oldest = map[netip.Addr]*idle{}, nil
	p.mu.Unlock()
	for _, i := range all {
		i.conn.Close()
	}
}

// persists reports whether a server leaves the connection open behind a response
// (RFC 9112, section 9.3), and whether the response has an end of its own.
func (in *input) persists(res *Result) bool {
	if in.want == untilClose || res.Truncated != "" || in.end != len(in.raw) {
		return false
	}
	head := res.Response[:res.Head]
	for _, f := range res.Header {
		if !strings.EqualFold(f.Name, "Connection") {
			continue
		}
		for token := range strings.SplitSeq(f.Value, ",") {
			if strings.EqualFold(strings.TrimSpace(token), "close") {
				return false
			}
		}
	}
	return strings.HasPrefix(string(head[:min(len(head), 9)]), "HTTP/1.1 ")
}

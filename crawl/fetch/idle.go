package fetch

import (
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// pool holds idle connections, at most one for each IP address: a crawler has one connection to a
// server.
type pool struct {
	keepAlive time.Duration // how long a connection is kept
	maxIdle   int

	mu     sync.Mutex
	idle   map[netip.Addr]*idleConn
	oldest []*idleConn // in order of put, with removed ones
}

// idleConn is an idle connection. A goroutine reads from it, to notice when the server closes it.
type idleConn struct {
	conn   net.Conn
	addr   netip.Addr
	origin string // scheme, host and port
	tls    *TLS
	ended  chan struct{} // closed when the goroutine ends
	broken bool          // the server closed the connection or sent bytes
}

func newPool(wait time.Duration, most int) *pool {
	return &pool{keepAlive: wait, maxIdle: most, idle: map[netip.Addr]*idleConn{}}
}

// put adds a connection, and closes it if it is not used in time.
func (p *pool) put(i *idleConn) {
	if p.keepAlive <= 0 || p.maxIdle <= 0 {
		i.conn.Close()
		return
	}
	i.conn.SetDeadline(time.Now().Add(p.keepAlive))
	i.ended = make(chan struct{})
	p.mu.Lock()
	was := p.remove(i.addr)
	p.idle[i.addr] = i
	p.oldest = append(p.oldest, i)
	var over *idleConn
	for len(p.idle) > p.maxIdle && over == nil {
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
	for _, x := range []*idleConn{was, over} {
		if x != nil {
			x.conn.Close()
		}
	}
	go p.watch(i)
}

// remove removes the connection to an address and returns it; nil if there is none.
func (p *pool) remove(a netip.Addr) *idleConn {
	i := p.idle[a]
	delete(p.idle, a)
	return i
}

// watch waits for the server to close an idle connection.
func (p *pool) watch(i *idleConn) {
	defer close(i.ended)
	var b [1]byte
	n, err := i.conn.Read(b[:])
	p.mu.Lock()
	waits := p.idle[i.addr] == i
	if waits { // else take has removed it, and ended the read
		p.remove(i.addr)
	}
	p.mu.Unlock()
	if i.broken = n > 0 || !isTimeout(err); waits {
		i.conn.Close()
	}
}

// take returns the connection to an origin at an address; nil if there is none. A connection to
// another origin at the address is closed.
func (p *pool) take(a netip.Addr, origin string) *idleConn {
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
	i.conn.SetReadDeadline(pastDeadline)
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
	p.idle, p.oldest = map[netip.Addr]*idleConn{}, nil
	p.mu.Unlock()
	for _, i := range all {
		i.conn.Close()
	}
}

// persists reports whether a server keeps the connection open after a response (RFC 9112, section
// 9.3), and the response does not end with the connection.
func (in *input) persists(res *Result) bool {
	if in.bodyLength == untilClose || res.Truncated != "" || in.end != len(in.raw) {
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

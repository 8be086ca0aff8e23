package fetch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// lasting is a server that answers many requests on a connection. It counts what is
// open at each address.
type lasting struct {
	mu    sync.Mutex
	dials int
	open  map[string]int
	most  int // connections to an address at once
}

// openConn is a connection of which a lasting server sees at once when its client closes it.
type openConn struct {
	net.Conn
	close func()
}

func (c *openConn) Close() error {
	c.close()
	return c.Conn.Close()
}

func (l *lasting) dial(_ context.Context, _, address string) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	name, _, _ := net.SplitHostPort(address)
	l.dials++
	l.open[name]++
	l.most = max(l.most, l.open[name])
	here, there := net.Pipe()
	go l.serve(there)
	return &openConn{here, sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.open[name]--
	})}, nil
}

// serve does with each request what its path says.
func (l *lasting) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for path := ""; ; {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		for more := ""; more != "\r\n"; {
			if more, err = in.ReadString('\n'); err != nil {
				return
			}
		}
		if path == "/late" { // the idle connection ends while the request is on its way
			return
		}
		path = strings.Fields(line)[1]
		head := map[string]string{
			"/old": "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "/close": "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 2\r\n\r\nok",
			"/chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", "/more": "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more",
			"/none": "HTTP/1.1 304 Not Modified\r\n\r\n",
		}[path]
		if head == "" {
			head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
		}
		io.WriteString(conn, head)
		switch path {
		case "/ends":
			time.Sleep(2 * time.Second)
			return
		case "/speaks":
			time.Sleep(2 * time.Second)
			io.WriteString(conn, "HTTP/1.1 408 Too late\r\n\r\n")
		case "/endless":
			return
		}
	}
}

// TestKeepAlive wants connections to be used again where both sides may, one at most for
// an address at any time, and no request to fail for it.
func TestKeepAlive(t *testing.T) {
	for _, c := range []struct {
		name  string
		gets  string // URLs and waits
		dials int
	}{
		{"again", "http://a.example/1 5s http://a.example/2 5s http://a.example/3", 1},
		{"chunks and none", "http://a.example/chunks 5s http://a.example/none 5s http://a.example/3", 1},
		{"too late", "http://a.example/1 16s http://a.example/2", 2},
		{"closed", "http://a.example/ends 5s http://a.example/2", 2},
		{"closed by the server at the moment of the request", "http://a.example/late 5s http://a.example/late 5s http://a.example/2", 3},
		{"unasked", "http://a.example/speaks 5s http://a.example/2", 2},
		{"says close", "http://a.example/close http://a.example/2", 2},
		{"old", "http://a.example/old http://a.example/2", 2},
		{"more than was said", "http://a.example/more 1s http://a.example/2", 2},
		{"other host of the address", "http://a.example/1 1s http://b.example/1 1s http://a.example/2", 3},
		{"other port", "http://a.example/1 1s http://a.example:8080/1", 2},
		{"other address", "http://a.example/1 1s http://c.example/1 1s http://a.example/2 http://c.example/2", 2},
		{"too many", "http://a.example/1 1s http://c.example/1 1s http://d.example/ 1s http://a.example/2", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &lasting{open: map[string]int{}}
				cfg := config(nil)
				cfg.Dial, cfg.MaxIdle = l.dial, 2
				cfg.Resolver = names{"a.example": publicIP, "b.example": publicIP, "c.example": "93.184.216.35", "d.example": "93.184.216.36"}
				client := must.Get(New(cfg))(t)
				for word := range strings.FieldsSeq(c.gets) {
					if d, err := time.ParseDuration(word); err == nil {
						time.Sleep(d)
						continue
					}
					u := must.Get(weburl.Parse(word, nil))(t)
					if res, err := client.Get(t.Context(), u, Options{}); err != nil || !strings.HasPrefix(string(res.Body), "ok") && res.Status != 304 {
						t.Fatalf("%s: %v", word, err)
					}
				}
				if l.dials != c.dials || l.most != 1 {
					t.Errorf("%d connections, %d at once to an address; want %d and 1", l.dials, l.most, c.dials)
				}
				client.Close()
				for name, n := range l.open {
					if n != 0 {
						t.Errorf("%s: %d connections are open at the end", name, n)
					}
				}
			})
		})
	}
}

// TestAddress requests one address of a host alone, and wants an unreachable address last
// afterwards.
func TestAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := web{publicIP + ":80": fmt.Errorf("refused"), "93.184.216.35:80": says("HTTP/1.1 200 OK\r\n\r\nhello")}
		cfg := config(w)
		cfg.Resolver = names{"a.example": publicIP + " 93.184.216.35"}
		c := must.Get(New(cfg))(t)
		u, _ := weburl.Parse("http://a.example/", nil)
		if _, err := c.Get(t.Context(), u, Options{Address: netip.MustParseAddr(publicIP)}); err == nil {
			t.Error("an address that refuses answers")
		}
		list, err := c.Lookup(t.Context(), "a.example")
		if err != nil || len(list) != 2 || list[0].String() != "93.184.216.35" {
			t.Errorf("addresses %v, %v", list, err)
		}
		if res, err := c.Get(t.Context(), u, Options{Address: list[0]}); err != nil || res.IP != list[0] {
			t.Errorf("%v", err)
		}
		must.Fail(t, must.Err(c.Get(t.Context(), u, Options{Address: netip.MustParseAddr("127.0.0.1")})), "private-address")
		time.Sleep(2 * time.Hour)
		if list, err = c.Lookup(t.Context(), "a.example"); err != nil || list[0].String() != publicIP {
			t.Errorf("two hours later: addresses %v, %v", list, err)
		}
	})
}

// TestProxyLooksUp wants no names to be looked up for a proxy.
func TestProxyLooksUp(t *testing.T) {
	cfg := config(nil)
	cfg.Proxy, cfg.Resolver = "http://proxy.example:3128", names{}
	c := must.Get(New(cfg))(t)
	if list, err := c.Lookup(t.Context(), "a.example"); err != nil || len(list) != 0 {
		t.Errorf("addresses %v, %v", list, err)
	}
}

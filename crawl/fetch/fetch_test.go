package fetch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// names is a resolver: host to addresses with blanks between; "" fails.
type names map[string]string

func (n names) Lookup(ctx context.Context, host string) (addrs []netip.Addr, err error) {
	list, ok := n[host]
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: %s", ErrNoName, host)
	case list == "":
		return nil, errors.New("no name server answers")
	case list == "hang":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	for a := range strings.FieldsSeq(list) {
		addrs = append(addrs, netip.MustParseAddr(a))
	}
	return addrs, nil
}

// server is what happens on a connection; it begins when the request was read.
type server func(request string, conn net.Conn)

// web has the servers by IP address and port, and what dialling others gives.
type web map[string]any

func (w web) dial(ctx context.Context, network, address string) (net.Conn, error) {
	switch s := w[address].(type) {
	case error:
		return nil, s
	case func(conn net.Conn):
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			s(there)
		}()
		return here, nil
	case server:
		here, there := net.Pipe()
		go func() {
			defer there.Close()
			if request, ok := readRequest(there); ok {
				s(request, there)
			}
		}()
		return here, nil
	}
	<-ctx.Done() // nobody is there
	return nil, ctx.Err()
}

func readRequest(conn net.Conn) (request string, ok bool) {
	br := bufio.NewReader(conn)
	for {
		line, err := br.ReadString('\n')
		if request += line; err != nil {
			return request, false
		}
		if line == "\r\n" {
			return request, true
		}
	}
}

// says is a server that sends pieces; one of the form "~5s" is a pause.
func says(pieces ...string) server {
	return func(_ string, conn net.Conn) {
		for _, p := range pieces {
			if d, ok := strings.CutPrefix(p, "~"); ok {
				pause, _ := time.ParseDuration(d)
				time.Sleep(pause)
				continue
			}
			if _, err := io.WriteString(conn, p); err != nil {
				return
			}
		}
	}
}

// hangs is a server that sends something and then nothing more.
func hangs(first string) server {
	return func(_ string, conn net.Conn) {
		io.WriteString(conn, first)
		io.Copy(io.Discard, conn)
	}
}

const publicIP = "93.184.216.34"

func config(w web) Config {
	cfg := Default
	cfg.UserAgent = "test (+mailto:a@a.example)"
	cfg.Resolver = names{"a.example": publicIP}
	cfg.Dial = w.dial
	return cfg
}

func get(t *testing.T, cfg Config, raw string) (*Result, error) {
	t.Helper()
	u := must.Get(weburl.Parse(raw, nil))(t)
	c := must.Get(New(cfg))(t)
	defer settle()
	return c.Get(t.Context(), u, Options{})
}

// settle lets servers that sleep end, in virtual time.
func settle() { time.Sleep(2 * time.Hour) }

func zipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// TestResponses sends responses, good, odd and false ones, and checks the results.
func TestResponses(t *testing.T) {
	zip := zipped("hello hello hello")
	plain := strings.Repeat("hello ", 100)
	for _, c := range []struct {
		name   string
		server server
		status int
		body   string
		cut    string // Truncated and Cut
	}{
		{"length", says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), 200, "hello", ""},
		{"until it closes", says("HTTP/1.1 200 OK\r\n\r\nhel", "lo"), 200, "hello", ""},
		{"CR CR LF", says("HTTP/1.0 200\r\r\nContent-Length: 5\r\r\n\r", "\r\nhello"), 200, "hello", ""},
		{"piece by piece", says("HT", "TP/1.0 200\n", "Content-Length:5\n\n", "h", "ello"), 200, "hello", ""},
		{"keeps the connection open", hangs("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), 200, "hello", ""},
		{"more than its length", says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, you"), 200, "hello", ""},
		{"less than its length", says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), 200, "hello", "disconnect truncated"},
		{"less, and waits", hangs("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), 200, "hello", "time too-slow"},
		{"never ends", says("HTTP/1.1 200 OK\r\n\r\nh", "~30s", "e", "~35s", "llo"), 200, "he", "time too-slow"},
		{"length of nonsense", says("HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello"), 200, "hello", ""},
		{"absurd length", says("HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999\r\n\r\nhello"), 200, "hello", "disconnect truncated"},
		{"two lengths", says("HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello"), 200, "hello", ""},
		{"chunks", says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n", "2\r", "\nlo\r\n0\r\nX: y\r\n\r\n"), 200, "hello", ""},
		{"chunks, then open", hangs("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), 200, "hello", ""},
		{"chunks that end early", says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5\r\nx"), 200, "hellox", "disconnect truncated"},
		{"chunks that are none", says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello"), 200, "hello", ""},
		{"chunks gone wrong", says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nxyz\r\n"), 200, "hello", " bad-encoding"},
		{"no chunk", says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 200, "", ""},
		{"gzip", says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + zip), 200, "hello hello hello", ""},
		{"gzip, another length", says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 999\r\n\r\n" + zip), 200, "hello hello hello", "disconnect truncated"},
		{"gzip, length of the text", says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + strconv.Itoa(len(plain)) + "\r\n\r\n" + zipped(plain)), 200, plain, ""},
		{"gzip in chunks", says(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(zip), zip)), 200, "hello hello hello", ""},
		{"gzip that is none", says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nhello"), 200, "hello", ""},
		{"gzip that ends early", says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + zip[:len(zip)-9]), 200, "hello hello hello", " bad-encoding"},
		{"unknown coding", says("HTTP/1.1 200 OK\r\nContent-Encoding: sdch\r\n\r\n\x00\x01"), 200, "", " bad-encoding"},
		{"not found", says("HTTP/1.1 404 Not Found\r\n\r\nhello"), 404, "hello", ""},
		{"no content", hangs("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n"), 204, "", ""},
		{"not modified", hangs("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"), 304, "", ""},
		{"announced", says("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello"), 200, "hello", ""},
		{"breaks before it", says("\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello"), 200, "hello", ""},
		{"bad fields", says("HTTP/1.1 200 OK\r\nnonsense\r\n: x\r\nA B: c\r\n folded\r\nX\xff: \x01\r\n\r\nhello"), 200, "hello", ""},
		{"too long", says("HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("a", 3000)), 200, strings.Repeat("a", 2000), "length too-large"},
		{"just not too long", says("HTTP/1.1 200 OK\r\n\r\n" + strings.Repeat("a", 2000)), 200, strings.Repeat("a", 2000), ""},
		{"too long, and says so", hangs("HTTP/1.1 200 OK\r\nContent-Length: 3000\r\n\r\n" + strings.Repeat("a", 2000)), 200, strings.Repeat("a", 2000), "length too-large"},
		{"too long unpacked", says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + zipped(strings.Repeat("a", 3000))), 200, strings.Repeat("a", 2000), " too-large"},
	} {
		synctest.Test(t, func(t *testing.T) {
			cfg := config(web{publicIP + ":80": c.server})
			cfg.MaxBytes = 2000
			res, err := get(t, cfg, "http://a.example/b?c")
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			cut := res.Truncated
			if res.Cut != page.None {
				cut += " " + res.Cut.String()
			}
			if res.Status != c.status || string(res.Body) != c.body || cut != c.cut {
				t.Errorf("%s: %d %.40q %q, wanted %d %.40q %q (%v)", c.name, res.Status, res.Body, cut, c.status, c.body, c.cut, res.Fault)
			}
			if (res.Cut == page.None) != (res.Fault == nil) {
				t.Errorf("%s: %v, but %v", c.name, res.Cut, res.Fault)
			}
			if !bytes.HasPrefix(res.Response, []byte("HTTP/1.")) || headEnd(res.Response, 0) != res.Head {
				t.Errorf("%s: head of %d bytes in %.40q", c.name, res.Head, res.Response)
			}
			if res.Total > cfg.Total {
				t.Errorf("%s: took %v", c.name, res.Total)
			}
		})
	}
}

// TestBytes wants the bytes as they were sent.
func TestBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		response := "HTTP/1.1  200  Fine\nX:y\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n"
		var request string
		cfg := config(web{publicIP + ":8080": server(func(r string, conn net.Conn) {
			request = r
			time.Sleep(3 * time.Second)
			io.WriteString(conn, "HTTP/1.1 103 Early\r\n\r\n"+response[:20])
			time.Sleep(2 * time.Second)
			io.WriteString(conn, response[20:]+"and more")
		})})
		cfg.AcceptLanguage, cfg.From = "gd, ga;q=0.9", "a@a.example"
		c := must.Get(New(cfg))(t)
		u, _ := weburl.Parse("http://user:secret@a.example:8080/b/é?c=d#e", nil)
		res := must.Get(c.Get(t.Context(), u, Options{ETag: `"x"`, LastModified: "no\r\nInjected: field"}))(t)
		if string(res.Response) != response || string(res.Body) != "hello" {
			t.Errorf("response %q, body %q", res.Response, res.Body)
		}
		want := "GET /b/%C3%A9?c=d HTTP/1.1\r\nHost: a.example:8080\r\nUser-Agent: test (+mailto:a@a.example)\r\nFrom: a@a.example\r\nAccept: " + accept +
			"\r\nAccept-Language: gd, ga;q=0.9\r\nAccept-Encoding: gzip, br, zstd\r\nIf-None-Match: \"x\"\r\n\r\n"
		if string(res.Request) != want || request != want {
			t.Errorf("request %q, server saw %q", res.Request, request)
		}
		if res.IP.String() != publicIP || res.FirstByte != 3*time.Second || res.Total != 5*time.Second || res.TLS != nil {
			t.Errorf("asked %v, first byte after %v, end after %v", res.IP, res.FirstByte, res.Total)
		}
	})
}

// TestReasons wants what keeps a page away told in a word.
func TestReasons(t *testing.T) {
	ok := says("HTTP/1.1 200 OK\r\n\r\nhello")
	refused := fmt.Errorf("dial: %w", syscall.ECONNREFUSED)
	for _, c := range []struct {
		url   string
		names names
		web   web
		want  Reason
		took  time.Duration
	}{
		{"http://no.example/", names{}, nil, NoName, 0},
		{"http://a.example/", names{"a.example": ""}, nil, NoResolver, 0},
		{"http://a.example/", names{"a.example": "hang"}, nil, NoResolver, 15 * time.Second},
		{"http://a.example/", names{"a.example": "10.1.2.3"}, web{"10.1.2.3:80": ok}, PrivateAddress, 0},
		{"http://a.example/", names{"a.example": "::ffff:127.0.0.1"}, web{"127.0.0.1:80": ok}, PrivateAddress, 0},
		{"http://[fe80::1]/", nil, nil, PrivateAddress, 0},
		{"http://169.254.169.254/latest/meta-data/", nil, nil, PrivateAddress, 0},
		{"http://2130706433/", nil, nil, PrivateAddress, 0},
		{"http://a.example:25/", names{"a.example": publicIP}, nil, BadPort, 0},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": refused}, Refused, 0},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": fmt.Errorf("x: %w", syscall.EHOSTUNREACH)}, Unreachable, 0},
		{"http://a.example/", names{"a.example": publicIP}, web{}, ConnectTimeout, 15 * time.Second},
		{"http://a.example/", names{"a.example": "1.1.1.1 1.1.1.2 1.1.1.3 1.1.1.4 1.1.1.5"}, web{}, ConnectTimeout, 45 * time.Second},
		{"https://a.example/", names{"a.example": publicIP}, web{publicIP + ":443": func(conn net.Conn) { conn.Read(make([]byte, 4096)); io.WriteString(conn, "HTTP/1.1 400 Bad\r\n\r\n") }}, BadTLS, 0},
		{"https://a.example/", names{"a.example": publicIP}, web{publicIP + ":443": func(conn net.Conn) { io.Copy(io.Discard, conn) }}, ConnectTimeout, 15 * time.Second},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": hangs("")}, NoAnswer, 20 * time.Second},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": func(net.Conn) { time.Sleep(time.Hour) }}, NoAnswer, 20 * time.Second},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": hangs("HTTP/1.1 200 OK\r\nX: ")}, NoAnswer, 60 * time.Second},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": says()}, Closed, 0},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": says("HTTP/1.1 200 OK\r\nX: y\r\n")}, Closed, 0},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": says("SSH-2.0-x\r\n")}, BadHead, 0},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": says("HTTP/1.1 OK\r\n\r\n")}, BadHead, 0},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": says("HTTP/1.1 101 Switching\r\n\r\n")}, BadHead, 0},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": says(strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 99))}, BadHead, 0},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": says("HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 100_000))}, LongHead, 0},
		{"http://a.example/", names{"a.example": publicIP}, web{publicIP + ":80": says("HTTP/1.1 200 OK\r\n" + strings.Repeat(" x\r\n", 100_000))}, LongHead, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			cfg := config(c.web)
			cfg.Resolver = c.names
			res, err := get(t, cfg, c.url)
			var e *Error
			if !errors.As(err, &e) || e.Reason != c.want || e.URL != res.URL {
				t.Errorf("%s, %v: %v, wanted %s", c.url, c.names, err, c.want)
			}
			if res == nil || res.Total != c.took {
				t.Errorf("%s, %v: took %v, wanted %v (%v)", c.url, c.names, res.Total, c.took, err)
			}
		})
	}
}

// TestTriesAddresses wants the next address tried if the first does not answer, except private
// addresses.
func TestTriesAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config(web{"1.1.1.1:80": syscall.ECONNREFUSED, "[2606:4700::1]:80": says("HTTP/1.1 200 OK\r\n\r\nhello")})
		cfg.Resolver = names{"a.example": "10.0.0.1 1.1.1.1 2606:4700::1"}
		res, err := get(t, cfg, "http://a.example/")
		if err != nil || res.IP.String() != "2606:4700::1" || string(res.Body) != "hello" {
			t.Errorf("%v %v", res.IP, err)
		}
		c, _ := New(cfg)
		if addrs, err := c.Lookup(t.Context(), "a.example"); err != nil || fmt.Sprint(addrs) != "[1.1.1.1 2606:4700::1]" {
			t.Errorf("%v %v", addrs, err)
		}
		var e *Error
		if _, err := c.Lookup(t.Context(), "[::1]"); !errors.As(err, &e) || e.Reason != PrivateAddress {
			t.Errorf("loopback: %v", err)
		}
		if _, err := c.Lookup(t.Context(), "b.example"); !errors.As(err, &e) || e.Reason != NoName {
			t.Errorf("no name: %v", err)
		}
	})
}

func TestAllowPrivate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config(web{"127.0.0.1:25": says("HTTP/1.1 200 OK\r\n\r\nhello")})
		cfg.AllowPrivate = true
		if res, err := get(t, cfg, "http://127.0.0.1:25/"); err != nil || string(res.Body) != "hello" {
			t.Errorf("%v", err)
		}
	})
}

// TestCanceled wants a call to return when its caller has gone, wherever it is.
func TestCanceled(t *testing.T) {
	for name, cfg := range map[string]Config{
		"name":    {Resolver: names{"a.example": "hang"}},
		"dial":    {Dial: web{}.dial},
		"answer":  {Dial: web{publicIP + ":80": hangs("")}.dial},
		"request": {Dial: web{publicIP + ":80": func(net.Conn) { time.Sleep(time.Hour) }}.dial},
		"head":    {Dial: web{publicIP + ":80": hangs("HTTP/1.1 200")}.dial},
	} {
		synctest.Test(t, func(t *testing.T) {
			full := config(nil)
			if full.Dial = cfg.Dial; cfg.Resolver != nil {
				full.Resolver = cfg.Resolver
			}
			c := must.Get(New(full))(t)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(2*time.Second, cancel)
			u, _ := weburl.Parse("http://a.example/", nil)
			res, err := c.Get(ctx, u, Options{})
			settle()
			var e *Error
			if !errors.As(err, &e) || e.Reason != Canceled || res.Total != 2*time.Second {
				t.Errorf("%s: %v after %v", name, err, res.Total)
			}
		})
	}
}

func TestLocation(t *testing.T) {
	for location, want := range map[string]string{
		"/c":                      "http://a.example/c",
		"../é":                    "http://a.example/%C3%A9",
		"//b.example":             "http://b.example/",
		"https://b.example/?q#f":  "https://b.example/?q#f",
		"javascript:alert(1)":     "",
		"http://":                 "",
		strings.Repeat("a", 3000): "",
	} {
		synctest.Test(t, func(t *testing.T) {
			res, err := get(t, config(web{publicIP + ":80": says("HTTP/1.1 308 There\r\nlocation: " + location + "\r\n\r\n")}), "http://a.example/b/")
			if err != nil || res.Location.String() != want {
				t.Errorf("%q: %s, wanted %s (%v)", location, res.Location, want, err)
			}
		})
	}
}

// TestBomb wants a body that unpacks to too much cut by its ratio.
func TestBomb(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := config(web{publicIP + ":80": says("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + zipped(strings.Repeat("\x00", 2<<20)))})
		res, err := get(t, cfg, "http://a.example/")
		if err != nil || res.Cut != page.TooCompressed || res.Truncated != "" || len(res.Body) > 2<<20 {
			t.Errorf("%d bytes, %s: %v", len(res.Body), res.Cut, err)
		}
	})
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"no user agent": func(c *Config) { c.UserAgent = "" },
		"printable":     func(c *Config) { c.UserAgent = "a\r\nb: c" },
		"sender":        func(c *Config) { c.From = "é" },
		"proxy":         func(c *Config) { c.Proxy = "socks5://a" },
		"total time":    func(c *Config) { c.Total = 0 },
		"of the head":   func(c *Config) { c.MaxHead = 10 },
	} {
		cfg := config(nil)
		change(&cfg)
		must.Fail(t, must.Err(New(cfg)), want)
	}
}

func TestIsPublic(t *testing.T) {
	for _, a := range strings.Fields("8.8.8.8 1.1.1.1 172.15.0.1 172.32.0.1 100.63.0.1 2606:4700::1 2a00::1 64:ff9b::808:808 2002:808:808::1 ::ffff:8.8.8.8") {
		if !IsPublic(netip.MustParseAddr(a)) {
			t.Errorf("%s is public", a)
		}
	}
	for _, a := range strings.Fields(`0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1
		192.168.1.1 198.18.0.1 203.0.113.9 224.0.0.1 255.255.255.255 168.63.129.16 :: ::1 ::ffff:10.0.0.1 ::ffff:127.0.0.1 ::127.0.0.1 fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254
		fec0::1 ff02::1 2001:db8::1 2001::1 64:ff9b::a00:1 64:ff9b:1::1 2002:7f00:1::1 100::1 3fff::1`) {
		if IsPublic(netip.MustParseAddr(a)) {
			t.Errorf("%s is not public", a)
		}
	}
	if IsPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}

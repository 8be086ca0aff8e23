package visit

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/internal/testkit/must"
	"chaffinch/serve/problem"
)

// web is a web of one server behind pipes, in which every name leads to one address;
// names in leads lead elsewhere, one answer after the other.
type web struct {
	pages map[string]string // by host and path: the whole answer
	mu    sync.Mutex
	leads map[string][]string
	asked []string // host and path, in order
	times []time.Time
	dials []string
	cert  *tls.Certificate // of its https, nil for none
}

// public is an address of the public internet.
const public = "1.1.1.1"

// Lookup is that of a Resolver.
func (w *web) Lookup(_ context.Context, host string) ([]netip.Addr, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	lead := w.leads[host]
	if len(lead) == 0 {
		return []netip.Addr{netip.MustParseAddr(public)}, nil
	}
	if len(lead) > 1 {
		w.leads[host] = lead[1:]
	}
	return []netip.Addr{netip.MustParseAddr(lead[0])}, nil
}

func (w *web) dial(_ context.Context, _, address string) (net.Conn, error) {
	w.mu.Lock()
	w.dials = append(w.dials, address)
	w.mu.Unlock()
	near, far := net.Pipe()
	go func() {
		defer far.Close()
		if strings.HasSuffix(address, ":443") && w.cert != nil {
			far = tls.Server(far, &tls.Config{Certificates: []tls.Certificate{*w.cert}})
		}
		r, err := http.ReadRequest(bufio.NewReader(far))
		if err != nil {
			return
		}
		key := r.Host + r.URL.RequestURI()
		w.mu.Lock()
		w.asked = append(w.asked, key)
		w.times = append(w.times, time.Now())
		answer, ok := w.pages[key]
		w.mu.Unlock()
		if !ok {
			answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
		}
		far.Write([]byte(answer))
	}()
	return near, nil
}

func (w *web) visitor(t *testing.T, pause time.Duration) *Visitor {
	t.Helper()
	v := must.Get(New(Config{Contact: "test@example.org", Version: "1", Pause: pause, Net: func(c fetch.Config) (fetch.Config, error) {
		c.Dial, c.Resolver = w.dial, w
		return c, nil
	}}))(t)
	t.Cleanup(func() { v.Close() })
	return v
}

func html(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

func to(address string) string {
	return "HTTP/1.1 302 Found\r\nLocation: " + address + "\r\nContent-Length: 0\r\n\r\n"
}

// TestPrivate: no way of writing an address, no name and no redirect leads to what is
// not of the public internet, and nothing is dialled to find out.
func TestPrivate(t *testing.T) {
	const target = "/x"
	for _, c := range []struct{ what, url string }{
		{"loopback", "http://127.0.0.1" + target},
		{"another of its addresses", "http://127.8.9.1" + target},
		{"in short", "http://127.1" + target},
		{"in decimal", "http://2130706433" + target},
		{"in hexadecimal", "http://0x7f000001" + target},
		{"in octal", "http://0177.0.0.1" + target},
		{"in full-width digits", "http://１２７.0.0.1" + target},
		{"with a dot at the end", "http://127.0.0.1." + target},
		{"all addresses", "http://0.0.0.0" + target},
		{"zero", "http://0" + target},
		{"IPv6 loopback", "http://[::1]" + target},
		{"IPv6 of all addresses", "http://[::]" + target},
		{"IPv4 in IPv6", "http://[::ffff:127.0.0.1]" + target},
		{"IPv4 in IPv6, in hexadecimal", "http://[::ffff:7f00:1]" + target},
		{"IPv4-compatible", "http://[::127.0.0.1]" + target},
		{"NAT64", "http://[64:ff9b::7f00:1]" + target},
		{"6to4", "http://[2002:7f00:1::]" + target},
		{"unique local", "http://[fd00::1]" + target},
		{"link-local of IPv6", "http://[fe80::1]" + target},
		{"private 10", "http://10.0.0.1" + target},
		{"private 172", "http://172.16.5.5" + target},
		{"private 192", "http://192.168.1.1" + target},
		{"shared", "http://100.64.0.1" + target},
		{"cloud of Alibaba", "http://100.100.100.200" + target},
		{"link-local: metadata of clouds", "http://169.254.169.254/latest/meta-data/"},
		{"metadata in IPv6 of AWS", "http://[fd00:ec2::254]/latest/meta-data/"},
		{"broadcast", "http://255.255.255.255" + target},
		{"multicast", "http://224.0.0.1" + target},
		{"documentation", "http://192.0.2.1" + target},
		{"benchmarks", "http://198.18.0.1" + target},
		{"reserved", "http://240.0.0.1" + target},
		{"a name of the machine", "http://localhost" + target},
		{"a name below it", "http://x.localhost" + target},
		{"a name that leads to the machine", "http://inside.example" + target},
		{"a name that leads there by IPv6", "http://inside6.example" + target},
		{"a user before it", "http://finch.example@127.0.0.1" + target},
		{"a port of another service", "http://finch.example:22" + target},
		{"a port of a database", "http://finch.example:6379" + target},
		{"a redirect to the machine", "http://finch.example/to-loopback"},
		{"a redirect to the metadata", "http://finch.example/to-metadata"},
		{"a redirect to a name that leads inside", "http://finch.example/to-name"},
		{"two redirects", "http://finch.example/to-redirect"},
		{"a redirect without a scheme", "http://finch.example/to-relative"},
		{"a name that was bound anew after robots.txt", "http://rebound.example" + target},
		{"a robots.txt that leads inside", "http://led.example" + target},
		{"a file", "file:///etc/passwd"},
		{"gopher", "gopher://127.0.0.1:6379/_x"},
		{"ftp", "ftp://finch.example/x"},
		{"data", "data:text/html,x"},
		{"no scheme", "//127.0.0.1" + target},
		{"a line break", "http://finch.example/\r\nHost: 127.0.0.1"},
	} {
		w := &web{
			leads: map[string][]string{
				"inside.example": {"10.1.2.3"}, "inside6.example": {"::1"}, "localhost": {"127.0.0.1"}, "x.localhost": {"127.0.0.1"},
				"rebound.example": {public, "127.0.0.1"},
			},
			pages: map[string]string{
				"finch.example/to-loopback": to("http://127.0.0.1:80/x"), "finch.example/to-metadata": to("http://169.254.169.254/"),
				"finch.example/to-name": to("https://inside.example/"), "finch.example/to-redirect": to("/to-loopback"), "finch.example/to-relative": to("//[::1]/x"),
				"led.example/robots.txt": to("http://127.0.0.1/robots.txt"),
			},
		}
		v := w.visitor(t, 0)
		p, err := v.Page(t.Context(), c.url)
		var said *problem.Problem
		if err == nil || p != nil || !errors.As(err, &said) {
			if c.what == "a line break" { // it is taken out of the address, as browsers do
				for _, a := range w.asked {
					if strings.Contains(a, "127") && !strings.HasPrefix(a, "finch.example") {
						t.Errorf("%s: asked %s", c.what, a)
					}
				}
				continue
			}
			t.Errorf("%s: %s was fetched: %v, %v", c.what, c.url, p, err)
			continue
		}
		for _, d := range w.dials {
			if !strings.HasPrefix(d, public+":") {
				t.Errorf("%s: dialled %s", c.what, d)
			}
		}
	}
}

// TestPage fetches a page over a redirect, after robots.txt.
func TestPage(t *testing.T) {
	w := &web{pages: map[string]string{
		"finch.example/":           to("https://finch.example/no-tls-here"),
		"finch.example/a":          to("/b?x=1"),
		"finch.example/b?x=1":      strings.Replace(html("<p>finch"), "\r\n", "\r\nX-Robots-Tag: noai\r\n", 1),
		"finch.example/robots.txt": "HTTP/1.1 200 OK\r\nContent-Length: 44\r\n\r\nUser-agent: *\nDisallow: /private\nAllow: /pri",
		"gone.example/robots.txt":  "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
		"gone.example/":            html("<p>x"),
		"loop.example/":            to("/"),
		"cut.example/":             "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>begins",
	}}
	v := w.visitor(t, 0)
	p := must.Get(v.Page(t.Context(), "http://FINCH.example/a#part"))(t)
	if p.URL != "http://finch.example/b?x=1" || string(p.Raw) != "<p>finch" || p.MIME != "text/html" || p.HTTPCharset != "utf-8" || p.Meta.Optout != "X-Robots-Tag: noai" {
		t.Errorf("page %+v", p)
	}
	if got := strings.Join(w.asked, " "); got != "finch.example/robots.txt finch.example/a finch.example/b?x=1" {
		t.Errorf("asked %s", got)
	}
	for url, says := range map[string]string{
		"http://finch.example/private/x": "disallowed by robots.txt of finch.example (line 2: /private)",
		"http://finch.example/nothing":   "status 404",
		"http://gone.example/":           "robots.txt of gone.example could not be fetched",
		"http://loop.example/":           "more than 5 redirects",
		"finch":                          "url: ",
	} {
		if _, err := v.Page(t.Context(), url); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", url, err)
		}
	}
	if p, err := v.Page(t.Context(), "http://cut.example/"); err != nil || string(p.Raw) != "<p>begins" || p.Cut == 0 {
		t.Errorf("a page that ends early: %v, %v", p, err)
	}
}

// TestCertificate wants a page whose server has no valid certificate refused, with what is
// wrong, before anything is asked.
func TestCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must.Succeed(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"finch.example"}, NotAfter: time.Now().Add(time.Hour)}
	der := must.Get(x509.CreateCertificate(rand.Reader, c, c, key.Public(), key))(t)
	w := &web{cert: &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}}
	_, err = w.visitor(t, 0).Page(t.Context(), "https://finch.example/")
	if err == nil || !strings.Contains(err.Error(), "the certificate of finch.example is not valid: x509: ") || len(w.asked) > 0 {
		t.Errorf("%v, asked %q", err, w.asked)
	}
}

// TestOpaque: what is said of an address inside is what is said of one that does not
// exist.
func TestOpaque(t *testing.T) {
	w := &web{leads: map[string][]string{"inside.example": {"10.1.2.3"}}}
	v := w.visitor(t, 0)
	_, inside := v.Page(t.Context(), "http://inside.example/")
	_, badPort := v.Page(t.Context(), "http://finch.example:22/")
	if inside == nil || badPort == nil || inside.Error() != badPort.Error() || strings.Contains(inside.Error(), "10.1") {
		t.Errorf("%v; %v", inside, badPort)
	}
}

// TestPause: one request after the other to a host, with the pause between pages that
// is kept or asked for.
func TestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &web{pages: map[string]string{
			"finch.example/robots.txt": "HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\nUser-agent: *\nCrawl-delay: 3\n\n",
			"finch.example/":           html("<p>x"),
		}}
		v := w.visitor(t, time.Second)
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if _, err := v.Page(t.Context(), "http://finch.example/"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for i, at := range w.times {
			if i > 1 && at.Sub(w.times[i-1]) < 3*time.Second {
				t.Errorf("request %d comes %v after the one before", i, at.Sub(w.times[i-1]))
			}
		}
		if len(w.times) != 4 {
			t.Errorf("%d requests: %v", len(w.times), w.asked)
		}
	})
}

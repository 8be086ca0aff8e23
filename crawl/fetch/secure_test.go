package fetch

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// certificate is a self-signed one for a.example, which was good in the last century.
var certificate = sync.OnceValue(func() tls.Certificate {
	key, err := rsa.GenerateKey(rand.Reader, 1024) // enough for a test
	if err != nil {
		panic(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "a.example"}, DNSNames: []string{"a.example"},
		NotBefore: time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
})

// secure serves a server over TLS.
func secure(cfg *tls.Config, s server) func(net.Conn) {
	return func(conn net.Conn) {
		c := tls.Server(conn, cfg)
		if request, ok := readRequest(c); ok {
			s(request, c)
			c.Close()
		}
	}
}

// TestTLS wants old servers and bad certificates accepted and reported, and versions before
// TLS 1.2 refused.
func TestTLS(t *testing.T) {
	cert := certificate()
	ok := says("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
	for _, c := range []struct {
		name   string
		server *tls.Config
		answer server
		want   string
	}{
		{"1.3", &tls.Config{}, ok, "TLS 1.3 hello"},
		{"1.2", &tls.Config{MaxVersion: tls.VersionTLS12}, ok, "TLS 1.2 hello"},
		{"keys by RSA", &tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{tls.TLS_RSA_WITH_AES_128_GCM_SHA256}}, ok, "TLS 1.2 hello"},
		{"1.1", &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}, ok, "bad-tls"},
		{"ends", &tls.Config{}, says("HTTP/1.1 200 OK\r\n\r\nhello"), "TLS 1.3 hello"},
		{"ends without a word", &tls.Config{}, func(_ string, conn net.Conn) {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\nhello")
			conn.(*tls.Conn).NetConn().Close()
		}, "TLS 1.3 hello"},
	} {
		synctest.Test(t, func(t *testing.T) {
			c.server.Certificates = []tls.Certificate{cert}
			res, err := get(t, config(web{publicIP + ":443": secure(c.server, c.answer)}), "https://a.example/")
			var e *Error
			if errors.As(err, &e) {
				if e.Reason.String() != c.want {
					t.Errorf("%s: %v", c.name, err)
				}
				return
			}
			if got := res.TLS.Version + " " + string(res.Body); got != c.want || res.Truncated != "" || !strings.Contains(res.TLS.Fault, "expired") {
				t.Errorf("%s: %s, certificate %q, cut %q", c.name, got, res.TLS.Fault, res.Truncated)
			}
		})
	}
}

// TestVerifyTLS wants a client that verifies certificates to send nothing to a server whose
// certificate is not valid, and to accept one that is.
func TestVerifyTLS(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 1024) // enough for a test
	must.Succeed(t, err)
	for _, c := range []struct {
		name, domain, want string
		trusted            bool
		until              time.Duration
	}{
		{"valid", "a.example", "hello", true, time.Hour},
		{"of another host", "b.example", "not a.example", true, time.Hour},
		{"expired", "a.example", "expired", true, -time.Hour},
		{"self-signed", "a.example", "unknown authority", false, time.Hour},
	} {
		synctest.Test(t, func(t *testing.T) {
			cert := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{c.domain}, IsCA: true, BasicConstraintsValid: true, NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: time.Now().Add(c.until)}
			der := must.Get(x509.CreateCertificate(rand.Reader, cert, cert, key.Public(), key))(t)
			asked := false
			cfg := config(web{publicIP + ":443": secure(&tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, func(_ string, conn net.Conn) {
				asked = true
				io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
			})})
			cfg.VerifyTLS = true
			client := must.Get(New(cfg))(t)
			client.roots = x509.NewCertPool()
			if c.trusted {
				parsed := must.Get(x509.ParseCertificate(der))(t)
				client.roots.AddCert(parsed)
			}
			u := must.Get(weburl.Parse("https://a.example/", nil))(t)
			defer settle()
			defer client.Close()
			res, err := client.Get(t.Context(), u, Options{})
			if c.want == "hello" {
				if err != nil || string(res.Body) != c.want {
					t.Errorf("%s: %v", c.name, err)
				}
				return
			}
			if e := (*Error)(nil); !errors.As(err, &e) || e.Reason != BadCertificate || !strings.Contains(err.Error(), c.want) || asked {
				t.Errorf("%s: %v, asked %v; want %q", c.name, err, asked, c.want)
			}
		})
	}
}

// TestProxy asks through a proxy, for http and for https.
func TestProxy(t *testing.T) {
	cert := certificate()
	inner := secure(&tls.Config{Certificates: []tls.Certificate{cert}}, says("HTTP/1.1 200 OK\r\n\r\nsecret"))
	for url, c := range map[string]struct{ answer, want string }{
		"http://a.example/b":   {"HTTP/1.1 200 OK\r\n\r\nhello", "GET http://a.example/b HTTP/1.1 Basic dTpw hello"},
		"https://a.example/b":  {"HTTP/1.1 200 Go on\r\n\r\n", "CONNECT a.example:443 HTTP/1.1 Basic dTpw secret"},
		"https://a.example/no": {"HTTP/1.1 407 Who are you\r\n\r\n", "bad-proxy"},
		"https://a.example/x":  {strings.Repeat("x", 9000), "bad-proxy"},
		"http://10.0.0.1/":     {"", "private-address"},
	} {
		synctest.Test(t, func(t *testing.T) {
			var asked string
			cfg := config(web{"10.9.8.7:3128": func(conn net.Conn) {
				request, _ := readRequest(conn)
				first, fields, _ := strings.Cut(request, "\r\n")
				_, user, _ := strings.Cut(fields, "Proxy-Authorization: ")
				user, _, _ = strings.Cut(user, "\r\n")
				asked = first + " " + user
				io.WriteString(conn, c.answer)
				if strings.HasPrefix(request, "CONNECT") && strings.Contains(c.answer, " 200 ") {
					inner(conn)
				}
			}})
			cfg.Resolver = names{} // the proxy knows names
			cfg.Proxy = "http://u:p@10.9.8.7:3128"
			res, err := get(t, cfg, url)
			got := fmt.Sprintf("%s %s", asked, res.Body)
			var e *Error
			if errors.As(err, &e) {
				got = e.Reason.String()
			}
			if got != c.want || res.IP.IsValid() {
				t.Errorf("%s: %s, wanted %s (%v)", url, got, c.want, err)
			}
		})
	}
}

// TestSockets asks a server on a socket of this machine.
func TestSockets(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		testkit.Lacks(t, "sockets", err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if _, ok := readRequest(conn); ok {
				io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello")
				conn.(*net.TCPConn).SetLinger(0) // a reset
			}
			conn.Close()
		}
	}()
	cfg := config(nil)
	cfg.Dial, cfg.AllowPrivate = nil, true
	c := must.Get(New(cfg))(t)
	u := must.Get(weburl.Parse("http://"+l.Addr().String()+"/", nil))(t)
	res, err := c.Get(t.Context(), u, Options{})
	if err != nil {
		var e *Error
		if !errors.As(err, &e) || e.Reason != Closed { // the reset may overtake the bytes
			t.Fatal(err)
		}
	} else if res.Truncated != cutDisconnect {
		t.Errorf("cut by a reset: %q", res.Truncated)
	}
	l.Close()
	var e *Error
	if _, err = c.Get(t.Context(), u, Options{}); !errors.As(err, &e) || e.Reason != Refused {
		t.Errorf("nobody there: %v", err)
	}
}

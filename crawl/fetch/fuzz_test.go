package fetch

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// script is a connection on which a server says something at once and closes.
type script struct {
	net.Conn
	r io.Reader
}

func (s script) Read(p []byte) (int, error)      { return s.r.Read(p[:min(len(p), 7)]) }
func (s script) Write(p []byte) (int, error)     { return len(p), nil }
func (s script) Close() error                    { return nil }
func (s script) SetDeadline(time.Time) error     { return nil }
func (s script) SetReadDeadline(time.Time) error { return nil }

type fixed struct{}

func (fixed) Lookup(context.Context, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.AddrFrom4([4]byte{8, 8, 8, 8})}, nil
}

// FuzzResponse reads any answer: within its limits, as the server sent it, and with
// a reason for all that is missing.
func FuzzResponse(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"))
	f.Add([]byte("HTTP/1.1 100 x\n\nHTTP/1.0 301\nLocation: /é\nTransfer-Encoding: gzip, chunked\n\n3\nabc\n0\n\n"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n\x0b\x02\x80hello\x03"))
	u := must.Get(weburl.Parse("http://a.example/", nil))(f)
	f.Fuzz(func(t *testing.T, answer []byte) {
		cfg := Default
		cfg.UserAgent, cfg.MaxHead, cfg.MaxBytes, cfg.Resolver = "test", 1<<10, 1<<10, fixed{}
		cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
			return script{r: bytes.NewReader(answer)}, nil
		}
		c := must.Get(New(cfg))(t)
		res, err := c.Get(t.Context(), u, Options{})
		if err != nil {
			if e, ok := err.(*Error); !ok || e.Reason == Failed {
				t.Fatalf("an error without a reason: %v", err)
			}
			return
		}
		if !bytes.Contains(answer, res.Response) || res.Head > len(res.Response) || res.Status < 200 || res.Status > 999 {
			t.Fatalf("status %d, response %q of %q", res.Status, res.Response, answer)
		}
		if len(res.Body) > 1<<10 || len(res.Response) > 2<<10 {
			t.Fatalf("%d bytes of body, %d in all", len(res.Body), len(res.Response))
		}
		if (res.Cut == page.None) != (res.Fault == nil) || res.Truncated != "" && res.Cut == page.None {
			t.Fatalf("cut by %q, %s, %v", res.Truncated, res.Cut, res.Fault)
		}
	})
}

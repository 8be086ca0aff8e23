package fetch

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net"
	"sync"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// TestMaxFlight lets many endless and packed bodies arrive at once with a budget for few: all
// of them end, and all bytes are released.
func TestMaxFlight(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(make([]byte, 3<<20))
	z.Close()
	endless := server(func(_ string, conn net.Conn) {
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
		for b := make([]byte, 64<<10); ; {
			if _, err := conn.Write(b); err != nil {
				return
			}
		}
	})
	dense := server(func(_ string, conn net.Conn) {
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", packed.Len(), packed.Bytes())
	})
	cfg := Default
	cfg.UserAgent, cfg.KeepAlive = "test", 0
	cfg.MaxBytes, cfg.MaxRatio, cfg.MaxFlight = 2<<20, 10_000, 8<<20
	cfg.Resolver, cfg.Dial = names{"a.example": "192.0.2.1", "b.example": "192.0.2.2"}, web{"192.0.2.1:80": endless, "192.0.2.2:80": dense}.dial
	cfg.AllowPrivate = true
	c := must.Get(New(cfg))(t)
	defer c.Close()
	var group sync.WaitGroup
	for i := range 40 {
		group.Go(func() {
			u, err := weburl.Parse([]string{"http://a.example/", "http://b.example/"}[i%2], nil)
			if err != nil {
				t.Error(err)
				return
			}
			res, err := c.Get(t.Context(), u, Options{})
			if err != nil || len(res.Body) != int(cfg.MaxBytes) {
				t.Errorf("%s: %d bytes, %v", u.String(), len(res.Body), err)
			}
			res.Release()
			res.Release()
		})
	}
	group.Wait()
	if !c.sent.TryTake(cfg.MaxFlight) || !c.unpacked.TryTake(cfg.MaxFlight) { // only where nothing is out
		t.Error("bytes are still out")
	}
}

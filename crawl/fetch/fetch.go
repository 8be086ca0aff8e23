// Package fetch requests pages over HTTP/1.1 (RFC 9112). It has its own implementation of the
// protocol, so that an archive can store the exact bytes. [New] returns a [Client]; [Client.Get]
// returns a [Result].
//
// A Client sends one request: it follows no redirects, keeps no cookies and does not retry, unless the
// server closes an idle connection at the moment of the request. An
// incomplete response is returned with the reason. If there is no response, the [Error] has a
// reason that can be counted. Everything that a server sends is bounded: the head, the time to its
// first byte, the total time, the bytes, and their size after decompression.
//
// Every address of a name is checked before it is dialled. Addresses that are not on the public
// internet are rejected unless [Config.AllowPrivate] is set.
//
// Unstable: this package may change in any release.
package fetch

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"chaffinch/format/warc"
	"chaffinch/internal/budget"
	"chaffinch/page/weburl"
)

// Config configures a [Client].
type Config struct {
	// UserAgent is the User-Agent field, which names the crawler. Required.
	UserAgent string
	// AcceptLanguage and From are fields of each request. Default: omitted.
	AcceptLanguage, From string
	// AllowPrivate allows addresses that are not on the public internet, and ports of services
	// other than the web.
	AllowPrivate bool
	// VerifyTLS rejects servers whose certificate is not valid. Default: responses are accepted,
	// and [TLS.Fault] holds the error.
	VerifyTLS bool
	// Proxy is the URL of an HTTP proxy, "http://user:password@host:port". The proxy resolves
	// names, and must itself reject private addresses. Default: none.
	Proxy string

	// Connect limits the time for a lookup, each connection and each TLS handshake. FirstByte
	// limits the time from the request to the first byte of the response, Total the whole time.
	// Defaults: 15, 20 and 60 seconds.
	Connect, FirstByte, Total time.Duration
	// MaxHead is the most bytes of the head of a response. Default: 64 KiB.
	MaxHead int
	// MaxBytes is the most bytes of a body, as sent and decompressed. MaxRatio is the most bytes
	// that one sent byte may decompress to, beyond the first mebibyte. Defaults: 10 MiB and 100.
	MaxBytes int64
	MaxRatio float64
	// MaxBytesOf holds the limits for media types whose limit differs from MaxBytes. Default: none.
	MaxBytesOf map[string]int64
	// MaxFlight limits the bytes of all bodies in memory, as sent and decompressed, until
	// [Result.Release]. Requests wait above the limit. The first 128 KiB of a body do not count.
	// Default: 0, no limit.
	MaxFlight int64

	// KeepAlive is the time for which an idle connection is kept for the next request to its server;
	// 0 closes it. MaxIdle is the most idle connections. There is at most one for an IP address, and none
	// through a proxy. Defaults: 15 seconds and 1000.
	KeepAlive time.Duration
	MaxIdle   int

	// Resolver resolves names. Default: a [Cache] of [SystemResolver].
	Resolver Resolver
	// Dial opens a connection to an IP address and port. Default: net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Default holds the limits for web pages.
var Default = Config{
	Connect:   15 * time.Second,
	FirstByte: 20 * time.Second,
	Total:     60 * time.Second,
	MaxHead:   64 << 10,
	MaxBytes:  10 << 20,
	MaxRatio:  100,
	KeepAlive: 15 * time.Second,
	MaxIdle:   1000,
}

// graceBytes may be decompressed regardless of the ratio.
const graceBytes = 1 << 20

// Check returns an error for settings that a client cannot use.
func (cfg Config) Check() error {
	for _, f := range []struct{ name, value string }{{"user agent", cfg.UserAgent}, {"accepted languages", cfg.AcceptLanguage}, {"sender", cfg.From}} {
		if strings.IndexFunc(f.value, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
			return fmt.Errorf("%s %q: wanted printable ASCII characters", f.name, f.value)
		}
	}
	switch {
	case cfg.UserAgent == "":
		return errors.New("no user agent: wanted the name of the crawler")
	case cfg.Connect <= 0:
		return fmt.Errorf("time to connect: %v, wanted more than 0", cfg.Connect)
	case cfg.FirstByte <= 0:
		return fmt.Errorf("time to the first byte: %v, wanted more than 0", cfg.FirstByte)
	case cfg.Total <= 0:
		return fmt.Errorf("total time: %v, wanted more than 0", cfg.Total)
	case cfg.MaxHead < 1<<10:
		return fmt.Errorf("limit of the head: %d bytes, wanted at least 1,024", cfg.MaxHead)
	case cfg.MaxBytes <= 0:
		return fmt.Errorf("limit of the body: %d bytes, wanted at least 1", cfg.MaxBytes)
	case cfg.MaxRatio < 1:
		return fmt.Errorf("decompression ratio: %g, wanted at least 1", cfg.MaxRatio)
	}
	_, err := parseProxy(cfg.Proxy)
	return err
}

// parseProxy parses the URL of a proxy; it returns nil for "".
func parseProxy(s string) (*url.URL, error) {
	if s == "" {
		return nil, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" || u.Hostname() == "" {
		return nil, fmt.Errorf("proxy %q: wanted http://host:port", s)
	}
	return u, nil
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	cfg   Config
	proxy *url.URL
	idle  *pool
	dead  deadAddresses
	// Bodies as sent and as decompressed have separate budgets, so that decompression never waits
	// for a slow server.
	sent, unpacked *budget.Budget
	roots          *x509.CertPool // trusted authorities; nil for the system's
}

// New returns a client.
func New(cfg Config) (*Client, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	c := &Client{cfg: cfg, idle: newPool(cfg.KeepAlive, cfg.MaxIdle), dead: deadAddresses{until: map[netip.Addr]time.Time{}}}
	if cfg.MaxFlight > 0 {
		c.sent, c.unpacked = budget.New(cfg.MaxFlight/2), budget.New(cfg.MaxFlight/2)
	}
	c.proxy, _ = parseProxy(cfg.Proxy)
	if c.cfg.Resolver == nil {
		c.cfg.Resolver = NewCache(SystemResolver(), DefaultCache)
	}
	if c.cfg.Dial == nil {
		c.cfg.Dial = (&net.Dialer{}).DialContext
	}
	return c, nil
}

// Options holds the options of a request.
type Options struct {
	// ETag and LastModified are fields of an earlier response. If either is set, the request asks
	// for the page only if it has changed.
	ETag, LastModified string
	// Accept is the field of that name. Default: formats with text.
	Accept string
	// Address is the IP address to dial. If zero, the addresses of the host are tried in order. A
	// proxy ignores it.
	Address netip.Addr
}

// Close closes the idle connections.
func (c *Client) Close() error {
	c.idle.close()
	return nil
}

// Get requests a URL. The error is an [*Error]. The Result returned with an error, if not nil,
// holds the times and the address of the request.
func (c *Client) Get(ctx context.Context, u weburl.URL, opts Options) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Total)
	defer cancel()
	x := &exchange{client: c, ctx: ctx, opts: opts, res: &Result{URL: u, Start: time.Now()}}
	if c.sent != nil {
		x.res.sentBudget, x.res.unpackBudget = c.sent.Share(), c.unpacked
	}
	err := x.run()
	x.res.Total = time.Since(x.res.Start)
	if err != nil {
		x.res.Release()
		return x.res, x.asError(err)
	}
	return x.res, nil
}

// Lookup returns the addresses that Get would dial for a host, in order: recently unreachable ones
// come last. It returns none if there is a proxy, which resolves names itself. The error is an
// [*Error].
func (c *Client) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if c.proxy != nil {
		return nil, nil
	}
	x := &exchange{client: c, ctx: ctx}
	addrs, err := x.lookup(host)
	if err != nil {
		return nil, x.asError(err)
	}
	return addrs, nil
}

// exchange is one request with its response.
type exchange struct {
	client *Client
	ctx    context.Context
	opts   Options
	conn   net.Conn
	res    *Result
	reused bool // conn was idle
	fresh  bool // conn must be new
}

func (x *exchange) run() error {
	err := x.once()
	var e *Error
	if x.reused && x.res.FirstByte == 0 && errors.As(err, &e) && e.Reason == Closed && x.ctx.Err() == nil {
		// The server closed the idle connection while the request was on its way (RFC 9112, section 9.3.1).
		x.fresh, x.res.TLS = true, nil
		err = x.once()
	}
	return err
}

// once sends the request and reads the response.
func (x *exchange) once() error {
	if err := x.connect(); err != nil {
		return err
	}
	again := false // the connection can be used for another request
	stop := context.AfterFunc(x.ctx, func() { x.conn.SetDeadline(pastDeadline) })
	defer func() {
		if again = stop() && again; again {
			x.client.idle.put(&idleConn{conn: x.conn, addr: x.res.IP, origin: x.origin(), tls: x.res.TLS})
		} else {
			x.conn.Close()
		}
	}()
	res := x.res
	res.Request = x.request()
	first := time.Now().Add(x.client.cfg.FirstByte)
	if total, _ := x.ctx.Deadline(); total.Before(first) {
		first = total
	}
	x.conn.SetDeadline(first)
	if x.ctx.Err() != nil {
		return x.ctx.Err()
	}
	if _, err := x.conn.Write(res.Request); isTimeout(err) {
		return &Error{Reason: NoAnswer, Err: err}
	}
	in := &input{x: x}
	err := x.read(in) // a server that closed the connection during the request may have responded
	again = err == nil && x.client.proxy == nil && in.persists(res)
	return err
}

// origin returns the scheme, host and port of the request.
func (x *exchange) origin() string {
	u := x.res.URL
	return u.Scheme() + "://" + u.HostPort()
}

// pastDeadline is a deadline in the past.
var pastDeadline = time.Unix(1, 0)

// maxBytes returns the most bytes of the body.
func (x *exchange) maxBytes() int64 {
	media, _ := warc.MediaType(x.res.Header.Get("Content-Type"))
	if n, ok := x.client.cfg.MaxBytesOf[media]; ok {
		return n
	}
	return x.client.cfg.MaxBytes
}

// decode sets the body without transfer and content codings.
func (x *exchange) decode() {
	res, cfg := x.res, &x.client.cfg
	stored := res.Response[res.Head:]
	if len(stored) == 0 {
		return
	}
	if !res.Header.Has("Transfer-Encoding") && !res.Header.Has("Content-Encoding") {
		res.Body = stored
		return
	}
	most := int64(len(stored))
	if res.Header.Has("Content-Encoding") {
		most = min(x.maxBytes(), max(graceBytes, int64(cfg.MaxRatio*float64(len(stored)))))
	}
	res.setUnpacked(2 * most) // the buffer doubles
	body, err := warc.Payload(newReader(stored, 16<<10), res.Header, warc.Limits{MaxBytes: x.maxBytes(), MaxRatio: cfg.MaxRatio, GraceBytes: graceBytes})
	res.Body = body
	res.setUnpacked(int64(cap(body)))
	res.cut(err)
}

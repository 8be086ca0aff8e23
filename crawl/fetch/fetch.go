// Package fetch asks servers for pages over HTTP/1.1 (RFC 9112), on connections of
// its own, so that an archive can keep the bytes as they were sent.
//
// A [Client] asks once: it follows no redirect, keeps no cookie and tries nothing
// again. What came is a [Result], if only in part, with the reason of what is
// missing; where nothing came, the [Error] says why in a word that can be counted.
// Everything that a server sends has a budget: the head, the time until its first
// byte, all of the time, the bytes, and what they unpack to.
//
// Each address that a name leads to is looked at before it is dialled: what is not
// of the public internet is refused, unless [Config.AllowPrivate] is set.
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

// Config says how a [Client] asks.
type Config struct {
	// UserAgent is the field that tells servers who asks; it must be given.
	UserAgent string
	// AcceptLanguage and From are fields of each request, left out if "".
	AcceptLanguage, From string
	// AllowPrivate allows addresses that are not of the public internet, and ports
	// of other services than the web's.
	AllowPrivate bool
	// VerifyTLS rejects servers whose certificate is not valid. Default: their answers are
	// accepted, and [TLS.Fault] says what is wrong.
	VerifyTLS bool
	// Proxy is the address of an HTTP proxy, "http://user:password@host:port"; ""
	// for none. The proxy looks names up: where they lead it must guard itself.
	Proxy string

	// Connect bounds the time for a name, for each connection and for each TLS
	// handshake; FirstByte that from the request to the answer; Total all of it.
	Connect, FirstByte, Total time.Duration
	// MaxHead bounds the head of a response.
	MaxHead int
	// MaxBytes bounds the body, as sent and unpacked, and MaxRatio the bytes that
	// one sent byte may unpack to, beyond the first megabyte.
	MaxBytes int64
	MaxRatio float64
	// MaxFlight bounds the bytes of all bodies in memory, as sent and unpacked, until
	// [Result.Release]: requests wait while there are more. The first 128 KiB of a body do
	// not count. 0 is no bound.
	MaxFlight int64

	// KeepAlive is how long a connection waits for the next request to its server, 0 not
	// at all; MaxIdle bounds the connections that wait. At most one does for an IP
	// address, and none through a proxy.
	KeepAlive time.Duration
	MaxIdle   int

	// Resolver finds the addresses of names; nil is a [Cache] of the system's.
	Resolver Resolver
	// Dial opens a connection to an IP address and port; nil is that of package net.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Default has the budgets for web pages.
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

// graceBytes may be unpacked from however few bytes.
const graceBytes = 1 << 20

// Check reports settings that a client cannot work with.
func (cfg Config) Check() error {
	for _, f := range []struct{ name, value string }{{"user agent", cfg.UserAgent}, {"accepted languages", cfg.AcceptLanguage}, {"sender", cfg.From}} {
		if strings.IndexFunc(f.value, func(r rune) bool { return r < ' ' || r > '~' }) >= 0 {
			return fmt.Errorf("%s %q: wanted printable ASCII characters", f.name, f.value)
		}
	}
	switch {
	case cfg.UserAgent == "":
		return errors.New("no user agent: servers must be told who asks")
	case cfg.Connect <= 0 || cfg.FirstByte <= 0 || cfg.Total <= 0:
		return fmt.Errorf("times of %v to connect, %v to the first byte, %v in all: wanted more than none", cfg.Connect, cfg.FirstByte, cfg.Total)
	case cfg.MaxHead < 1<<10 || cfg.MaxBytes <= 0 || cfg.MaxRatio < 1:
		return fmt.Errorf("at most %d bytes of head, %d of body, %g for one: wanted at least 1,024, 1 and 1", cfg.MaxHead, cfg.MaxBytes, cfg.MaxRatio)
	}
	_, err := proxyOf(cfg.Proxy)
	return err
}

// proxyOf parses the address of a proxy; nil for "".
func proxyOf(s string) (*url.URL, error) {
	if s == "" {
		return nil, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" || u.Hostname() == "" {
		return nil, fmt.Errorf("proxy %q: wanted http://host:port", s)
	}
	return u, nil
}

// Client asks servers. It is safe for concurrent use.
type Client struct {
	cfg   Config
	proxy *url.URL
	idle  *pool
	dead  deadAddresses
	// Bodies as sent and as unpacked have budgets of their own: unpacking never waits
	// for a slow server.
	sent, unpacked *budget.Budget
	roots          *x509.CertPool // authorities that are trusted; nil: those of the system
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
	c.proxy, _ = proxyOf(cfg.Proxy)
	if c.cfg.Resolver == nil {
		c.cfg.Resolver = NewCache(SystemResolver(), DefaultCache)
	}
	if c.cfg.Dial == nil {
		c.cfg.Dial = (&net.Dialer{}).DialContext
	}
	return c, nil
}

// Options say how to ask for a page.
type Options struct {
	// ETag and LastModified are the fields of an answer that is known, "" for none: the
	// page is asked for only if it has changed.
	ETag, LastModified string
	// Address is the IP address to ask; the zero one stands for those that the name has,
	// one after the other. A proxy chooses for itself.
	Address netip.Addr
}

// Close closes the connections that wait for another request.
func (c *Client) Close() error {
	c.idle.close()
	return nil
}

// Get asks for one address. The error is an [*Error]; with it the Result, if not
// nil, tells when and whom the client asked.
func (c *Client) Get(ctx context.Context, u weburl.URL, opts Options) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Total)
	defer cancel()
	x := &exchange{client: c, ctx: ctx, opts: opts, res: &Result{URL: u, Start: time.Now()}}
	if c.sent != nil {
		x.res.sent, x.res.from = c.sent.Share(), c.unpacked
	}
	err := x.run()
	x.res.Total = time.Since(x.res.Start)
	if err != nil {
		x.res.Release()
		return x.res, x.blame(err)
	}
	return x.res, nil
}

// Lookup returns the addresses that Get would dial for a host, in their order: those
// that could not be reached of late come last. With a proxy, which looks names up
// itself, there are none. The error is an [*Error].
func (c *Client) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if c.proxy != nil {
		return nil, nil
	}
	x := &exchange{client: c, ctx: ctx}
	addrs, err := x.lookup(host)
	if err != nil {
		return nil, x.blame(err)
	}
	return addrs, nil
}

// exchange is one request and what becomes of it.
type exchange struct {
	client *Client
	ctx    context.Context
	opts   Options
	conn   net.Conn
	res    *Result
}

func (x *exchange) run() error {
	if err := x.connect(); err != nil {
		return err
	}
	again := false // the connection can be used once more
	stop := context.AfterFunc(x.ctx, func() { x.conn.SetDeadline(long) })
	defer func() {
		if again = stop() && again; again {
			x.client.idle.put(&idle{conn: x.conn, addr: x.res.IP, origin: x.origin(), tls: x.res.TLS})
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
	err := x.read(in) // a server that closed while it was asked may have answered all the same
	again = err == nil && x.client.proxy == nil && in.persists(res)
	return err
}

// origin returns the scheme, host and port that are asked.
func (x *exchange) origin() string {
	u := x.res.URL
	return u.Scheme() + "://" + u.HostPort()
}

// long is a deadline that has passed.
var long = time.Unix(1, 0)

// decode sets the body, without transfer and content codings.
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
		most = min(cfg.MaxBytes, max(graceBytes, int64(cfg.MaxRatio*float64(len(stored)))))
	}
	res.unpack(2 * most) // the buffer doubles
	body, err := warc.Payload(reader(stored, 16<<10), res.Header, warc.Limits{MaxBytes: cfg.MaxBytes, MaxRatio: cfg.MaxRatio, GraceBytes: graceBytes})
	res.Body = body
	res.unpack(int64(cap(body)))
	res.cut(err)
}

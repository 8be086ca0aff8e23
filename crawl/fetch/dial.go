package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chaffinch/format/warc"
)

// maxDials is the most addresses of a name that are tried.
const maxDials = 3

// connect opens the connection, with TLS for https.
func (x *exchange) connect() error {
	u, c := x.res.URL, x.client
	if !c.cfg.AllowPrivate && badPorts[u.Port()] {
		return &Error{Reason: BadPort, Err: fmt.Errorf("port %d belongs to another service", u.Port())}
	}
	var err error
	if c.proxy != nil {
		err = x.connectProxy()
	} else {
		err = x.connectServer(u.Host(), u.Port())
	}
	if err == nil && u.TLS() && x.res.TLS == nil {
		if err = x.handshake(strings.Trim(u.Host(), "[]")); err != nil {
			x.conn.Close()
		}
	}
	x.res.Connected = time.Since(x.res.Start)
	return err
}

// lookup returns the addresses of a host that may be dialled.
func (x *exchange) lookup(host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return x.allowed([]netip.Addr{a})
	}
	ctx, cancel := context.WithTimeout(x.ctx, x.client.cfg.Connect)
	defer cancel()
	addrs, err := x.client.cfg.Resolver.Lookup(ctx, host)
	switch {
	case errors.Is(err, ErrNoName), err == nil && len(addrs) == 0:
		return nil, &Error{Reason: NoName, Err: err}
	case err != nil:
		return nil, &Error{Reason: NoResolver, Err: err}
	}
	addrs, err = x.allowed(addrs)
	return x.client.dead.deadLast(addrs), err
}

// allowed drops the addresses that are not public.
func (x *exchange) allowed(addrs []netip.Addr) ([]netip.Addr, error) {
	if x.client.cfg.AllowPrivate {
		return addrs, nil
	}
	var public []netip.Addr
	for _, a := range addrs {
		if IsPublic(a) {
			public = append(public, a.Unmap())
		}
	}
	if len(public) == 0 {
		return nil, &Error{Reason: PrivateAddress, Err: fmt.Errorf("%s is not on the public internet", addrs[0])}
	}
	return public, nil
}

// connectServer dials the addresses of a host in order.
func (x *exchange) connectServer(host string, port int) error {
	var addrs []netip.Addr
	var err error
	if x.opts.Address.IsValid() {
		addrs, err = x.allowed([]netip.Addr{x.opts.Address})
	} else {
		addrs, err = x.lookup(host)
	}
	if err != nil {
		return err
	}
	for _, a := range addrs[:min(len(addrs), maxDials)] {
		x.res.IP = a
		x.reused = false
		if !x.fresh {
			if i := x.client.idle.take(a, x.origin()); i != nil {
				x.conn, x.res.TLS, x.reused = i.conn, i.tls, true
				return nil
			}
		}
		if err = x.dial(netip.AddrPortFrom(a, uint16(port)).String()); err == nil {
			return nil
		}
		if x.ctx.Err() != nil {
			break
		}
		x.client.dead.add(a)
	}
	if cache, ok := x.client.cfg.Resolver.(*Cache); ok {
		cache.Forget(host) // the host may have moved
	}
	return &Error{Reason: dialReason(err), Err: err}
}

func (x *exchange) dial(address string) (err error) {
	ctx, cancel := context.WithTimeout(x.ctx, x.client.cfg.Connect)
	defer cancel()
	x.conn, err = x.client.cfg.Dial(ctx, "tcp", address)
	return err
}

// connectProxy connects to the proxy, and through it to https servers.
func (x *exchange) connectProxy() error {
	p, u := x.client.proxy, x.res.URL
	if a, err := netip.ParseAddr(strings.Trim(u.Host(), "[]")); err == nil {
		if _, err := x.allowed([]netip.Addr{a}); err != nil {
			return err
		}
	}
	port := p.Port()
	if port == "" {
		port = "80"
	}
	if err := x.dial(net.JoinHostPort(p.Hostname(), port)); err != nil {
		return &Error{Reason: BadProxy, Err: err}
	}
	if !u.TLS() {
		return nil
	}
	if err := x.tunnel(u.Host() + ":" + strconv.Itoa(u.Port())); err != nil {
		x.conn.Close()
		return &Error{Reason: BadProxy, Err: err}
	}
	return nil
}

// deadAddresses holds the addresses that were recently unreachable.
type deadAddresses struct {
	mu    sync.Mutex
	until map[netip.Addr]time.Time
}

const (
	// deadTime is the time for which an unreachable address is tried after others.
	deadTime = time.Hour
	// maxDead is the most unreachable addresses that are remembered.
	maxDead = 10_000
)

func (d *deadAddresses) add(a netip.Addr) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.until) >= maxDead {
		clear(d.until)
	}
	d.until[a] = time.Now().Add(deadTime)
}

// deadLast returns addresses in their order, with dead ones last.
func (d *deadAddresses) deadLast(addrs []netip.Addr) []netip.Addr {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	dead := func(a netip.Addr) int {
		if now.Before(d.until[a]) {
			return 1
		}
		return 0
	}
	addrs = slices.Clone(addrs) // the slice belongs to a cache
	slices.SortStableFunc(addrs, func(a, b netip.Addr) int { return dead(a) - dead(b) })
	return addrs
}

// tunnel requests a connection to a server from the proxy (RFC 9110, section 9.3.6).
func (x *exchange) tunnel(to string) error {
	stop := x.limit(x.client.cfg.Connect)
	defer stop()
	head := "CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\n" + x.proxyAuthorization() + "\r\n"
	if _, err := x.conn.Write([]byte(head)); err != nil {
		return err
	}
	answer := make([]byte, 0, 256)
	for headEnd(answer, max(0, len(answer)-len("\n\r\r\n"))) == 0 { // byte by byte, since what follows belongs to TLS
		var b [1]byte
		if _, err := io.ReadFull(x.conn, b[:]); err != nil {
			return err
		}
		if answer = append(answer, b[0]); len(answer) > maxProxyHead {
			return fmt.Errorf("head longer than %d bytes", maxProxyHead)
		}
	}
	h, err := warc.ReadHTTP(newReader(answer, len(answer)+1))
	if err != nil {
		return err
	}
	if h.Status/100 != 2 {
		return fmt.Errorf("status %d", h.Status)
	}
	return nil
}

// maxProxyHead is the most bytes of a proxy's response to CONNECT.
const maxProxyHead = 8 << 10

// proxyAuthorization returns the field that authorizes the client at the proxy; "" if it is not
// needed.
func (x *exchange) proxyAuthorization() string {
	user := x.client.proxy.User
	if user == nil {
		return ""
	}
	password, _ := user.Password()
	return "Proxy-Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)) + "\r\n"
}

// limit sets the deadline of the connection to d from now, or to the deadline of the request if
// that is earlier. The caller calls stop afterwards.
func (x *exchange) limit(d time.Duration) (stop func() bool) {
	at := time.Now().Add(d)
	if end, ok := x.ctx.Deadline(); ok && end.Before(at) {
		at = end
	}
	conn := x.conn
	conn.SetDeadline(at)
	return context.AfterFunc(x.ctx, func() { conn.SetDeadline(pastDeadline) })
}

// handshake starts TLS 1.2 or later. An invalid certificate is recorded, or rejected if the client
// verifies certificates.
func (x *exchange) handshake(host string) error {
	name := host
	if _, err := netip.ParseAddr(host); err == nil {
		name = ""
	}
	conn := tls.Client(x.conn, &tls.Config{
		ServerName:         strings.TrimSuffix(name, "."),
		InsecureSkipVerify: true,
		MinVersion:         tls.VersionTLS12,
		CipherSuites:       suites,
		NextProtos:         []string{"http/1.1"},
	})
	stop := x.limit(x.client.cfg.Connect)
	err := conn.HandshakeContext(x.ctx)
	stop()
	if err != nil {
		reason := BadTLS
		if isTimeout(err) {
			reason = ConnectTimeout
		}
		return &Error{Reason: reason, Err: err}
	}
	state := conn.ConnectionState()
	x.res.TLS = &TLS{Version: tls.VersionName(state.Version), Cipher: tls.CipherSuiteName(state.CipherSuite), Fault: certificateError(state, host, x.client.roots)}
	if x.client.cfg.VerifyTLS && x.res.TLS.Fault != "" {
		return &Error{Reason: BadCertificate, Err: errors.New(x.res.TLS.Fault)}
	}
	x.conn = conn
	return nil
}

// suites holds the cipher suites of TLS 1.2 that browsers accept, and RSA key exchange, which old
// servers need and Go no longer offers by default.
var suites = func() (ids []uint16) {
	for _, s := range tls.CipherSuites() {
		ids = append(ids, s.ID)
	}
	return append(ids, tls.TLS_RSA_WITH_AES_128_GCM_SHA256, tls.TLS_RSA_WITH_AES_256_GCM_SHA384, tls.TLS_RSA_WITH_AES_128_CBC_SHA, tls.TLS_RSA_WITH_AES_256_CBC_SHA)
}()

// certificateError returns the error of a server's certificates; "" if they are valid.
func certificateError(state tls.ConnectionState, host string, roots *x509.CertPool) string {
	if len(state.PeerCertificates) == 0 {
		return "no certificate"
	}
	opts := x509.VerifyOptions{DNSName: host, Roots: roots, Intermediates: x509.NewCertPool()}
	for _, c := range state.PeerCertificates[1:] {
		opts.Intermediates.AddCert(c)
	}
	if _, err := state.PeerCertificates[0].Verify(opts); err != nil {
		return err.Error()
	}
	return ""
}

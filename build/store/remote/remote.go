// Package remote implements stores at addresses: s3:// for S3 and compatible services, gs://
// for Google Cloud Storage by the S3 protocol, and https:// for reading from the web. [Open]
// returns an opener of stores, and [Download] fetches a file.
//
// Stores retry when a service is busy or a connection breaks, and resume within an object.
//
// Unstable: this package may change in any release.
package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"chaffinch/build/store"
	"chaffinch/internal/periodic"
	"chaffinch/internal/readers"
)

// Config configures access to services.
type Config struct {
	// Env returns environment variables. The variables of AWS tools are used: keys, session
	// token, region, endpoint and profile. Default: [os.Getenv].
	Env func(string) string
	// Tries is the maximum number of tries of a request. Default: 10. If no connection to a
	// service ever succeeded, it is 4; if the machine refuses connections or its name does
	// not exist, it is 1.
	Tries int
	// Wait is the time before the second try. It doubles with each try, up to 30 times its
	// value. Default: one second, as Common Crawl requires.
	Wait time.Duration
	// Idle is the time without data after which a connection is considered broken. Default:
	// one minute.
	Idle time.Duration
	// NoDigests omits the digests of written data, for services that reject them.
	NoDigests bool
	// PartBytes is the size from which objects are written in parts. Default: 16 MiB.
	PartBytes int64
}

// Default is the configuration of the command.
var Default = Config{Tries: 10, Wait: time.Second, Idle: time.Minute, PartBytes: 16 << 20}

func (c Config) withDefaults() Config {
	if c.Env == nil {
		c.Env = os.Getenv
	}
	if c.Tries <= 0 {
		c.Tries = Default.Tries
	}
	if c.Wait <= 0 {
		c.Wait = Default.Wait
	}
	if c.Idle <= 0 {
		c.Idle = Default.Idle
	}
	if c.PartBytes <= 0 {
		c.PartBytes = Default.PartBytes
	}
	return c
}

// service is the service of a store.
type service struct {
	Config
	reached atomic.Bool // a connection succeeded
	way     string      // advice if the service does not respond
}

// Open returns an opener of stores, for [cluster.Work].
func Open(cfg Config) store.Opener {
	cfg = cfg.withDefaults()
	var mu sync.Mutex
	known := map[string]store.Store{}
	return func(address string) (store.Store, string, error) {
		scheme, rest, _ := strings.Cut(address, "://")
		host, name, _ := strings.Cut(rest, "/") // not decoded: names may contain % and ?
		u, err := url.Parse(scheme + "://" + host)
		if err != nil || u.Host == "" {
			return nil, "", fmt.Errorf("address %s: wanted one such as s3://bucket/name or https://host/name", address)
		}
		mu.Lock()
		defer mu.Unlock()
		key := u.Scheme + "://" + u.Host
		if s := known[key]; s != nil {
			return s, name, nil
		}
		var s store.Store
		at := &service{Config: cfg, way: "set AWS_ENDPOINT_URL to where the service is"}
		switch u.Scheme {
		case "s3", "gs":
			s, err = newS3(u.Scheme, u.Host, at)
		case "https", "http":
			at.way = "wanted the address of a server"
			s = newWeb(key, at)
		default:
			err = fmt.Errorf("address %s: there are s3, gs, https and http", address)
		}
		if err != nil {
			return nil, "", err
		}
		known[key] = s
		return s, name, nil
	}
}

// again is an error after which a request is retried.
type again struct {
	err  error
	wait time.Duration // time that the service requests, 0 for none
}

func (e *again) Error() string { return e.err.Error() }
func (e *again) Unwrap() error { return e.err }

// nobody reports whether a connection failed because the machine does not exist or does not
// listen on the port.
func nobody(err error) bool {
	var dns *net.DNSError
	return errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, &dns) && dns.IsNotFound
}

// firstTries is the maximum number of tries for a service that was never reached, so that a
// wrong address is reported within seconds.
const firstTries = 4

// dialIdle returns a dial function whose connections break after a time without data, while a request is
// sent or its response read.
func dialIdle(dial dialer, idle time.Duration) dialer {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &idleConn{c, idle}, nil
	}
}

type dialer func(ctx context.Context, network, address string) (net.Conn, error)

// idleConn is a connection that breaks after a time without data in both directions.
type idleConn struct {
	net.Conn
	idle time.Duration
}

// Read implements [net.Conn].
func (c *idleConn) Read(b []byte) (int, error) {
	c.SetDeadline(time.Now().Add(c.idle))
	return c.Conn.Read(b)
}

// Write implements [net.Conn].
func (c *idleConn) Write(b []byte) (int, error) {
	c.SetDeadline(time.Now().Add(c.idle))
	return c.Conn.Write(b)
}

// unreached reports whether no connection was made.
func unreached(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// retry calls do until it succeeds, fails permanently, or has reached the maximum number of
// tries.
func (c *service) retry(ctx context.Context, do func(try int) error) error {
	for try := 0; ; try++ {
		err, tries := do(try), c.Tries
		if !unreached(err) {
			c.reached.Store(true)
		} else if !c.reached.Load() {
			if nobody(err) {
				return fmt.Errorf("%w: nothing answers there: %s", err, c.way)
			}
			tries = min(tries, firstTries)
		}
		var a *again
		if err == nil || !errors.As(err, &a) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if try+1 >= tries {
			return fmt.Errorf("%w (tried %d times)", a.err, try+1)
		}
		if err := c.pause(ctx, try+1, a.wait); err != nil {
			return err
		}
	}
}

// pause waits after a number of failures in sequence, and at least for the time that the service requests.
func (c *service) pause(ctx context.Context, failures int, atLeast time.Duration) error {
	wait, limit := c.Wait, 30*c.Wait
	for ; failures > 1 && wait < limit; failures-- {
		wait *= 2
	}
	return periodic.Pause(ctx, min(max(wait, atLeast), limit))
}

// body reads a part of an object. If the connection breaks, it resumes with another one.
type body struct {
	ctx  context.Context
	cfg  *service
	name string // for errors
	// open starts reading the same object at an offset. It returns again if a retry is
	// useful.
	open func(ctx context.Context, from, n int64) (io.ReadCloser, error)

	at, end int64
	in      io.ReadCloser
	stop    context.CancelFunc
	timer   *time.Timer
	failed  int
}

// extent returns the properties of an object and the number of bytes to read from an offset.
// n is returned unless it is negative.
func extent(ctx context.Context, s store.Store, name string, from, n int64) (store.Object, int64, error) {
	o, err := s.Stat(ctx, name)
	if err != nil {
		return o, 0, err
	}
	if n < 0 {
		n = max(o.Size-from, 0)
	}
	if from+n > o.Size {
		return o, 0, fmt.Errorf("%s/%s: %d bytes, wanted %d: %w", s, name, o.Size, from+n, errChanged)
	}
	return o, n, nil
}

// newBody opens the first connection, so that a missing object is reported immediately.
func newBody(ctx context.Context, cfg *service, name string, from, n int64, open func(ctx context.Context, from, n int64) (io.ReadCloser, error)) (*body, error) {
	b := &body{ctx: ctx, cfg: cfg, name: name, open: open, at: from, end: from + n}
	if n == 0 {
		return b, nil
	}
	return b, b.connect()
}

func (b *body) connect() error {
	return b.cfg.retry(b.ctx, func(int) error {
		ctx, stop := context.WithCancel(b.ctx)
		b.timer = time.AfterFunc(b.cfg.Idle, stop)
		in, err := b.open(ctx, b.at, b.end-b.at)
		if err != nil {
			slow := ctx.Err() != nil && b.ctx.Err() == nil
			b.timer.Stop()
			stop()
			if slow {
				err = &again{err: fmt.Errorf("%s: nothing came for %s", b.name, b.cfg.Idle)}
			}
			return err
		}
		b.in, b.stop = in, stop
		return nil
	})
}

// Read implements [io.Reader].
func (b *body) Read(p []byte) (int, error) {
	for {
		if b.at >= b.end {
			return 0, io.EOF
		}
		if b.in == nil {
			if err := b.connect(); err != nil {
				return 0, err
			}
		}
		if int64(len(p)) > b.end-b.at {
			p = p[:b.end-b.at]
		}
		n, err := b.in.Read(p)
		b.timer.Reset(b.cfg.Idle)
		if b.at += int64(n); n > 0 {
			b.failed = 0
			return n, nil
		}
		if err == nil {
			continue
		}
		b.drop()
		if b.ctx.Err() != nil {
			return 0, b.ctx.Err()
		}
		if b.failed++; b.failed >= b.cfg.Tries {
			return 0, fmt.Errorf("%s: the connection breaks at byte %d: %w (tried %d times)", b.name, b.at, readers.Unexpected(err), b.failed)
		}
		if b.failed > 1 { // the first connection after data resumes immediately
			if err := b.cfg.pause(b.ctx, b.failed-1, 0); err != nil {
				return 0, err
			}
		}
	}
}

func (b *body) drop() {
	if b.in != nil {
		b.timer.Stop()
		b.stop()
		b.in.Close()
		b.in = nil
	}
}

// Close closes the connection.
func (b *body) Close() error {
	b.drop()
	return nil
}

// missing returns the error for a missing object.
func missing(name string) error {
	return fmt.Errorf("%s: %w", name, fs.ErrNotExist)
}

// errChanged is the error for an object that changed while it was read.
var errChanged = errors.New("it has changed while it was read")

package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

// Resolver finds the addresses of a name, the one to try first before the others.
type Resolver interface {
	Lookup(ctx context.Context, host string) ([]netip.Addr, error)
}

// ErrNoName tells that a name does not exist or has no address. Other errors of a
// [Resolver] tell that it could not be asked.
var ErrNoName = errors.New("no such name")

// A ttlResolver is a Resolver that knows how long an answer holds, 0 if nobody says; of
// ErrNoName too.
type ttlResolver interface {
	LookupTTL(ctx context.Context, host string) (addrs []netip.Addr, ttl time.Duration, err error)
}

// SystemResolver asks the name servers of the system, for IPv4 and IPv6.
func SystemResolver() Resolver {
	if s, ok := readNameServers("/etc/resolv.conf", "/etc/hosts"); ok {
		return s
	}
	return system{&net.Resolver{PreferGo: true}}
}

type system struct{ r *net.Resolver }

func (s system) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if strings.Contains(host, ".") {
		host = strings.TrimSuffix(host, ".") + "." // the whole name: no search domains
	}
	addrs, err := s.r.LookupNetIP(ctx, "ip", host)
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound {
		return nil, fmt.Errorf("%w: %s", ErrNoName, dns.Name)
	}
	return addrs, err
}

// CacheConfig says what a [Cache] keeps.
type CacheConfig struct {
	// Good is how long addresses are kept, Bad how long it is kept that there are none,
	// if the Resolver does not tell. What name servers say of that is kept to between Bad
	// and Good.
	Good, Bad time.Duration
	// Workers bounds the questions that are out at a time.
	Workers int
	// MaxNames bounds the names that are kept: beyond it the oldest go.
	MaxNames int
}

// DefaultCache fits a crawl of many hosts.
var DefaultCache = CacheConfig{Good: time.Hour, Bad: time.Minute, Workers: 50, MaxNames: 200_000}

// Cache is a Resolver that remembers what another one said. It asks for a name once
// at a time. It is safe for concurrent use.
type Cache struct {
	from Resolver
	cfg  CacheConfig
	out  chan struct{}

	mu    sync.Mutex
	names map[string]*entry
	order []string // names from the oldest on, with those that are gone
}

// entry is what is known of a name.
type entry struct {
	ready chan struct{} // closed when the rest is set
	until time.Time
	addrs []netip.Addr
	err   error
}

// NewCache returns a Cache of what from says.
func NewCache(from Resolver, cfg CacheConfig) *Cache {
	return &Cache{from: from, cfg: cfg, out: make(chan struct{}, max(cfg.Workers, 1)), names: map[string]*entry{}}
}

// Lookup returns the addresses of a name.
func (c *Cache) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	for {
		e, asks := c.entry(host)
		if asks {
			c.ask(ctx, host, e)
		}
		select {
		case <-e.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if !asks && e.err != nil && errors.Is(e.err, errGaveUp) && ctx.Err() == nil {
			continue // another caller gave up: ask again
		}
		return e.addrs, e.err
	}
}

// errGaveUp tells that the caller who asked did not wait for the answer.
var errGaveUp = errors.New("gave up")

// entry returns what is known of a name, or about to be; asks is true if the caller
// is to ask.
func (c *Cache) entry(host string) (e *entry, asks bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e = c.names[host]
	if e != nil {
		select {
		case <-e.ready:
			if time.Now().Before(e.until) {
				return e, false
			}
		default:
			return e, false
		}
	} else {
		c.order = append(c.order, host)
	}
	e = &entry{ready: make(chan struct{})}
	c.names[host] = e
	for len(c.order) > max(c.cfg.MaxNames, 1) {
		delete(c.names, c.order[0])
		c.order = c.order[1:]
	}
	return e, true
}

// ask asks for a name and fills its entry.
func (c *Cache) ask(ctx context.Context, host string, e *entry) {
	defer close(e.ready)
	var ttl time.Duration
	until := func(usual time.Duration) time.Time {
		if ttl > 0 {
			usual = min(max(ttl, c.cfg.Bad), c.cfg.Good)
		}
		return time.Now().Add(usual)
	}
	select {
	case c.out <- struct{}{}:
		defer func() { <-c.out }()
		if r, ok := c.from.(ttlResolver); ok {
			e.addrs, ttl, e.err = r.LookupTTL(ctx, host)
		} else {
			e.addrs, e.err = c.from.Lookup(ctx, host)
		}
	case <-ctx.Done():
		e.err = ctx.Err()
	}
	switch {
	case e.err == nil && len(e.addrs) == 0:
		e.err = fmt.Errorf("%w: %s has no address", ErrNoName, host)
		e.until = until(c.cfg.Bad)
	case e.err == nil:
		e.until = until(c.cfg.Good)
	case errors.Is(e.err, ErrNoName):
		e.until = until(c.cfg.Bad)
	case errors.Is(ctx.Err(), context.Canceled): // nobody's answer: the next one asks again
		e.err = fmt.Errorf("%w: %w", errGaveUp, ctx.Err())
	default:
		e.until = time.Now().Add(c.cfg.Bad)
	}
}

// Forget drops what is known of a name, as when none of its addresses answers.
func (c *Cache) Forget(host string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.names[host]; e != nil {
		select {
		case <-e.ready:
			e.until = time.Time{}
		default:
		}
	}
}

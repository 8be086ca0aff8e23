package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
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

// SystemResolver asks the name servers of the system, for IPv4 and IPv6.
func SystemResolver() Resolver { return system{&net.Resolver{PreferGo: true}} }

type system struct{ r *net.Resolver }

// Lookup returns the addresses of a name, IPv4 before IPv6.
func (s system) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if strings.Contains(host, ".") {
		host = strings.TrimSuffix(host, ".") + "." // the whole name: no search domains
	}
	addrs, err := s.r.LookupNetIP(ctx, "ip", host)
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound {
		return nil, fmt.Errorf("%w: %s", ErrNoName, dns.Name)
	}
	for i, a := range addrs {
		addrs[i] = a.Unmap()
	}
	slices.SortStableFunc(addrs, func(a, b netip.Addr) int { return a.BitLen() - b.BitLen() })
	return addrs, err
}

// CacheConfig says what a [Cache] keeps.
type CacheConfig struct {
	// Good is how long addresses are kept, Bad how long it is kept that there are none.
	Good, Bad time.Duration
	// Workers bounds the questions that are out at a time.
	Workers int
	// MaxNames bounds the names that are kept: beyond it the oldest go.
	MaxNames int
}

// DefaultCache fits a crawl of many hosts.
var DefaultCache = CacheConfig{Good: 10 * time.Minute, Bad: time.Minute, Workers: 50, MaxNames: 200_000}

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
	select {
	case c.out <- struct{}{}:
		defer func() { <-c.out }()
		e.addrs, e.err = c.from.Lookup(ctx, host)
	case <-ctx.Done():
		e.err = ctx.Err()
	}
	keep := c.cfg.Bad
	switch {
	case e.err == nil && len(e.addrs) == 0:
		e.err = fmt.Errorf("%w: %s has no address", ErrNoName, host)
	case e.err == nil:
		keep = c.cfg.Good
	case errors.Is(ctx.Err(), context.Canceled) && !errors.Is(e.err, ErrNoName): // nobody's answer: the next one asks again
		e.err = fmt.Errorf("%w: %w", errGaveUp, ctx.Err())
		return
	}
	e.until = time.Now().Add(keep)
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

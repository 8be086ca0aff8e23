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

// Resolver resolves names. It returns addresses in the order to try.
type Resolver interface {
	Lookup(ctx context.Context, host string) ([]netip.Addr, error)
}

// ErrNoName indicates that a name does not exist or has no address. Other errors of a [Resolver]
// indicate that the lookup failed.
var ErrNoName = errors.New("no such name")

// SystemResolver returns a Resolver that queries the name servers of the system, for IPv4 and IPv6.
func SystemResolver() Resolver { return system{&net.Resolver{PreferGo: true}} }

type system struct{ r *net.Resolver }

// Lookup returns the addresses of a name, IPv4 before IPv6.
func (s system) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	if strings.Contains(host, ".") {
		host = strings.TrimSuffix(host, ".") + "." // a full name, without search domains
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

// CacheConfig configures a [Cache].
type CacheConfig struct {
	// Good is the time for which addresses are cached, Bad the time for missing addresses and
	// errors.
	Good, Bad time.Duration
	// Workers is the most concurrent lookups.
	Workers int
	// MaxNames is the most cached names. Beyond it the oldest are removed.
	MaxNames int
}

// DefaultCache is the configuration for a crawl of many hosts.
var DefaultCache = CacheConfig{Good: 10 * time.Minute, Bad: time.Minute, Workers: 50, MaxNames: 200_000}

// Cache is a Resolver that caches the results of another one. Concurrent lookups of a name share
// one query. It is safe for concurrent use.
type Cache struct {
	resolver Resolver
	cfg      CacheConfig
	slots    chan struct{}

	mu    sync.Mutex
	names map[string]*entry
	order []string // names from the oldest on, with removed ones
}

// entry is the cached result for a name.
type entry struct {
	ready chan struct{} // closed when the rest is set
	until time.Time
	addrs []netip.Addr
	err   error
}

// NewCache returns a Cache of the results of from.
func NewCache(from Resolver, cfg CacheConfig) *Cache {
	return &Cache{resolver: from, cfg: cfg, slots: make(chan struct{}, max(cfg.Workers, 1)), names: map[string]*entry{}}
}

// Lookup returns the addresses of a name.
func (c *Cache) Lookup(ctx context.Context, host string) ([]netip.Addr, error) {
	for {
		e, start := c.entry(host)
		if start {
			c.query(ctx, host, e)
		}
		select {
		case <-e.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if !start && e.err != nil && errors.Is(e.err, errGaveUp) && ctx.Err() == nil {
			continue // another caller gave up: look up again
		}
		return e.addrs, e.err
	}
}

// errGaveUp indicates that the caller that started the lookup did not wait for the result.
var errGaveUp = errors.New("gave up")

// entry returns the cached or pending result for a name; start is true if the caller must start the
// lookup.
func (c *Cache) entry(host string) (e *entry, start bool) {
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

// query looks up a name and fills its entry.
func (c *Cache) query(ctx context.Context, host string, e *entry) {
	defer close(e.ready)
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
		e.addrs, e.err = c.resolver.Lookup(ctx, host)
	case <-ctx.Done(): // the name servers were not asked: nothing is known about the name
		e.err = fmt.Errorf("%w: %w", errGaveUp, ctx.Err())
		return
	}
	keep := c.cfg.Bad
	switch {
	case e.err == nil && len(e.addrs) == 0:
		e.err = fmt.Errorf("%w: %s has no address", ErrNoName, host)
	case e.err == nil:
		keep = c.cfg.Good
	case errors.Is(ctx.Err(), context.Canceled) && !errors.Is(e.err, ErrNoName): // no result: the next caller looks up again
		e.err = fmt.Errorf("%w: %w", errGaveUp, ctx.Err())
		return
	}
	e.until = time.Now().Add(keep)
}

// Forget drops the cached result for a name, for example if none of its addresses responds.
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

package site

import (
	"encoding/binary"
	"errors"
	"sync"

	"chaffinch/internal/extsort"
	"chaffinch/page"
)

// Config configures the resources of a [Counter].
type Config struct {
	// Memory is the maximum size of fingerprints in memory, in bytes. Default: 0, the value
	// of [Default].
	Memory int64
	// Dir is the folder of temporary files. Default: the system's folder.
	Dir string
}

// Default is the configuration of a Counter with a zero Config.
var Default = Config{Memory: 48 << 20}

// Sizes in bytes of a record of the sort: site, page, fingerprint.
const (
	hashSize   = 8
	recordSize = 3 * hashSize
)

// Counter counts the blocks of the pages of sites.
type Counter struct {
	cfg    Config
	pool   sync.Pool
	mu     sync.Mutex
	sorter *extsort.Sorter
}

// NewCounter returns an empty Counter.
func NewCounter(cfg Config) (*Counter, error) {
	if cfg.Memory <= 0 {
		cfg.Memory = Default.Memory
	}
	s, err := extsort.New(extsort.Config{
		Record: recordSize, Key: recordSize, Memory: cfg.Memory, Dir: cfg.Dir,
		Merge: func(_, _ []byte) {}, // a page counts each block once
	})
	if err != nil {
		return nil, err
	}
	c := &Counter{cfg: cfg, sorter: s}
	c.pool.New = func() any { return new(prints) }
	return c, nil
}

var errEnded = errors.New("site: Add or Table after the end of the count")

// Add counts the blocks of a page of a site. It is safe for concurrent use and does not
// retain p.
func (c *Counter) Add(site string, p *page.Page) error {
	if len(p.Blocks) == 0 {
		return nil
	}
	f := c.pool.Get().(*prints)
	defer c.pool.Put(f)
	f.read(p)
	key := keyOf(site)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sorter == nil {
		return errEnded
	}
	for _, list := range [...][]uint64{f.text, f.path, f.both} {
		for _, print := range list {
			rec, err := c.sorter.Add()
			if err != nil {
				return err
			}
			binary.BigEndian.PutUint64(rec, key)
			binary.BigEndian.PutUint64(rec[hashSize:], f.page)
			binary.BigEndian.PutUint64(rec[2*hashSize:], print)
		}
	}
	return nil
}

// end removes the sorter and returns it. Adding is an error from then on.
func (c *Counter) end() *extsort.Sorter {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.sorter
	c.sorter = nil
	return s
}

// Close discards the count. After [Counter.Table] it does nothing.
func (c *Counter) Close() error {
	if s := c.end(); s != nil {
		return s.Close()
	}
	return nil
}

// Table ends the count and returns its table. The Counter must not be used afterwards.
func (c *Counter) Table() (t *Table, err error) {
	s := c.end()
	if s == nil {
		return nil, errEnded
	}
	sorted, err := s.Sort()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, sorted.Close()) }()
	r, err := sorted.Open()
	if err != nil {
		return nil, err
	}
	b, err := newBuilder(c.cfg.Dir)
	if err != nil {
		return nil, err
	}
	for {
		rec, err := r.Next()
		if err == nil && rec != nil {
			err = b.add(binary.BigEndian.Uint64(rec), binary.BigEndian.Uint64(rec[hashSize:]), binary.BigEndian.Uint64(rec[2*hashSize:]))
		}
		if err != nil {
			return nil, errors.Join(err, b.close())
		}
		if rec == nil {
			return b.table()
		}
	}
}

package site

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"chaffinch/internal/disk"
	"chaffinch/page"
)

// Table holds the repeated blocks of sites. It is safe for concurrent use.
//
// It is stored in a temporary file, with 24 bytes in memory for each site of more than one
// page. An entry of the file holds three lists: the sorted fingerprints of the pages that
// count, the sorted fingerprints that are on several of them, and the number of pages of
// each, one byte each.
type Table struct {
	file  *disk.File
	sites []entry // by key
	pool  sync.Pool
}

// entry is the position of a site in the file.
type entry struct {
	key    uint64
	offset int64
	prints int32
	pages  uint16
}

func (e *entry) size() int { return hashSize*(int(e.pages)+int(e.prints)) + int(e.prints) }

// Sites returns the number of sites with more than one page.
func (t *Table) Sites() int { return len(t.sites) }

// Close frees the table.
func (t *Table) Close() error { return t.file.Close() }

// lookup holds the buffers of one lookup in the table.
type lookup struct {
	prints
	buf []byte
}

// Mark sets p.SitePages and the Repeats of its blocks, from the other pages of its site.
// They stay 0 if the site is unknown or p is its only page.
func (t *Table) Mark(site string, p *page.Page) error {
	p.SitePages = 0
	for i := range p.Blocks {
		p.Blocks[i].Repeats = page.Repeats{}
	}
	key := keyOf(site)
	i, ok := slices.BinarySearchFunc(t.sites, key, func(e entry, key uint64) int { return cmp.Compare(e.key, key) })
	if !ok || len(p.Blocks) == 0 {
		return nil
	}
	e := &t.sites[i]
	l := t.pool.Get().(*lookup)
	defer t.pool.Put(l)
	l.buf = slices.Grow(l.buf[:0], e.size())[:e.size()]
	if _, err := t.file.ReadAt(l.buf, e.offset); err != nil {
		return err
	}
	l.read(p)
	pages, prints, counts := l.buf[:hashSize*int(e.pages)], l.buf[hashSize*int(e.pages):e.size()-int(e.prints)], l.buf[e.size()-int(e.prints):]
	own := uint16(0) // 1 if the page itself was counted
	if find(pages, l.page) >= 0 {
		own = 1
	}
	p.SitePages = int(e.pages - own)
	count := func(print uint64) uint16 {
		if k := find(prints, print); k >= 0 {
			return uint16(counts[k]) - own
		}
		return 0
	}
	for i := range l.text {
		p.Blocks[i].Repeats = page.Repeats{Text: count(l.text[i]), Path: count(l.path[i]), Both: count(l.both[i])}
	}
	return nil
}

// find returns the index of v in a sorted list, or -1.
func find(list []byte, v uint64) int {
	from, to := 0, len(list)/hashSize
	for from < to {
		mid := (from + to) / 2
		switch w := binary.BigEndian.Uint64(list[mid*hashSize:]); {
		case w == v:
			return mid
		case w < v:
			from = mid + 1
		default:
			to = mid
		}
	}
	return -1
}

// builder writes the entries of a table from fingerprints sorted by site and page.
type builder struct {
	t      *Table
	w      *bufio.Writer
	offset int64
	site   uint64
	pages  []uint64 // of the current site
	prints []uint64 // of all these pages
	counts []byte
	buf    [hashSize]byte
}

func newBuilder(dir string) (*builder, error) {
	f, err := disk.Scratch(dir)
	if err != nil {
		return nil, err
	}
	t := &Table{file: f}
	t.pool.New = func() any { return new(lookup) }
	return &builder{t: t, w: bufio.NewWriterSize(f, 1<<16)}, nil
}

func (b *builder) add(site, page, print uint64) error {
	if site != b.site {
		if err := b.end(); err != nil {
			return err
		}
		b.site = site
	}
	if n := len(b.pages); n == 0 || b.pages[n-1] != page {
		if n == maxPages {
			return nil
		}
		b.pages = append(b.pages, page)
	}
	b.prints = append(b.prints, print)
	return nil
}

// end writes the entry of the current site, if it has more than one page.
func (b *builder) end() error {
	defer func() { b.pages, b.prints, b.counts = b.pages[:0], b.prints[:0], b.counts[:0] }()
	if len(b.pages) < 2 {
		return nil
	}
	slices.Sort(b.prints)
	n := 0
	for i := 0; i < len(b.prints); {
		k := i + 1
		for k < len(b.prints) && b.prints[k] == b.prints[i] {
			k++
		}
		if k-i > 1 {
			b.prints[n] = b.prints[i]
			b.counts = append(b.counts, byte(k-i))
			n++
		}
		i = k
	}
	e := entry{key: b.site, offset: b.offset, prints: int32(n), pages: uint16(len(b.pages))}
	b.t.sites = append(b.t.sites, e)
	b.offset += int64(e.size())
	for _, list := range [...][]uint64{b.pages, b.prints[:n]} {
		for _, v := range list {
			binary.BigEndian.PutUint64(b.buf[:], v)
			if _, err := b.w.Write(b.buf[:]); err != nil {
				return err
			}
		}
	}
	_, err := b.w.Write(b.counts)
	return err
}

func (b *builder) close() error { return b.t.Close() }

// table completes the table.
func (b *builder) table() (*Table, error) {
	err := b.end()
	if err == nil {
		err = b.w.Flush()
	}
	if err != nil {
		return nil, errors.Join(err, b.close())
	}
	return b.t, nil
}

package onion

import (
	"context"
	"errors"
	"slices"
	"unsafe"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/huge"
	"chaffinch/internal/parallel"
)

// held keeps the sketches of documents in memory.
type held struct {
	docs  []heldDoc
	space []uint64 // for n-grams, its length is the used part
	bytes int64
}

type heldDoc struct {
	num int64
	sketch
}

// leastSpace and mostSpace limit the n-grams of one allocation, unless one document has more.
const leastSpace, mostSpace = 1 << 14, 1 << 20

// Hold keeps the sketch of a document.
func (s *sketcher) Hold(d *records.Doc, num int64) int64 {
	s.read(d)
	if n := max(len(s.tokens), len(s.units)); cap(s.space)-len(s.space) < n {
		s.space = huge.Make[uint64](max(n, min(max(int(s.bytes/8), leastSpace), mostSpace)), 0)[:0]
	}
	x := s.sketch(s.space)
	s.space = s.space[:len(s.space)+len(x.grams)]
	x.units = slices.Clone(x.units)
	s.docs = append(s.docs, heldDoc{num, x})
	s.bytes += int64(8*len(x.grams)) + int64(len(x.units))*int64(unsafe.Sizeof(span{})) + int64(unsafe.Sizeof(heldDoc{}))
	return s.bytes
}

// Emit emits the records of the kept sketches.
func (s *sketcher) Emit(emit func(table int) []byte) {
	for i := range s.docs {
		s.docs[i].emit(s.cfg.Ngram, s.docs[i].num, emit)
	}
	s.held = held{}
}

// collection holds the sketches of all documents. Its methods do the same as the steps of method, without
// tables of n-grams and units.
type collection struct {
	cfg       *Config
	docs      []heldDoc
	numbers   int         // numbers of n-grams are below it, numbers of template text are from it on
	templates numbers     // of the keys of template text
	pages     []pageCount // by number of template text
}

// pageCount counts the documents with a key, of which last is the last one.
type pageCount struct {
	n    int
	last int64
}

func newCollection(cfg *Config, sketchers []dedup.Holder) *collection {
	c := &collection{cfg: cfg}
	for _, s := range sketchers {
		c.docs = append(c.docs, s.(*sketcher).docs...)
	}
	return c
}

// repeated replaces hashes and keys by numbers + 1, and hashes that occur once by 0.
func (c *collection) repeated(ctx context.Context, g *dedup.Group) error {
	parts := newParts(g.Workers(), c.docs)
	parallel.Each(g.Workers(), len(parts)+1, func(i int) {
		if i == 0 {
			c.numberTemplates(ctx)
		} else {
			parts[i-1].number(ctx, c.docs)
		}
	})
	for i := range parts {
		parts[i].from = c.numbers
		c.numbers += len(parts[i].uses)
	}
	parallel.Each(g.Workers(), len(c.docs), func(i int) {
		if ctx.Err() == nil {
			finish(c.docs[i].grams, parts)
		}
	})
	return ctx.Err()
}

// numberTemplates replaces the keys of template text.
func (c *collection) numberTemplates(ctx context.Context) {
	for i := range c.docs {
		if ctx.Err() != nil {
			return
		}
		d := &c.docs[i]
		for k := range d.units {
			u := &d.units[k]
			if u.key == 0 {
				continue
			}
			n := c.templates.of(u.key)
			if n == len(c.pages) {
				c.pages = append(c.pages, pageCount{last: -1})
			}
			if p := &c.pages[n]; p.last != d.num {
				p.n, p.last = p.n+1, d.num
			}
			u.key = uint64(n) + 1
		}
	}
}

// judge decides on the documents in the order of their ranks.
func (c *collection) judge(d *decider, ctx context.Context) error {
	byRank := make([]*heldDoc, d.g.Docs())
	for i := range c.docs {
		byRank[d.g.Rank(c.docs[i].num)] = &c.docs[i]
	}
	var last []int64 // of an n-gram: the last document + 1, with Compat
	if c.cfg.Compat {
		last = make([]int64, c.numbers)
	}
	for rank, doc := range byRank {
		if doc == nil || len(doc.units) == 0 {
			continue
		}
		d.rank, d.doc = int64(rank), doc.num
		d.j.reset()
		for _, u := range doc.units {
			d.j.units = append(d.j.units, unit{tokens: u.end - u.start, num: u.num})
		}
		doc.each(c.cfg.Ngram, func(number uint64, end int32, flags uint8) {
			n := number - 1
			switch {
			case flags&template != 0:
				if c.pages[n].n < c.cfg.Template {
					return
				}
				n += uint64(c.numbers)
			case number == 0:
				return
			case last != nil:
				if last[n] == doc.num+1 {
					flags = again
				}
				last[n] = doc.num + 1
			}
			d.j.grams = append(d.j.grams, gram{num: n, end: end, flags: flags})
		})
		if err := errors.Join(d.close(), d.seen.Err(), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

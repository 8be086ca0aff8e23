package onion

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"unsafe"

	"chaffinch/dedup"
	"chaffinch/input/records"
	"chaffinch/internal/huge"
	"chaffinch/internal/prefetch"
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
	cfg  *Config
	docs []heldDoc
	// grams numbers n-grams that occur at least twice, and a few others, in place of their hashes;
	// uses counts them, up to 2.
	grams numbers
	uses  []uint8
	// templates numbers the keys of template text, after the n-grams, in place of the keys; pages
	// counts the documents.
	templates numbers
	pages     []pageCount
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

// repeated replaces hashes and keys by numbers + 1, and hashes that certainly occur once by 0.
func (c *collection) repeated(ctx context.Context, _ *dedup.Group) error {
	s := newSieve(c.docs)
	c.grams = newNumbers(s.bits)
	for i := range c.docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := &c.docs[i]
		for part := range slices.Chunk(d.grams, batch) {
			c.number(part, s)
		}
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
	return nil
}

// batch is the number of n-grams that are looked up together.
const batch = 64

// number replaces a batch of hashes. It first fetches their slots and what these refer to, since the
// table is larger than the caches of a processor.
func (c *collection) number(grams []uint64, s *sieve) {
	var hashes [batch]uint64
	var place, slot [batch]uint32
	k := 0
	for i, h := range grams {
		grams[i] = 0
		at := k % batch
		hashes[at], place[at], slot[at] = h, uint32(i), uint32(c.grams.slot(h))
		k += s.again(h)
	}
	c.grams.fetch(slot[:k])
	for i, h := range hashes[:k] {
		n := c.grams.of(h)
		if n == len(c.uses) {
			c.uses = append(c.uses, 0)
		}
		c.uses[n] = min(c.uses[n]+1, 2)
		grams[place[i]] = uint64(n) + 1
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
		last = make([]int64, len(c.uses))
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
				n += uint64(len(c.uses))
			case number == 0 || c.uses[n] < 2:
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

// sieve finds hashes that occur once, except for a few. A hash uses the bit of its lowest digits.
type sieve struct {
	twice []uint64 // bits that are used more than once
	mask  uint64
	bits  int // number of bits in twice
}

// newSieve returns the sieve of all n-grams.
func newSieve(docs []heldDoc) *sieve {
	total := 0
	for i := range docs {
		total += len(docs[i].grams)
	}
	words := 1 << bits.Len(uint(total/16)) // four to eight bits for each n-gram
	s := &sieve{mask: uint64(words - 1)}
	uses := huge.Make[uint64](2*words, 0) // by turns: bits used once or more, and twice or more
	for i := range docs {
		for _, h := range docs[i].grams {
			k, bit := h>>6&s.mask*2, uint64(1)<<(h&63)
			u := uses[k : k+2]
			u[1] |= u[0] & bit
			u[0] |= bit
		}
	}
	for i := range words {
		uses[i] = uses[2*i+1]
		s.bits += bits.OnesCount64(uses[i])
	}
	s.twice = uses[:words]
	return s
}

// again returns 1 if a hash may occur more than once, else 0.
func (s *sieve) again(h uint64) int { return int(s.twice[h>>6&s.mask] >> (h & 63) & 1) }

// numbers numbers hashes from 0, in the order of their first occurrences. It is a hash table with linear
// probing.
type numbers struct {
	slots  []uint64 // two slots in an element: a number + 1, 0 if the slot is free
	shift  int      // the slot of a hash is hash >> shift, or one after it
	hashes []uint64 // by number + 1
}

// newNumbers returns a table for about n hashes.
func newNumbers(n int) numbers {
	size := max(bits.Len(uint(n+n/2)), 4)
	return numbers{slots: huge.Make[uint64](1<<(size-1), 0), shift: 64 - size, hashes: huge.Make[uint64](1, n+n/2)}
}

// slot returns the first slot for a hash.
func (x *numbers) slot(h uint64) int { return int(h >> (x.shift & 63)) }

// at returns the number + 1 in a slot.
func (x *numbers) at(slot int) uint32 { return uint32(x.slots[slot/2] >> (slot % 2 * 32)) }

// fetch loads slots, which it overwrites, and the hashes of their numbers into the caches.
func (x *numbers) fetch(slots []uint32) {
	prefetch.Words(x.slots, slots, 1)
	for i, s := range slots {
		slots[i] = x.at(int(s))
	}
	prefetch.Words(x.hashes, slots, 0)
}

// of returns the number of a hash.
func (x *numbers) of(h uint64) int {
	if 2*len(x.hashes) >= 3*len(x.slots) {
		x.grow()
	}
	for i := x.slot(h); ; i = (i + 1) & (2*len(x.slots) - 1) {
		n := x.at(i)
		if n == 0 {
			n = uint32(len(x.hashes))
			x.slots[i/2] |= uint64(n) << (i % 2 * 32)
			x.hashes = append(x.hashes, h)
		}
		if x.hashes[n] == h {
			return int(n) - 1
		}
	}
}

// grow doubles the slots.
func (x *numbers) grow() {
	old := x.hashes
	*x = newNumbers(max(2*len(old), 8))
	if old == nil {
		return
	}
	for n, h := range old[1:] {
		i := x.slot(h)
		for x.at(i) != 0 {
			i = (i + 1) & (2*len(x.slots) - 1)
		}
		x.slots[i/2] |= uint64(n+1) << (i % 2 * 32)
	}
	x.hashes = append(x.hashes, old[1:]...)
}

package onion

import (
	"context"
	"encoding/binary"

	"chaffinch/dedup"
	"chaffinch/internal/parallel"
)

// repeated merges the n-grams, drops n-grams that occur once, numbers the others, and
// sorts them and the units by rank.
func (m *method) repeated(ctx context.Context, g *dedup.Group) error {
	ranked, err := g.NewTable(rankedTable)
	if err != nil {
		return err
	}
	for rec, err := range g.Sorted("units") {
		if err != nil {
			return err
		}
		b, err := ranked.Add(0)
		if err != nil {
			return err
		}
		doc := dedup.DocAt(rec[1:])
		dedup.PutDoc(b, g.Rank(doc))
		copy(b[5:17], rec[6:18])
		dedup.PutDoc(b[17:], doc)
	}
	out, err := g.NewTable(repeatedTable)
	if err != nil {
		return err
	}
	parts, err := g.Parts("grams")
	if err != nil {
		return err
	}
	err = parallel.All(len(parts), func(w int) error {
		x := numberer{g: g, out: out, worker: w, least: m.cfg.Template, num: uint64(w), step: uint64(len(parts))}
		for rec, err := range parts[w] {
			if err == nil {
				err = x.take(rec)
			}
			if err == nil && x.n&0xffff == 0 {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
		}
		return x.end()
	})
	if err != nil {
		return err
	}
	g.Remove("grams")
	g.Remove("units")
	return nil
}

// numberer finds the groups of equal hashes in one part of the n-grams. It buffers the
// first records of a group until the group counts: one record of an n-gram, fewer
// pages than the minimum of template text.
type numberer struct {
	g      *dedup.Group
	out    *dedup.Sorter
	worker int
	least  int // pages
	n      int64

	hash      uint64
	num, step uint64 // the number of the group; the parts number in turns
	held      []occurrence
	counts    bool  // the group counts
	last      int64 // document
	pages     int
	isText    bool // template text
}

type occurrence struct {
	doc   int64
	end   uint32
	flags uint8
}

func (x *numberer) take(rec []byte) error {
	hash := binary.BigEndian.Uint64(rec)
	o := occurrence{doc: dedup.DocAt(rec[8:]), end: binary.BigEndian.Uint32(rec[13:])}
	isText := o.end&templateBit != 0
	if o.end &^= templateBit; isText {
		o.flags = template
	}
	x.n++
	if x.n == 1 || hash != x.hash || isText != x.isText {
		if err := x.end(); err != nil {
			return err
		}
		x.hash, x.isText, x.last, x.pages = hash, isText, -1, 0
	}
	if o.doc == x.last {
		o.flags |= again
	} else {
		x.last = o.doc
		x.pages++
	}
	if x.counts {
		return x.put(o)
	}
	if isText && x.pages < x.least || !isText && len(x.held) == 0 {
		x.held = append(x.held, o)
		return nil
	}
	x.counts = true
	for _, h := range x.held {
		if err := x.put(h); err != nil {
			return err
		}
	}
	return x.put(o)
}

// end closes a group.
func (x *numberer) end() error {
	if x.counts {
		x.num += x.step
	}
	x.counts, x.held = false, x.held[:0]
	return nil
}

func (x *numberer) put(o occurrence) error {
	b, err := x.out.Add(x.worker)
	if err != nil {
		return err
	}
	dedup.PutDoc(b, x.g.Rank(o.doc))
	binary.BigEndian.PutUint32(b[5:], o.end)
	b[9] = o.flags
	put6(b[10:], x.num)
	return nil
}

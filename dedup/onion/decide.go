package onion

import (
	"context"
	"encoding/binary"
	"errors"
	"math"

	"chaffinch/dedup"
)

// judge decides on the documents of the tables.
func (m *method) judge(ctx context.Context, g *dedup.Group) error {
	err := m.decide(ctx, g, (*decider).judge)
	g.Remove(repeatedTable.Name)
	g.Remove(rankedTable.Name)
	return err
}

// decide calls each, which decides on the documents in the order of their ranks.
func (m *method) decide(ctx context.Context, g *dedup.Group, each func(*decider, context.Context) error) (err error) {
	memory := g.Memory() / 4 // for firsts
	d := decider{
		g: g, j: judge{cfg: &m.cfg}, seen: newBitSet(g.Memory()-memory, g.Dir()),
		indexed: g.Indexed(), firsts: firsts{limit: min(uint64(memory/firstBytes), m.firsts)},
	}
	defer func() { err = errors.Join(err, d.seen.Close()) }()
	if d.verdicts, err = g.NewTable(verdictTable); err != nil {
		return err
	}
	if d.where, err = g.NewTable(seenTable); err != nil {
		return err
	}
	if g.Docs() >= isAsked {
		d.firsts.limit = 0
	}
	if err := each(&d, ctx); err != nil {
		return err
	}
	if err := d.firsts.eachAsked(func(num uint64, doc int64) error { return d.put(num, 0, g.Rank(doc), doc, 0) }); err != nil {
		return err
	}
	g.Count("onion: repeated n-grams", d.grams)
	return d.seen.Err()
}

// judge decides on the documents of the tables.
func (d *decider) judge(ctx context.Context) (err error) {
	if d.ranked, err = d.g.Open(rankedTable.Name); err != nil {
		return err
	}
	defer d.ranked.Close()
	err = d.pull()
	open := false // there is a document in d.j
	if err == nil {
		open, err = d.advance()
	}
	if err != nil {
		return err
	}
	for rec, err := range d.g.Sorted(repeatedTable.Name) {
		if err != nil {
			return err
		}
		rank := dedup.DocAt(rec)
		for err == nil && open && d.rank < rank {
			if err = errors.Join(d.close(), d.seen.Err(), ctx.Err()); err == nil {
				open, err = d.advance()
			}
		}
		if err != nil {
			return err
		}
		if open && d.rank == rank { // else no unit of the document is in the index
			d.j.grams = append(d.j.grams, gram{end: int32(binary.BigEndian.Uint32(rec[5:])), flags: rec[9], num: get6(rec[10:])})
		}
	}
	for open {
		if err := errors.Join(d.close(), d.seen.Err(), ctx.Err()); err != nil {
			return err
		}
		if open, err = d.advance(); err != nil {
			return err
		}
	}
	return nil
}

// decider joins units and n-grams of a document, judges it, and writes the decisions.
type decider struct {
	g               *dedup.Group
	j               judge
	seen            *bitSet
	verdicts, where *dedup.Sorter
	indexed         int64
	firsts          firsts
	grams           int64

	ranked *dedup.Cursor
	more   bool
	ahead  record // the next unit
	rank   int64  // of the document in j
	doc    int64
	start  []int32 // of the units of j, their first tokens
}

// record is a record of rankedTable.
type record struct {
	rank, doc     int64
	num           int32
	start, tokens int32
}

func (d *decider) pull() error {
	b, err := d.ranked.Next()
	if d.more = b != nil; d.more {
		d.ahead = record{
			rank: dedup.DocAt(b), num: int32(binary.BigEndian.Uint32(b[5:])) - 1,
			start: int32(binary.BigEndian.Uint32(b[9:])), tokens: int32(binary.BigEndian.Uint32(b[13:])),
			doc: dedup.DocAt(b[17:]),
		}
	}
	return err
}

// advance reads the units of the next document and reports whether there is one.
func (d *decider) advance() (bool, error) {
	d.j.reset()
	d.start = d.start[:0]
	if !d.more {
		return false, nil
	}
	d.rank, d.doc = d.ahead.rank, d.ahead.doc
	for d.more && d.ahead.rank == d.rank {
		d.j.units = append(d.j.units, unit{tokens: d.ahead.tokens, num: d.ahead.num})
		d.start = append(d.start, d.ahead.start)
		if err := d.pull(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// close decides on the open document.
func (d *decider) close() error {
	d.grams += int64(len(d.j.grams))
	if d.doc < d.indexed {
		d.known()
		return d.report(false)
	}
	d.j.decide(d.seen)
	return d.report(true)
}

// known adds the n-grams of a document of the index that end in units which the index
// still contains.
func (d *decider) known() {
	g := d.j.grams
	for i := range d.j.units {
		u := &d.j.units[i]
		for len(g) > 0 && g[0].end < d.start[i] {
			g = g[1:]
		}
		u.from = len(d.j.grams) - len(g)
		for len(g) > 0 && g[0].end < d.start[i]+u.tokens {
			g = g[1:]
		}
		u.to = len(d.j.grams) - len(g)
		d.j.insert(u, d.seen)
	}
}

// report writes the verdicts, the n-grams added to the set, and the requests.
func (d *decider) report(judged bool) error {
	for i := range d.j.grams {
		if x := &d.j.grams[i]; x.flags&fresh != 0 {
			if err := d.saw(x.num); err != nil {
				return err
			}
		}
	}
	if !judged {
		return nil
	}
	for i := range d.j.units {
		u := &d.j.units[i]
		if !u.drop && u.covered == 0 && u.reason == dedup.Unique {
			continue
		}
		b, err := d.verdicts.Add(0)
		if err != nil {
			return err
		}
		dedup.PutDoc(b, d.doc)
		binary.BigEndian.PutUint32(b[5:], uint32(u.num+1))
		b[9], b[10] = 0, byte(u.reason)
		if u.drop {
			b[9] = 1
		}
		binary.BigEndian.PutUint32(b[11:], math.Float32bits(u.share()))
		d.j.witnesses(u, func(num uint64) {
			err = errors.Join(err, d.ask(num, u.num+1))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// saw records that the current document added an n-gram.
func (d *decider) saw(num uint64) error {
	if x := d.firsts.of(num); x != nil {
		*x = *x&isAsked | uint32(d.doc+1)
		return nil
	}
	return d.put(num, 0, d.rank, d.doc, 0)
}

// ask requests the document that added an n-gram, for a unit of the current document.
func (d *decider) ask(num uint64, unit int32) error {
	if x := d.firsts.of(num); x != nil {
		*x |= isAsked
	}
	return d.put(num, 1, d.rank, d.doc, unit)
}

// put writes a record of seenTable.
func (d *decider) put(num uint64, question byte, rank, doc int64, unit int32) error {
	b, err := d.where.Add(0)
	if err != nil {
		return err
	}
	put6(b, num)
	b[6] = question
	dedup.PutDoc(b[7:], rank)
	dedup.PutDoc(b[12:], doc)
	binary.BigEndian.PutUint32(b[17:], uint32(unit))
	return nil
}

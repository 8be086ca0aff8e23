package dedup

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"chaffinch/input/records"
	"chaffinch/internal/disk"
	"chaffinch/internal/mapfile"
)

// Rank is the rule that determines which of several copies stays.
type Rank string

// The rules. All but ByInput are independent of the order of the input. Ties are broken by
// the id, then by the hash of the record, then by the position.
const (
	ByID     Rank = "id"      // the smallest id, by its first 64 bytes, then by its hash
	ByLength Rank = "longest" // the document with most bytes of text
	ByDate   Rank = "date"    // the earliest; documents without date come last
	ByInput  Rank = "input"   // the first
)

// Ranks lists the rules in the order of help.
var Ranks = []Rank{ByID, ByLength, ByDate, ByInput}

// rankTable holds the key of the rule (8 bytes), id (64), hash of the id (8), hash of
// the record (16) and document.
var rankTable = Table{Name: "rank", Record: 96 + DocBytes, Key: 80, Doc: 96}

// ranksTable holds the result: document, rank.
var ranksTable = Table{Name: "ranks", Record: 2 * DocBytes, Key: DocBytes}

// put writes the record of rankTable.
func (r Rank) put(b []byte, d *records.Doc, num int64) {
	clear(b[:72])
	switch r {
	case ByLength:
		var n uint64
		for i := range d.Paras {
			n += uint64(len(d.Paras[i].Text))
		}
		binary.BigEndian.PutUint64(b, ^n)
	case ByDate:
		binary.BigEndian.PutUint64(b, dateKey(d.Date))
	}
	copy(b[8:72], d.ID)
	binary.BigEndian.PutUint64(b[72:], xxh3.HashString(d.ID))
	sum := xxh3.Hash128(bytes.TrimRight(d.Raw, " \t\r\n")).Bytes()
	copy(b[80:], sum[:])
	PutDoc(b[96:], num)
}

// noDate is the key of an invalid date, the largest key.
const noDate = 1<<64 - 1

// dateKey returns a number that increases with the date.
func dateKey(s string) uint64 {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", time.DateOnly, "2006-01", "2006"} {
		if t, err := time.Parse(layout, s); err == nil {
			return uint64(t.Unix()) + 1<<63
		}
	}
	return noDate
}

// orderTable and ordersTable are the corresponding tables for the order of ids, if the
// rank is another rule. They serve to sort the output and to find repeated ids.
var (
	orderTable  = Table{Name: "order", Record: rankTable.Record, Key: rankTable.Key, Doc: rankTable.Doc}
	ordersTable = Table{Name: "orders", Record: ranksTable.Record, Key: ranksTable.Key}
)

// orderBy returns the name of the table with the positions of documents in the order
// of ids.
func (r *run) orderBy() string {
	if r.cfg.Rank == ByID {
		return ranksTable.Name
	}
	return ordersTable.Name
}

// rank numbers the documents by the rule, and by id.
func (g *Group) rank() error {
	for _, t := range []struct{ in, out Table }{{rankTable, ranksTable}, {orderTable, ordersTable}} {
		if !slices.ContainsFunc(g.run.tables(), func(x Table) bool { return x.Name == t.in.Name }) {
			continue
		}
		err := g.Step(t.in.Name, func() error {
			return g.number(t.in.Name, t.out, t.in.Name == orderTable.Name || g.run.cfg.Rank == ByID && !g.run.shards)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// number sorts the documents by one table and writes their numbers to another. If
// byID, it also counts repeated ids.
func (g *Group) number(in string, to Table, byID bool) error {
	out, err := g.NewTable(to)
	if err != nil {
		return err
	}
	rank, last := g.Indexed(), make([]byte, rankTable.Doc)
	for rec, err := range g.Sorted(in) {
		if err != nil {
			return err
		}
		b, err := out.Add(0)
		if err != nil {
			return err
		}
		doc := DocAt(rec[rankTable.Doc:])
		PutDoc(b, doc)
		PutDoc(b[DocBytes:], rank)
		rank++
		if byID && bytes.Equal(last[8:80], rec[8:80]) {
			if g.run.m.SameIDs++; g.run.m.SameIDs == 1 {
				g.run.m.SameID = doc
			}
		}
		copy(last, rec)
	}
	if rank != g.Docs() && !g.run.shards {
		return fmt.Errorf("%d documents were ranked, %d read: %w", rank-g.Indexed(), g.run.m.Docs, ErrStartOver)
	}
	g.Remove(in)
	return nil
}

// ranks holds the ranks for Group.Rank.
type ranks struct {
	indexed int64
	all     []byte       // 5 bytes per document
	unmap   func() error // if a file contains them
	byInput bool
}

// openRanks prepares the ranks for access in any order, in memory if they fit in room
// bytes, else in a mapped file.
func (r *run) openRanks(room int64) error {
	r.ranks.indexed, r.ranks.byInput = r.m.Indexed, r.cfg.Rank == ByInput
	if r.ranks.byInput {
		return nil
	}
	if size := DocBytes * r.m.Docs; size <= room {
		all := bytes.NewBuffer(make([]byte, 0, size))
		err := r.writeRanks(all)
		r.ranks.all = all.Bytes()
		return err
	}
	name := filepath.Join(r.dir, "ranks.dat")
	f, err := disk.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	if err := errors.Join(r.writeRanks(w), w.Flush(), f.Close()); err != nil {
		return err
	}
	r.ranks.all, r.ranks.unmap, err = mapfile.Open(name)
	return err
}

// writeRanks writes the rank of each document, in the order of the documents.
func (r *run) writeRanks(w io.Writer) error {
	next, none := r.m.Indexed, make([]byte, DocBytes)
	for rec, err := range r.scan(ranksTable.Name, r.plan.merge, nil, nil) {
		if err != nil {
			return err
		}
		doc := DocAt(rec)
		if doc < next || doc >= r.m.Indexed+r.m.Docs {
			return fmt.Errorf("rank of document %d of %d: %w", doc, r.m.Docs, ErrStartOver)
		}
		for ; next < doc; next++ { // documents without a rank
			if _, err := w.Write(none); err != nil {
				return err
			}
		}
		if _, err := w.Write(rec[DocBytes:]); err != nil {
			return err
		}
		next++
	}
	return nil
}

func (x *ranks) at(doc int64) (int64, error) {
	switch at := DocBytes * (doc - x.indexed); {
	case at < 0 || x.byInput:
		return doc, nil
	case at+DocBytes > int64(len(x.all)):
		return 0, fmt.Errorf("document %d of %d: %w", doc, len(x.all)/DocBytes, ErrStartOver)
	default:
		return DocAt(x.all[at:]), nil
	}
}

func (x *ranks) close() error {
	x.all = nil
	if x.unmap == nil {
		return nil
	}
	unmap := x.unmap
	x.unmap = nil
	return unmap()
}

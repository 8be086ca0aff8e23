package onion

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"

	"chaffinch/dedup"
)

// where finds the documents in which n-grams were seen first.
func (m *method) where(ctx context.Context, g *dedup.Group) error {
	out, err := g.NewTable(voteTable)
	if err != nil {
		return err
	}
	var put [21]byte // the last record of an added n-gram
	told := false
	for rec, err := range g.Sorted(seenTable.Name) {
		if err != nil {
			return err
		}
		if rec[6] == 0 {
			copy(put[:], rec)
			told = true
			continue
		}
		// An n-gram that a rest of the same document added and removed again may have
		// been added by a worse ranked document.
		if !told || !bytes.Equal(put[:6], rec[:6]) || bytes.Compare(put[7:12], rec[7:12]) > 0 {
			continue
		}
		b, err := out.Add(0)
		if err != nil {
			return err
		}
		copy(b, rec[12:21])
		copy(b[9:], put[7:17])
	}
	g.Remove(seenTable.Name)
	return nil
}

// mark joins verdicts and votes.
func (m *method) mark(ctx context.Context, g *dedup.Group) error {
	votes, err := g.Open(voteTable.Name)
	if err != nil {
		return err
	}
	defer votes.Close()
	vote, err := votes.Next()
	for rec, e := range g.Sorted(verdictTable.Name) {
		if e != nil {
			return e
		}
		mark := dedup.Mark{
			Doc: dedup.DocAt(rec), Para: int32(binary.BigEndian.Uint32(rec[5:])) - 1,
			Drop: rec[9] != 0, Reason: dedup.Reason(rec[10]),
			Share: math.Float32frombits(binary.BigEndian.Uint32(rec[11:])),
			First: -1, Cluster: -1,
		}
		// Votes of a unit come by rank: the first of several with most wins.
		best, n := 0, 0
		last := int64(-1)
		for ; vote != nil && err == nil && bytes.Compare(vote[:9], rec[:9]) <= 0; vote, err = votes.Next() {
			if !bytes.Equal(vote[:9], rec[:9]) {
				continue
			}
			if doc := dedup.DocAt(vote[14:]); doc != last {
				last, n = doc, 0
			}
			if n++; n > best {
				best, mark.First = n, last
			}
		}
		if err != nil {
			return err
		}
		if err := g.Mark(mark); err != nil {
			return err
		}
	}
	g.Remove(voteTable.Name)
	g.Remove(verdictTable.Name)
	return err
}

package corpus

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
)

func compareSpans(a, b Match) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

// sortDepth is the number of context tokens that are compared.
const sortDepth = 8

// sortKey compares matches. head is a first part of the key, computed once for each
// match. Matches with different heads need no further comparison.
type sortKey struct {
	head    func(Match) uint64
	compare func(a, b Match) int
}

// sortKeys returns the keys with the given names.
func (c *Corpus) sortKeys(ctx context.Context, names []string) ([]sortKey, error) {
	var keys []sortKey
	for _, name := range names {
		key, err := c.sortKey(ctx, name)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// sortMatches sorts by keys, the first one being the most significant, then by place.
func sortMatches(ctx context.Context, ms []Match, keys []sortKey) ([]Match, error) {
	if len(keys) == 0 {
		return ms, nil
	}
	type entry struct {
		head uint64
		i    uint32
	}
	es := make([]entry, len(ms))
	for i, m := range ms {
		es[i] = entry{keys[0].head(m), uint32(i)}
	}
	d := newDeadline(ctx)
	sortUntil(d, es, func(x, y entry) int {
		if x.head != y.head {
			return cmp.Compare(x.head, y.head)
		}
		for _, key := range keys {
			if d := key.compare(ms[x.i], ms[y.i]); d != 0 {
				return d
			}
		}
		return cmp.Compare(x.i, y.i) // ms is in corpus order
	})
	out := make([]Match, len(ms))
	for i, e := range es {
		out[i] = ms[e.i]
	}
	return out, d.Err()
}

// sortKey returns the key with the given name.
func (c *Corpus) sortKey(ctx context.Context, name string) (sortKey, error) {
	f := c.Folded()
	// head packs the first two tokens; 0 means no token.
	head := func(pos, step, from, to int64) (h uint64) {
		for range 2 {
			h <<= 32
			if from <= pos && pos < to {
				h |= uint64(f.At(pos)) + 1
			}
			pos += step
		}
		return h
	}
	switch name {
	case "left":
		return sortKey{
			func(m Match) uint64 { return head(m.Start-1, -1, c.leftEnd(m.Start), m.Start) },
			func(a, b Match) int { return c.compareLeft(a.Start, b.Start, c.leftEnd(a.Start), c.leftEnd(b.Start)) },
		}, nil
	case "right":
		return sortKey{
			func(m Match) uint64 { return head(m.End, 1, m.End, c.rightEnd(m.End)) },
			func(a, b Match) int { return c.compareTokens(a.End, b.End, c.rightEnd(a.End), c.rightEnd(b.End)) },
		}, nil
	case "match":
		return sortKey{
			func(m Match) uint64 { return head(m.Start, 1, m.Start, m.End) },
			func(a, b Match) int { return c.compareTokens(a.Start, b.Start, a.End, b.End) },
		}, nil
	}
	r, err := c.ref(name)
	if err != nil {
		return sortKey{}, fmt.Errorf("sorting by %s: wanted left, right, match or an attribute such as doc.date: %w", name, err)
	}
	of, err := r.rank(ctx)
	if err != nil {
		return sortKey{}, err
	}
	return sortKey{of, func(a, b Match) int { return cmp.Compare(of(a), of(b)) }}, nil
}

// leftEnd returns the end of the tokens before pos that are compared.
func (c *Corpus) leftEnd(pos int64) int64 {
	lo, _ := c.region(uint32(pos))
	return max(int64(lo), pos-sortDepth)
}

// rightEnd returns the end of the tokens after pos that are compared.
func (c *Corpus) rightEnd(pos int64) int64 {
	if pos >= c.size {
		return pos
	}
	_, hi := c.region(uint32(pos - 1))
	return min(pos+sortDepth, int64(hi))
}

// compareTokens compares the tokens from a to aEnd with the tokens from b to bEnd.
// The value numbers of the folded attribute are in sort order.
func (c *Corpus) compareTokens(a, b, aEnd, bEnd int64) int {
	f := c.Folded()
	for ; a < aEnd && b < bEnd; a, b = a+1, b+1 {
		if x := cmp.Compare(f.At(a), f.At(b)); x != 0 {
			return x
		}
	}
	return cmp.Compare(aEnd-a, bEnd-b)
}

// compareLeft compares the tokens before a, down to aEnd, with the tokens before b,
// the nearest first.
func (c *Corpus) compareLeft(a, b, aEnd, bEnd int64) int {
	f := c.Folded()
	for ; a > aEnd && b > bEnd; a, b = a-1, b-1 {
		if x := cmp.Compare(f.At(a-1), f.At(b-1)); x != 0 {
			return x
		}
	}
	return cmp.Compare(a-aEnd, b-bEnd)
}

// rank returns a function that ranks matches by the structure in which they begin.
// Values are sorted in lower case, then by their exact bytes. Without an attribute,
// structures are sorted by place. Matches outside the structures have rank 0.
func (r ref) rank(ctx context.Context) (func(Match) uint64, error) {
	number := func(m Match) (int, bool) { return r.s.Find(m.Start) }
	if r.a == nil {
		return func(m Match) uint64 {
			i, ok := number(m)
			if !ok {
				return 0
			}
			return uint64(i) + 1
		}, nil
	}
	order := make([]uint32, r.a.Len())
	for i := range order {
		order[i] = uint32(i)
	}
	var x, y []byte
	d := newDeadline(ctx)
	sortUntil(d, order, func(a, b uint32) int {
		x, y = appendLower(x[:0], r.a.bytes(a)), appendLower(y[:0], r.a.bytes(b))
		return cmp.Or(bytes.Compare(x, y), cmp.Compare(a, b))
	})
	if d.Err() != nil {
		return nil, d.Err()
	}
	ranks := make([]uint32, len(order))
	for i, id := range order {
		ranks[id] = uint32(i) + 1
	}
	return func(m Match) uint64 {
		i, ok := number(m)
		if !ok {
			return 0
		}
		if id := r.a.At(int64(i)); int(id) < len(ranks) {
			return uint64(ranks[id])
		}
		return 0 // damaged
	}, nil
}

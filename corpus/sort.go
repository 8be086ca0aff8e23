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

// sortKey converts a match to size numbers. Matches are compared by their numbers, then
// by rest if it is set.
type sortKey struct {
	size int
	fill func(to []uint32, m Match)
	rest func(a, b Match) int
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

// sortKey returns the key with the given name.
func (c *Corpus) sortKey(ctx context.Context, name string) (sortKey, error) {
	f := c.Folded()
	// The value numbers of the folded attribute are in sort order. 0 is the end of the
	// tokens: it precedes all values.
	fill := func(to []uint32, pos, step int64, tokens int64) {
		for i := range to {
			if to[i] = 0; int64(i) < tokens {
				to[i] = f.At(pos) + 1
				pos += step
			}
		}
	}
	switch name {
	case "left":
		return sortKey{size: sortDepth, fill: func(to []uint32, m Match) {
			fill(to, m.Start-1, -1, m.Start-c.leftEnd(m.Start))
		}}, nil
	case "right":
		return sortKey{size: sortDepth, fill: func(to []uint32, m Match) {
			fill(to, m.End, 1, c.rightEnd(m.End)-m.End)
		}}, nil
	case "match":
		return sortKey{sortDepth, func(to []uint32, m Match) {
			fill(to, m.Start, 1, m.End-m.Start)
		}, func(a, b Match) int {
			return c.compareTokens(a.Start+sortDepth, b.Start+sortDepth, a.End, b.End)
		}}, nil
	}
	r, err := c.ref(name)
	if err != nil {
		return sortKey{}, fmt.Errorf("sorting by %s: wanted left, right, match or an attribute such as doc.date: %w", name, err)
	}
	of, err := r.rank(ctx)
	if err != nil {
		return sortKey{}, err
	}
	return sortKey{size: 1, fill: func(to []uint32, m Match) { to[0] = of(m) }}, nil
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
func (c *Corpus) compareTokens(a, b, aEnd, bEnd int64) int {
	f := c.Folded()
	for ; a < aEnd && b < bEnd; a, b = a+1, b+1 {
		if x := cmp.Compare(f.At(a), f.At(b)); x != 0 {
			return x
		}
	}
	return cmp.Compare(aEnd-a, bEnd-b)
}

// rank returns a function that ranks matches by the structure in which they begin.
// Values are sorted in lower case, then by their exact bytes. Without an attribute,
// structures are sorted by place. Matches outside the structures have rank 0.
func (r ref) rank(ctx context.Context) (func(Match) uint32, error) {
	number := func(m Match) (int, bool) { return r.s.Find(m.Start) }
	if r.a == nil {
		return func(m Match) uint32 {
			i, ok := number(m)
			if !ok {
				return 0
			}
			return uint32(i) + 1
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
	return func(m Match) uint32 {
		i, ok := number(m)
		if !ok {
			return 0
		}
		if id := r.a.At(int64(i)); int(id) < len(ranks) {
			return ranks[id]
		}
		return 0 // damaged
	}, nil
}

package corpus

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

func compareSpans(a, b Match) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

// sortDepth is how many tokens of the context decide.
const sortDepth = 8

// sortKeys returns the comparisons by keys.
func (c *Corpus) sortKeys(names []string) ([]func(a, b Match) int, error) {
	var keys []func(a, b Match) int
	for _, name := range names {
		key, err := c.sortKey(name)
		if err != nil {
			return nil, err
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// sortMatches sorts by keys, the first one deciding, then by place.
func sortMatches(ms []Match, keys []func(a, b Match) int) {
	if len(keys) == 0 {
		return
	}
	slices.SortFunc(ms, func(a, b Match) int {
		for _, key := range keys {
			if x := key(a, b); x != 0 {
				return x
			}
		}
		return compareSpans(a, b)
	})
}

// sortKey returns the comparison by a key.
func (c *Corpus) sortKey(name string) (func(a, b Match) int, error) {
	switch name {
	case "left":
		return func(a, b Match) int { return c.compareLeft(a.Start, b.Start) }, nil
	case "right":
		return func(a, b Match) int {
			return c.compareTokens(a.End, b.End, c.rightEnd(a.End), c.rightEnd(b.End))
		}, nil
	case "match":
		return func(a, b Match) int { return c.compareTokens(a.Start, b.Start, a.End, b.End) }, nil
	}
	r, err := c.ref(name)
	if err != nil {
		return nil, fmt.Errorf("sorting by %s: wanted left, right, match or an attribute such as doc.date: %w", name, err)
	}
	return r.compare(), nil
}

// rightEnd is how far behind pos tokens are compared.
func (c *Corpus) rightEnd(pos int64) int64 {
	if pos >= c.size {
		return pos
	}
	_, hi := c.region(uint32(pos - 1))
	return min(pos+sortDepth, int64(hi))
}

// compareTokens compares the tokens from a to aEnd with those from b to bEnd.
// The values of the folded attribute are numbered in order.
func (c *Corpus) compareTokens(a, b, aEnd, bEnd int64) int {
	f := c.Folded()
	for ; a < aEnd && b < bEnd; a, b = a+1, b+1 {
		if x := cmp.Compare(f.At(a), f.At(b)); x != 0 {
			return x
		}
	}
	return cmp.Compare(max(aEnd-a, 0), max(bEnd-b, 0))
}

// compareLeft compares the tokens before a with those before b, the nearest
// first.
func (c *Corpus) compareLeft(a, b int64) int {
	f := c.Folded()
	loA, _ := c.region(uint32(a))
	loB, _ := c.region(uint32(b))
	endA, endB := max(int64(loA), a-sortDepth), max(int64(loB), b-sortDepth)
	for ; a > endA && b > endB; a, b = a-1, b-1 {
		if x := cmp.Compare(f.At(a-1), f.At(b-1)); x != 0 {
			return x
		}
	}
	return cmp.Compare(a-endA, b-endB)
}

// compare compares matches by the structure in which they begin: by the value
// in lower case, then as it is; without attribute by number.
func (r ref) compare() func(a, b Match) int {
	if r.a == nil {
		return func(a, b Match) int {
			i, _ := r.s.Find(a.Start)
			j, _ := r.s.Find(b.Start)
			return cmp.Compare(i, j)
		}
	}
	order := make([]uint32, r.a.Len())
	for i := range order {
		order[i] = uint32(i)
	}
	var x, y []byte
	slices.SortStableFunc(order, func(a, b uint32) int {
		x, y = appendLower(x[:0], r.a.bytes(a)), appendLower(y[:0], r.a.bytes(b))
		return cmp.Or(bytes.Compare(x, y), cmp.Compare(a, b))
	})
	rank := make([]int, len(order))
	for i, id := range order {
		rank[id] = i + 1
	}
	of := func(m Match) int {
		i, ok := r.s.Find(m.Start)
		if !ok {
			return 0
		}
		if id := r.a.At(int64(i)); int(id) < len(rank) {
			return rank[id]
		}
		return 0
	}
	return func(a, b Match) int { return cmp.Compare(of(a), of(b)) }
}

package corpus

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strings"

	"chaffinch/internal/timecheck"
)

// subcorpus is a part of a corpus: nonoverlapping intervals of tokens in corpus
// order.
type subcorpus struct {
	condition string
	in        []interval
	before    []int64 // number of tokens before each interval
	size      int64
}

// interval is the tokens from start to end, end exclusive.
type interval struct{ start, end uint32 }

// intervals returns the tokens of the structures that pass keep and are not empty.
func (s *Struct) intervals(ctx context.Context, keep func(i int) bool) (in []interval, err error) {
	w := timecheck.New(ctx)
	for i := range s.Len() {
		if err := w.Done(0); err != nil {
			return nil, err
		}
		if start, end := s.Span(i); start < end && keep(i) {
			in = append(in, interval{uint32(start), uint32(end)})
		}
	}
	return in, nil
}

// Condition returns the argument of Where, or "" for a whole corpus.
func (c *Corpus) Condition() string {
	if c.sub == nil {
		return ""
	}
	return c.sub.condition
}

// Interval returns the interval of tokens of the part that contains a token, such as a document. ok
// is false if the part does not contain the token. A whole corpus is one interval.
func (c *Corpus) Interval(pos int64) (start, end int64, ok bool) {
	if c.sub == nil {
		return 0, c.size, 0 <= pos && pos < c.size
	}
	in := c.sub.in
	i := sort.Search(len(in), func(i int) bool { return int64(in[i].end) > pos })
	if i == len(in) || int64(in[i].start) > pos {
		return 0, 0, false
	}
	return int64(in[i].start), int64(in[i].end), true
}

// intervals evaluates a condition on structures.
func (k *compiler) intervals(c cond) ([]interval, error) {
	if name, at, ok := onlyStruct(c); ok {
		s, err := k.c.Struct(name)
		if err != nil {
			return nil, k.fail(at, "no structure '%s' in this corpus: it has %s", name, cmp.Or(strings.Join(k.c.Structs(), ", "), "none"))
		}
		t, err := k.cond(c, func(v valueCond) (*Attr, error) { return k.structAttr(s, v) })
		if err != nil {
			return nil, err
		}
		return s.intervals(k.ctx, func(i int) bool { return t.at(uint32(i)) })
	}
	switch c := c.(type) {
	case notCond:
		in, err := k.intervals(c.part)
		return complement(in, uint32(k.c.size)), err
	case andCond:
		return k.combine(c.parts, intersect)
	case orCond:
		return k.combine(c.parts, union)
	}
	panic(fmt.Sprintf("corpus: condition %T", c))
}

func (k *compiler) combine(parts []cond, with func(a, b []interval) []interval) ([]interval, error) {
	all, err := k.intervals(parts[0])
	for _, p := range parts[1:] {
		if err != nil {
			return nil, err
		}
		var in []interval
		in, err = k.intervals(p)
		all = with(all, in)
	}
	return all, err
}

// onlyStruct returns the structure to which all of a condition refers, and the offset
// of its name.
func onlyStruct(c cond) (name string, at int, ok bool) {
	several := func(parts []cond) (string, int, bool) {
		name, at, ok := onlyStruct(parts[0])
		for _, p := range parts[1:] {
			n, _, one := onlyStruct(p)
			ok = ok && one && n == name
		}
		return name, at, ok
	}
	switch c := c.(type) {
	case andCond:
		return several(c.parts)
	case orCond:
		return several(c.parts)
	case notCond:
		return onlyStruct(c.part)
	case valueCond:
		return c.of, c.attrAt, true
	}
	panic(fmt.Sprintf("corpus: condition %T", c))
}

// firstAttr returns the first attribute in a condition.
func firstAttr(c cond) string {
	switch c := c.(type) {
	case andCond:
		return firstAttr(c.parts[0])
	case orCond:
		return firstAttr(c.parts[0])
	case notCond:
		return firstAttr(c.part)
	case valueCond:
		return c.of + "." + c.attr
	}
	panic(fmt.Sprintf("corpus: condition %T", c))
}

func intersect(a, b []interval) (out []interval) {
	for len(a) > 0 && len(b) > 0 {
		if x := (interval{max(a[0].start, b[0].start), min(a[0].end, b[0].end)}); x.start < x.end {
			out = append(out, x)
		}
		if a[0].end < b[0].end {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return out
}

// union merges overlapping intervals. Adjacent intervals remain separate, so that no
// match crosses from one document or paragraph to the next.
func union(a, b []interval) (out []interval) {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(x, y interval) int { return int(int64(x.start) - int64(y.start)) })
	for _, x := range all {
		if n := len(out); n > 0 && x.start < out[n-1].end {
			out[n-1].end = max(out[n-1].end, x.end)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// complement returns the tokens outside the intervals.
func complement(in []interval, size uint32) (out []interval) {
	at := uint32(0)
	for _, x := range append(slices.Clone(in), interval{size, size}) {
		if at < x.start {
			out = append(out, interval{at, x.start})
		}
		at = x.end
	}
	return out
}

// intervals yields the intervals of the part, or the whole corpus as one interval.
func (c *Corpus) intervals() iter.Seq2[int64, int64] {
	return func(yield func(start, end int64) bool) {
		if c.sub == nil {
			yield(0, c.size)
			return
		}
		for _, x := range c.sub.in {
			if !yield(int64(x.start), int64(x.end)) {
				return
			}
		}
	}
}

// follower finds the intervals of ascending positions.
type follower struct {
	c *Corpus
	i int
}

// find returns the interval that holds pos, or else the next one; ok is false if
// there is none.
func (f *follower) find(pos int64) (start, end int64, ok bool) {
	if f.c.sub == nil {
		return 0, f.c.size, pos < f.c.size
	}
	in := f.c.sub.in
	for f.i < len(in) && int64(in[f.i].end) <= pos {
		f.i++
	}
	if f.i == len(in) {
		return 0, 0, false
	}
	return int64(in[f.i].start), int64(in[f.i].end), true
}

// place returns the index of token pos, which is in an interval, among the tokens
// of the part.
func (f *follower) place(pos int64) int64 {
	start, _, ok := f.find(pos)
	if !ok {
		return pos
	}
	return f.c.sub.before[f.i] + pos - start
}

// placesInPart converts ascending positions in the part to indexes among the tokens
// of the part.
func (c *Corpus) placesInPart(positions iter.Seq[int64]) iter.Seq[int64] {
	if c.sub == nil {
		return positions
	}
	return func(yield func(int64) bool) {
		part := follower{c: c}
		for p := range positions {
			if !yield(part.place(p)) {
				return
			}
		}
	}
}

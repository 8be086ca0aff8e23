package corpus

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Selection selects a part of a corpus by one of Where, Query and Attr. The part is valid until the
// corpus is closed and needs no Close. Frequencies, sizes and hits per million refer to the part.
type Selection struct {
	// Where is a condition on structures; see [Corpus.Where].
	Where string `json:"where,omitempty"`
	// Query selects the structures In, such as doc, in which a match begins.
	Query string `json:"query,omitempty"`
	In    string `json:"in,omitempty"`
	// Attr selects the structures with one of Values of an attribute, such as doc.id.
	Attr   string   `json:"attr,omitempty"`
	Values []string `json:"values,omitempty"`
}

// condition returns the condition of the part in the corpus. The condition of an enclosing part is before, or "".
func (x Selection) condition(before string) string {
	text := x.Where
	switch {
	case x.Query != "":
		text = fmt.Sprintf("<%s/> containing (%s)", x.In, x.Query)
	case x.Attr != "":
		text = fmt.Sprintf("%s in %q", x.Attr, x.Values)
	}
	if before != "" {
		return "(" + before + ") & (" + text + ")"
	}
	return text
}

// Select returns a part of a source. An empty part is an error.
func Select(ctx context.Context, s Source, x Selection) (Source, error) {
	switch s := s.(type) {
	case *Corpus:
		return s.nonempty(ctx, x)
	case *Shards:
		return s.nonempty(ctx, x)
	}
	return nil, fmt.Errorf("corpus %s: a %T has no parts", s.Dir(), s)
}

// Part returns the part of a source that meets a condition, as in [Corpus.Where]; "" is all of it.
func Part(ctx context.Context, s Source, condition string) (Source, error) {
	if condition == "" {
		return s, nil
	}
	return Select(ctx, s, Selection{Where: condition})
}

// Where returns the part of the corpus whose structures satisfy a condition, such as
//
//	doc.lang="de" & doc.year>=2020
//
// with the operators of queries (docs/reference/cql.md). Conditions on one structure apply to
// the structure as a whole. Conditions on several structures apply to the tokens that
// are in all of them. Frequencies, sizes and hits per million refer to the part. The
// part is valid until c is closed and needs no Close.
func (c *Corpus) Where(ctx context.Context, condition string) (*Corpus, error) {
	return c.nonempty(ctx, Selection{Where: condition})
}

// ErrEmpty reports that no token meets a condition.
var ErrEmpty = errors.New("no token")

// nonempty returns a part, or an error if no token is in it.
func (c *Corpus) nonempty(ctx context.Context, x Selection) (*Corpus, error) {
	part, attr, err := c.selected(ctx, x)
	if err != nil {
		return nil, err
	}
	if part.sub.size == 0 {
		return nil, fmt.Errorf("corpus %s: %w where %s: the frequencies of all tokens by %s list the values", c.dir, ErrEmpty, part.sub.condition, attr)
	}
	return part, nil
}

// selected returns a part, which may be empty, and an attribute of its condition.
func (c *Corpus) selected(ctx context.Context, x Selection) (part *Corpus, attr string, err error) {
	var in []interval
	switch {
	case x.Query != "":
		attr = "word"
		in, err = c.containing(ctx, x)
	case x.Attr != "" || x.Values != nil:
		attr = x.Attr
		in, err = c.withValues(ctx, x)
	default:
		var tree cond
		if tree, err = parseWhere(x.Where); err != nil {
			return nil, "", err
		}
		attr = firstAttr(tree)
		in, err = (&compiler{ctx: ctx, c: c, query: x.Where}).intervals(tree)
	}
	if err != nil {
		return nil, "", err
	}
	return c.part(x, in), attr, nil
}

// withValues returns the structures with one of some values.
func (c *Corpus) withValues(ctx context.Context, x Selection) ([]interval, error) {
	if !strings.Contains(x.Attr, ".") {
		return nil, fmt.Errorf("%q: wanted an attribute of a structure, such as doc.id", x.Attr)
	}
	r, err := c.ref(x.Attr)
	if err != nil {
		return nil, err
	}
	ids := newIDSet(r.a.Len(), nil)
	for _, v := range x.Values {
		if id, ok := r.a.ID(v); ok {
			ids.add(id)
		}
	}
	return r.s.intervals(ctx, func(i int) bool { return ids.has(r.a.At(int64(i))) })
}

// containing returns the structures in which a match of a query begins.
func (c *Corpus) containing(ctx context.Context, x Selection) (in []interval, err error) {
	s, err := c.Struct(x.In)
	if err != nil {
		return nil, err
	}
	q, err := c.Query(ctx, x.Query)
	if err != nil {
		return nil, err
	}
	last := int64(0) // end of the last interval
	for m, err := range q.Matches(ctx) {
		if err != nil {
			return nil, err
		}
		if m.Start < last {
			continue
		}
		if i, ok := s.Find(m.Start); ok {
			start, end := s.Span(i)
			in, last = append(in, interval{uint32(start), uint32(end)}), end
		}
	}
	return in, nil
}

// part returns the part of c in some intervals, in corpus order. It may be empty.
func (c *Corpus) part(x Selection, in []interval) *Corpus {
	s := &subcorpus{condition: x.condition(c.Condition()), in: in}
	if c.sub != nil {
		s.in = intersect(c.sub.in, in)
	}
	for _, x := range s.in {
		s.before = append(s.before, s.size)
		s.size += int64(x.end - x.start)
	}
	part := *c
	part.sub = s
	return &part
}

// Where returns a part of the corpus, as [Corpus.Where] does.
func (s *Shards) Where(ctx context.Context, condition string) (*Shards, error) {
	return s.nonempty(ctx, Selection{Where: condition})
}

// nonempty returns a part, or an error if no token is in it.
func (s *Shards) nonempty(ctx context.Context, x Selection) (*Shards, error) {
	part := *s
	part.where = x.condition(s.where)
	if IsSimple(x.Query) {
		var err error
		if x.Query, err = s.cql(ctx, x.Query); err != nil {
			return nil, err
		}
	}
	part.parts = append(part.parts[:len(part.parts):len(part.parts)], x)
	if err := part.measure(ctx); err != nil {
		return nil, err
	}
	if part.Size() == 0 {
		return nil, fmt.Errorf("corpus %s: %w where %s", s.name, ErrEmpty, part.where)
	}
	return &part, nil
}

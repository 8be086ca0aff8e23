package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"chaffinch/internal/parallel"
)

// Query is a compiled query on one corpus. It is safe for concurrent use.
//
// A query describes a set of spans of tokens. Each distinct span (start, end) is one
// match, regardless of the number of ways to match it. Matches are not empty, do not
// cross document boundaries, and are sorted by start, then by end.
type Query struct {
	c           *Corpus
	text        string
	root        matcher
	labels      []string
	constraints []compiledConstraint
	absent      []absent
}

// Match is a span of tokens, End exclusive.
type Match struct {
	Start, End int64
	// Labels holds the tokens at the labels of the query, in the order of
	// Query.Labels, or -1 for a label that is not set. If there are several ways
	// to set the labels, the first one is used.
	Labels []int64
}

// compiledConstraint compares the values of two labels, or their frequencies.
type compiledConstraint struct {
	constraint
	leftAt, rightAt int // labels; if rightAt is -1, the number is compared
	leftA, rightA   *Attr
}

// holds reports whether the tokens left and right satisfy the constraint. Values of
// the same attribute are compared by number, other values by bytes.
func (c *compiledConstraint) holds(left, right int64) bool {
	l := c.leftA.At(left)
	if !c.freq {
		r := c.rightA.At(right)
		same := l == r
		if c.leftA != c.rightA {
			same = string(c.leftA.bytes(l)) == string(c.rightA.bytes(r))
		}
		return same != c.not
	}
	n := c.number
	if c.rightAt >= 0 {
		n = c.rightA.Freq(c.rightA.At(right))
	}
	sign := cmp.Compare(c.leftA.Freq(l), n)
	if c.order != "" {
		return c.order.holds(sign)
	}
	return (sign == 0) != c.not
}

// Query compiles a query in the corpus query language, or a simple query such as "take off"
// (docs/reference/cql.md). A *SyntaxError reports the place of a syntax error. Compiling reads the
// lexicons and stops with the error of ctx.
func (c *Corpus) Query(ctx context.Context, query string) (*Query, error) {
	cql, err := query, error(nil)
	if IsSimple(query) {
		cql, err = c.simple(query)
	}
	var q *Query
	if err == nil {
		q, err = c.Pattern(ctx, cql, PatternConfig{})
	}
	if s := (*SyntaxError)(nil); errors.As(err, &s) {
		s.Try = c.repair(ctx, query)
	}
	return q, err
}

// PatternConfig configures how a query in the corpus query language is compiled.
type PatternConfig struct {
	// Attr is the attribute of values without an attribute. Default: the first one.
	Attr string
	// Within is a structure that matches must not cross. Default: none.
	Within string
}

// Pattern is like Query, but accepts only the corpus query language. It is for the
// queries of a sketch grammar (docs/reference/sketch-grammar.md).
func (c *Corpus) Pattern(ctx context.Context, cql string, cfg PatternConfig) (*Query, error) {
	t, err := parseCQL(cql)
	if err != nil {
		return nil, err
	}
	k := &compiler{ctx: ctx, c: c, query: cql, attr: cfg.Attr}
	q := &Query{c: c, text: cql}
	if q.root, err = k.node(t.root); err != nil {
		return nil, err
	}
	q.absent = k.absent
	if q.labels = k.labels; len(q.labels) > maxLabels {
		return nil, k.fail(0, "%d labels, at most %d are possible", len(q.labels), maxLabels)
	}
	for _, x := range t.constraints {
		y := compiledConstraint{constraint: x, rightAt: -1}
		if y.leftAt, y.leftA, err = k.labelRef(x.left); err != nil {
			return nil, err
		}
		if x.right.label != "" {
			if y.rightAt, y.rightA, err = k.labelRef(x.right); err != nil {
				return nil, err
			}
		}
		q.constraints = append(q.constraints, y)
	}
	if cfg.Within != "" {
		s, err := c.Struct(cfg.Within)
		if err != nil {
			return nil, err
		}
		q.root = &withinMatcher{part: q.root, tag: &tagMatcher{side: tagWhole, s: s, test: anyTest{}}}
	}
	return q, nil
}

func (k *compiler) labelRef(r labelRef) (int, *Attr, error) {
	for i, l := range k.labels {
		if l == r.label {
			a, err := k.tokenAttr(valueCond{attr: r.attr, attrAt: r.attrAt})
			return i, a, err
		}
	}
	return 0, nil, k.fail(r.at, "no token has the label %s: set it, as in %s:[]", r.label, r.label)
}

// String returns the query in CQL.
func (q *Query) String() string { return q.text }

// Corpus returns the corpus that is queried.
func (q *Query) Corpus() *Corpus { return q.c }

// Labels returns the labels that the query sets, in the order of the query.
func (q *Query) Labels() []string { return q.labels }

// Matches yields all matches. It stops with the error of ctx.
func (q *Query) Matches(ctx context.Context) iter.Seq2[Match, error] {
	return q.matches(ctx, 0, q.c.size)
}

// matches yields the matches that begin at the tokens first to end-1. Matches at
// different tokens are independent.
func (q *Query) matches(ctx context.Context, first, end int64) iter.Seq2[Match, error] {
	return q.search(ctx, first, end, false)
}

// Bindings yields the distinct ways to match at the tokens first to end-1: a span is
// yielded again for each way to set the labels. Labels is valid until the next match.
// Bindings at different tokens are independent.
func (q *Query) Bindings(ctx context.Context, first, end int64) iter.Seq2[Match, error] {
	return q.search(ctx, first, end, true)
}

// search yields the matches that begin at the tokens first to end-1, or with bindings
// the distinct ways to match.
func (q *Query) search(ctx context.Context, first, end int64, bindings bool) iter.Seq2[Match, error] {
	return func(yield func(Match, error) bool) {
		m := &machine{labels: len(q.labels), c: q.c, inners: map[matcher]*innerSpans{}, deadline: newDeadline(ctx)}
		g := newCandidates(m.deadline, q.c, q.root.anchor(q.c), first, end)
		part := follower{c: q.c}
		var out []state
		var set []int64 // labels of a binding
		if bindings {
			set = make([]int64, len(q.labels))
		}
		steps, behind := 0, first
		most := maxWork + maxDensity*(end-first)
		for at, ok := g.next(uint32(first)); ok && int64(at) < end && !m.Over(0); at, ok = g.next(at + 1) {
			if steps++; steps&0xff == 0 && int64(at)-behind >= passed {
				q.c.leave(behind, int64(at))
				behind = int64(at)
			}
			from, to, ok := part.find(int64(at))
			if !ok {
				break
			}
			if int64(at) < from {
				at = uint32(from - 1) // continue from there
				continue
			}
			if at >= m.hi {
				m.lo, m.hi = q.c.region(at)
			}
			m.binds = m.binds[:0]
			out = m.distinct(q.root.run(m, state{at, -1}, min(m.hi, uint32(to)), out[:0]))
			if m.Err() != nil {
				break
			}
			if m.work += int64(len(out)); m.work > most {
				m.Stop(fmt.Errorf("more than %d ways to match in %d tokens: bound the repetitions, as in []{0,20}, or add within <s/>", most, end-first))
				break
			}
			last := at // empty matches are also dropped
			for _, s := range out {
				if s.pos <= last || !q.holds(m, s) {
					continue
				}
				if !bindings {
					last = s.pos
				}
				if !yield(q.match(m, at, s, set), nil) {
					return
				}
			}
		}
		if m.Err() != nil {
			yield(Match{}, fmt.Errorf("query %s: %w", q.text, m.Err()))
		}
	}
}

// match converts a state to a match, whose labels are stored in into if it is set.
func (q *Query) match(m *machine, start uint32, s state, into []int64) Match {
	x := Match{Start: int64(start), End: int64(s.pos)}
	if len(q.labels) > 0 {
		if x.Labels = into; x.Labels == nil {
			x.Labels = make([]int64, len(q.labels))
		}
		set := m.labelsOf(s)
		for i := range x.Labels {
			x.Labels[i] = -1
			if set != nil && set[i] != unbound {
				x.Labels[i] = int64(set[i])
			}
		}
	}
	return x
}

// holds reports whether a state satisfies the constraints. Unset labels satisfy no
// constraint.
func (q *Query) holds(m *machine, s state) bool {
	set := m.labelsOf(s)
	token := func(label int) int64 {
		if set == nil || set[label] == unbound || int64(set[label]) >= q.c.size {
			return -1
		}
		return int64(set[label])
	}
	for i := range q.constraints {
		c := &q.constraints[i]
		left, right := token(c.leftAt), int64(-1)
		if c.rightAt >= 0 {
			right = token(c.rightAt)
		}
		if left < 0 || c.rightAt >= 0 && right < 0 || !c.holds(left, right) {
			return false
		}
	}
	return true
}

// Known returns the number of matches if it is known without a search. ok is false
// otherwise.
func (q *Query) Known() (n int64, ok bool) {
	if len(q.constraints) > 0 {
		return 0, false
	}
	root := q.root
	var within *Struct
	if w, ok := root.(*withinMatcher); ok && !w.not && w.tag.test == (anyTest{}) {
		root, within = w.part, w.tag.s
	}
	if r, ok := root.(*repeatMatcher); ok && r.part == (tokenMatcher{anyTest{}}) {
		return q.c.spans(within, r.min, r.max), true
	}
	if t, ok := q.root.(tokenMatcher); ok && q.c.sub == nil {
		switch v := t.t.(type) { // the lists hold the count
		case anyTest:
			return q.c.size, true
		case *valueTest:
			if v.not {
				return q.c.size - v.places.total, true
			}
			return v.places.total, true
		}
	}
	return 0, false
}

// spans returns the number of spans of lo to hi tokens, which grows with the square of the
// length of a document. If s is set, the spans lie within its structures.
func (c *Corpus) spans(s *Struct, lo, hi uint32) (n int64) {
	var in []interval
	for at := uint32(0); int64(at) < c.size; {
		_, end := c.region(at)
		in = append(in, interval{at, end})
		at = end
	}
	if c.sub != nil {
		in = intersect(in, c.sub.in)
	}
	if s != nil {
		of, _ := s.intervals(context.Background(), func(int) bool { return true })
		in = intersect(in, of)
	}
	for _, x := range in {
		length := x.end - x.start
		if least, most := max(lo, 1), min(hi, length); least <= most {
			shortest, longest := uint64(length-least+1), uint64(length-most+1) // spans of each length
			n += int64((shortest + longest) * uint64(most-least+1) / 2)
		}
	}
	return n
}

// A corpus is searched in at most mostParts parts of at least leastPart tokens. Each part
// opens its lists of places.
const (
	mostParts = 64
	leastPart = 1 << 20
)

// Count returns the number of matches.
func (q *Query) Count(ctx context.Context) (int64, error) {
	return q.CountInto(ctx, new(atomic.Int64))
}

// CountInto is like Count, but adds matches to found while it counts. All processors
// count concurrently, each a part of the corpus.
func (q *Query) CountInto(ctx context.Context, found *atomic.Int64) (int64, error) {
	if n, ok := q.Known(); ok {
		found.Add(n)
		return n, nil
	}
	var n atomic.Int64
	err := q.inParts(ctx, func(ms iter.Seq2[Match, error]) error {
		in := int64(0)
		for _, err := range ms {
			if err != nil {
				return err
			}
			in++
		}
		n.Add(in)
		found.Add(in)
		return nil
	})
	return n.Load(), err
}

// inParts calls use with the matches of each part of the corpus. All processors work
// concurrently, each on one part. After the first error, no part is begun.
func (q *Query) inParts(ctx context.Context, use func(iter.Seq2[Match, error]) error) (first error) {
	var once sync.Once
	var failed atomic.Bool
	parts := min(q.c.size/leastPart+1, mostParts)
	parallel.Each(min(runtime.NumCPU(), runtime.GOMAXPROCS(0)), int(parts), func(i int) {
		if failed.Load() {
			return
		}
		start, end := int64(i)*q.c.size/parts, int64(i+1)*q.c.size/parts
		if err := use(q.matches(ctx, start, end)); err != nil {
			once.Do(func() { first = err })
			failed.Store(true)
		}
		q.c.leave(start, end)
	})
	return first
}

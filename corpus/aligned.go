package corpus

import (
	"context"
	"slices"
	"sort"
)

// keptAligned is the maximum number of queries on an aligned corpus whose segments stay in memory.
const keptAligned = 4

// alignedQuery is an evaluated condition on the aligned corpus: the condition at an offset of a query.
type alignedQuery struct {
	query string
	at    int
	in    tokenSpans
}

// aligned compiles a condition on the aligned corpus. The query there is evaluated now, or was recently,
// as for another page of hits: its matches become the tokens of the aligned segments here.
func (k *compiler) aligned(n alignedNode) (matcher, error) {
	part, err := k.node(n.part)
	if err != nil {
		return nil, err
	}
	k.files = true
	a, err := k.c.Aligned(n.corpus)
	if err != nil {
		return nil, k.fail(n.at, "%v", err)
	}
	there := &compiler{ctx: k.ctx, c: a.to, query: k.query}
	root, err := there.node(n.other)
	if err != nil {
		return nil, err
	}
	if len(there.labels) > 0 {
		return nil, k.fail(n.at, "found the label %s in the query on the aligned corpus %s, wanted a query without labels", there.labels[0], n.corpus)
	}
	in, ok := a.known(k.query, n.at)
	if !ok {
		if in, err = a.having(k.ctx, &Query{c: a.to, text: k.query, root: root}); err != nil {
			return nil, err
		}
		if !there.files {
			a.remember(alignedQuery{k.query, n.at, in})
		}
	}
	return &segmentMatcher{part, in, n.not}, nil
}

// known returns the tokens of the segments that a recent condition selected.
func (a *Alignment) known(query string, at int) (in tokenSpans, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, x := range a.recent {
		if x.query == query && x.at == at {
			return x.in, true
		}
	}
	return nil, false
}

// remember keeps the result of a condition, and drops the oldest one.
func (a *Alignment) remember(x alignedQuery) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.recent) == keptAligned {
		a.recent = slices.Delete(a.recent, 0, 1)
	}
	a.recent = append(a.recent, x)
}

// having returns the tokens of the segments whose translations contain a match of a query on the
// aligned corpus.
func (a *Alignment) having(ctx context.Context, q *Query) (tokenSpans, error) {
	found := newIDSet(a.beads, nil)
	for m, err := range q.Matches(ctx) {
		if err != nil {
			return nil, err
		}
		if b, ok := a.other.find(m.Start); ok {
			if _, end := a.other.span(b); m.End <= end {
				found.add(uint32(b))
			}
		}
	}
	var in tokenSpans
	for b, ok := found.next(0); ok && int(b) < a.beads; b, ok = found.next(b + 1) {
		if start, end := a.own.span(int(b)); start < end {
			in = append(in, interval{uint32(start), uint32(end)})
		}
	}
	return in, nil
}

// tokenSpans are spans of tokens in order that do not overlap. It is the stream of their tokens.
type tokenSpans []interval

// find returns the span that holds the token pos.
func (t tokenSpans) find(pos uint32) (interval, bool) {
	i := sort.Search(len(t), func(i int) bool { return t[i].end > pos })
	if i == len(t) || t[i].start > pos {
		return interval{}, false
	}
	return t[i], true
}

// next implements stream.
func (t tokenSpans) next(from uint32) (uint32, bool) {
	i := sort.Search(len(t), func(i int) bool { return t[i].end > from })
	if i == len(t) {
		return 0, false
	}
	return max(from, t[i].start), true
}

// segmentMatcher matches its part if one of the spans holds it (or, with not, if none does).
type segmentMatcher struct {
	part matcher
	in   tokenSpans
	not  bool
}

func (n *segmentMatcher) run(m *machine, from state, limit uint32, out []state) []state {
	span, ok := n.in.find(from.pos)
	if !n.not {
		if !ok {
			return out
		}
		return n.part.run(m, from, min(limit, span.end), out)
	}
	before := len(out)
	out = n.part.run(m, from, limit, out)
	if !ok {
		return out
	}
	keep := out[:before]
	for _, s := range out[before:] {
		if s.pos > span.end {
			keep = append(keep, s)
		}
	}
	return keep
}

func (n *segmentMatcher) bounds() (uint32, uint32) { return n.part.bounds() }

func (n *segmentMatcher) anchor(c *Corpus) *anchor {
	a := n.part.anchor(c)
	if n.not {
		return a
	}
	tokens := uint32(0)
	for _, x := range n.in {
		tokens += x.end - x.start
	}
	return cheaper(a, &anchor{
		parts: []anchorPart{{open: func(*deadline, uint32, uint32) stream { return n.in }}},
		cost:  float64(tokens),
	})
}

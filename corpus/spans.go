package corpus

import (
	"slices"
	"sort"
)

// Spans returns a query whose matches are the given spans of tokens, in any order. It
// is for concordances of positions that were found by other means, such as a word
// sketch. name is the text of the query.
func (c *Corpus) Spans(name string, spans []Match) *Query {
	list := slices.Clone(spans)
	slices.SortFunc(list, compareSpans)
	return &Query{c: c, text: name, root: spanMatcher(list)}
}

// spanMatcher matches spans, which are sorted.
type spanMatcher []Match

func (n spanMatcher) run(_ *machine, from state, limit uint32, out []state) []state {
	for i := n.search(from.pos); i < len(n) && n[i].Start == int64(from.pos); i++ {
		if n[i].End <= int64(limit) {
			out = append(out, state{uint32(n[i].End), from.bind})
		}
	}
	return out
}

// search returns the first span that starts at pos or after it.
func (n spanMatcher) search(pos uint32) int {
	return sort.Search(len(n), func(i int) bool { return n[i].Start >= int64(pos) })
}

func (n spanMatcher) bounds() (uint32, uint32) { return 0, infinite }

func (n spanMatcher) anchor(*Corpus) *anchor {
	return &anchor{
		parts: []anchorPart{{open: func(*deadline, uint32, uint32) stream { return n }}},
		cost:  float64(len(n)),
	}
}

// next implements stream.
func (n spanMatcher) next(from uint32) (uint32, bool) {
	if i := n.search(from); i < len(n) {
		return uint32(n[i].Start), true
	}
	return 0, false
}

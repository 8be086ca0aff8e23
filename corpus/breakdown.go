package corpus

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"chaffinch/internal/timecheck"
)

// ValueSize holds the size of a part of a corpus: the structures with one value of an
// attribute, such as the language of documents.
type ValueSize struct {
	Value   string `json:"value"`
	Structs int64  `json:"structures"`
	Tokens  int64  `json:"tokens"`
}

// Breakdown divides the corpus by an attribute of a structure, such as
// doc.lang. Values are sorted by descending tokens, then by value.
func (c *Corpus) Breakdown(ctx context.Context, attr string) ([]ValueSize, error) {
	v, err := c.values(ctx, attr)
	if err != nil {
		return nil, err
	}
	return v.sizes, nil
}

// values holds the values of an attribute of a structure, sorted by descending
// number of tokens.
type values struct {
	s     *Struct
	sizes []ValueSize
	of    []uint32 // value of each occurrence
}

func (c *Corpus) values(ctx context.Context, attr string) (*values, error) {
	name, key, ok := strings.Cut(attr, ".")
	if !ok {
		return nil, fmt.Errorf("%q names no attribute of a structure: write STRUCTURE.ATTRIBUTE, such as doc.lang", attr)
	}
	s, err := c.Struct(name)
	if err != nil {
		return nil, err
	}
	a, err := s.Attr(key)
	if err != nil {
		return nil, err
	}
	v := &values{s: s, of: make([]uint32, s.Len()), sizes: make([]ValueSize, a.Len())}
	work := timecheck.New(ctx)
	for i := range v.sizes {
		if err := work.Done(0); err != nil {
			return nil, err
		}
		v.sizes[i].Value = a.Word(uint32(i))
	}
	part := overlap{c.sub, 0}
	for i := range v.of {
		if err := work.Done(0); err != nil {
			return nil, err
		}
		id := a.At(int64(i))
		v.of[i] = id
		if n, ok := part.tokens(s.Span(i)); ok {
			v.sizes[id].Structs++
			v.sizes[id].Tokens += n
		}
	}
	order := make([]uint32, len(v.sizes))
	for i := range order {
		order[i] = uint32(i)
	}
	d := newDeadline(ctx)
	sortUntil(d, order, func(a, b uint32) int {
		x, y := v.sizes[a], v.sizes[b]
		return cmp.Or(cmp.Compare(y.Tokens, x.Tokens), cmp.Compare(x.Value, y.Value))
	})
	if d.Err() != nil {
		return nil, d.Err()
	}
	sizes, rank := make([]ValueSize, len(order)), make([]uint32, len(order))
	for i, id := range order {
		sizes[i], rank[id] = v.sizes[id], uint32(i)
	}
	for i, id := range v.of {
		v.of[i] = rank[id]
	}
	for c.sub != nil && len(sizes) > 0 && sizes[len(sizes)-1].Structs == 0 {
		sizes = sizes[:len(sizes)-1] // a value that the part lacks
	}
	v.sizes = sizes
	return v, nil
}

// at returns the value of occurrence i. It returns the zero value if a damaged
// index lacks the value.
func (v *values) at(i int) ValueSize {
	if k := v.of[i]; int(k) < len(v.sizes) {
		return v.sizes[k]
	}
	return ValueSize{}
}

// overlap counts the tokens of ascending structures that are in a part.
type overlap struct {
	sub *subcorpus
	i   int
}

// tokens returns the number of tokens from start to end that are in the part. ok
// is false if the part does not overlap the structure.
func (o *overlap) tokens(start, end int64) (n int64, ok bool) {
	if o.sub == nil {
		return end - start, true
	}
	in := o.sub.in
	for o.i < len(in) && int64(in[o.i].end) <= start {
		o.i++
	}
	for i := o.i; i < len(in) && int64(in[i].start) < end; i++ {
		n += min(end, int64(in[i].end)) - max(start, int64(in[i].start))
	}
	return n, n > 0
}

// sizes returns, for each structure, the number of its tokens in c. The number
// is -1 if c is a part that does not overlap the structure.
func (c *Corpus) sizes(s *Struct) []int64 {
	out := make([]int64, s.Len())
	part := overlap{c.sub, 0}
	for i := range out {
		n, ok := part.tokens(s.Span(i))
		if !ok {
			n = -1
		}
		out[i] = n
	}
	return out
}

// types returns the number of values of an attribute in c.
func (c *Corpus) types(a *Attr) int64 {
	if c.sub == nil {
		return int64(a.Len())
	}
	seen := make([]bool, a.Len())
	n := int64(0)
	for start, end := range c.intervals() {
		for pos := start; pos < end; pos++ {
			if id := a.At(pos); !seen[id] {
				seen[id] = true
				n++
			}
		}
	}
	return n
}

// hostOf returns the host of a URL in lower case, without user, port and a leading
// "www.". It returns "" if url is not a web address.
func hostOf(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#\\"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if i := strings.LastIndexByte(rest, ':'); i > strings.LastIndexByte(rest, ']') {
		rest = rest[:i]
	}
	return strings.TrimPrefix(strings.ToLower(strings.TrimSuffix(rest, ".")), "www.")
}

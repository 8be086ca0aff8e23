package corpus

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// fewValues is the number of values up to which an attribute is taken unasked.
const fewValues = 60

// breakdowns compares parts.
func (x *comparer) breakdowns(context.Context) error {
	list := x.cfg.By
	if len(list) == 0 {
		var err error
		if list, err = x.telling(); err != nil {
			return err
		}
	}
	for _, attr := range list {
		before, err := x.before.Breakdown(attr)
		if err != nil {
			return err
		}
		after, err := x.after.Breakdown(attr)
		if err != nil {
			return err
		}
		if len(x.cfg.By) == 0 && len(before) < 2 {
			continue
		}
		left := map[string]ValueSize{}
		for _, s := range after {
			left[s.Value] = s
		}
		out := BreakdownChange{Attr: attr, Values: len(before)}
		for _, s := range before {
			row := PartChange{Value: s.Value, Before: s, After: left[s.Value]}
			row.After.Value = s.Value
			row.Kept = share(row.After.Tokens, row.Before.Tokens)
			out.Rows = append(out.Rows, row)
		}
		// Values that grow are no property of the parts, but say what is left of
		// them, as a length does.
		if len(x.cfg.By) == 0 && slices.ContainsFunc(out.Rows, func(r PartChange) bool { return r.Kept > 1 }) {
			continue
		}
		lost := func(r PartChange) int64 { return r.Before.Tokens - r.After.Tokens }
		slices.SortStableFunc(out.Rows, func(a, b PartChange) int { return cmp.Compare(lost(b), lost(a)) })
		out.Rows = out.Rows[:min(len(out.Rows), max(x.cfg.Rows/2, 1))]
		x.out.Breakdowns = append(x.out.Breakdowns, out)
	}
	return nil
}

// telling lists attributes of structures that both corpora have and that have
// few values, and the hosts.
func (x *comparer) telling() (list []string, err error) {
	for _, name := range x.before.Structs() {
		if !slices.Contains(x.after.Structs(), name) {
			continue
		}
		b, err := x.before.Struct(name)
		if err != nil {
			return nil, err
		}
		a, err := x.after.Struct(name)
		if err != nil {
			return nil, err
		}
		attrs := slices.Clone(b.Attrs())
		attrs = slices.DeleteFunc(attrs, func(attr string) bool { return !slices.Contains(a.Attrs(), attr) })
		site := ""
		for _, attr := range []string{"site", "host", "domain", "url"} {
			if site == "" && slices.Contains(attrs, attr) {
				if site = attr; attr == "url" {
					site = "host"
				}
				list = append(list, name+"."+site)
			}
		}
		for _, attr := range attrs {
			if attr != site && few(b, attr) {
				list = append(list, name+"."+attr)
			}
		}
	}
	return list, nil
}

// few reports whether an attribute has at least two values, not many, and most
// of them more than once.
func few(s *Struct, attr string) bool {
	a, err := s.Attr(attr)
	return err == nil && a.Len() > 1 && a.Len() <= fewValues && 2*a.Len() <= s.Len()
}

// DocumentChange says how much is left of each document.
type DocumentChange struct {
	Key string `json:"key"` // attribute by which they were found again
	// Whole counts documents that have all their tokens, Gone those that are
	// not there or have none, Bins those between by the share that is left, in
	// tenths: at most 10 %, 20 %, and so on.
	Whole int64     `json:"whole"`
	Gone  int64     `json:"gone"`
	Bins  [10]int64 `json:"bins"`
	// New counts documents that are in AFTER only.
	New int64 `json:"new"`
	// Lost lists those that have lost most tokens.
	Lost []PartChange `json:"lost"`
}

// documents finds each document again. It holds 16 bytes a document.
func (x *comparer) documents(context.Context) error {
	name := cmp.Or(x.cfg.Doc, "doc")
	if x.out.Before.Documents == 0 || x.out.After.Documents == 0 {
		return nil
	}
	b, err := x.before.Struct(name)
	if err != nil {
		return err
	}
	a, err := x.after.Struct(name)
	if err != nil {
		return err
	}
	key := ""
	for _, k := range []string{x.cfg.DocKey, "id", "url"} {
		if k != "" && slices.Contains(b.Attrs(), k) && slices.Contains(a.Attrs(), k) {
			key = k
			break
		}
	}
	if key == "" {
		x.note("documents have no attribute id or url in common: how much is left of each is not known")
		return nil
	}
	tokens := func(s *Struct, i int) int64 { start, end := s.Span(i); return end - start }
	left := map[uint64]int64{}
	for i := range a.Len() {
		h := xxh3.HashString(a.Value(key, i))
		if _, twice := left[h]; twice {
			x.note("the attribute %s of documents in AFTER is not unique: how much is left of each is not known", key)
			return nil
		}
		left[h] = tokens(a, i)
	}
	out := &DocumentChange{Key: name + "." + key, New: int64(len(left))}
	type lost struct{ i, tokens int64 }
	best := top[lost]{limit: x.cfg.Rows, compare: func(p, q lost) int {
		return cmp.Or(cmp.Compare(q.tokens, p.tokens), cmp.Compare(p.i, q.i))
	}}
	for i := range b.Len() {
		all := tokens(b, i)
		rest, found := left[xxh3.HashString(b.Value(key, i))]
		if found {
			out.New--
		}
		best.add(lost{int64(i), all - rest})
		switch {
		case rest >= all && found:
			out.Whole++
		case rest == 0:
			out.Gone++
		default:
			out.Bins[min(int((10*rest-1)/all), 9)]++
		}
	}
	for _, l := range best.sorted() {
		if l.tokens <= 0 {
			break
		}
		v := b.Value(key, int(l.i))
		rest := left[xxh3.HashString(v)]
		row := PartChange{Value: strings.Clone(v), Before: ValueSize{Structs: 1, Tokens: tokens(b, int(l.i))}, After: ValueSize{Tokens: rest}}
		row.Kept = share(rest, row.Before.Tokens)
		out.Lost = append(out.Lost, row)
	}
	out.New = max(out.New, 0)
	x.out.Documents = out
	return nil
}

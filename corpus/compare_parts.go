package corpus

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
)

// fewValues is the maximum number of values of an attribute that is chosen by default.
const fewValues = 60

// sites lists attributes that hold the site of a document. The first one in the
// index is used.
var sites = []string{"site", "host", "domain"}

// breakdowns compares parts.
func (x *comparer) breakdowns(ctx context.Context) error {
	list := x.cfg.By
	if len(list) == 0 {
		var err error
		if list, err = x.telling(); err != nil {
			return err
		}
	}
	for _, attr := range list {
		before, left, err := x.parts(ctx, attr)
		if err != nil {
			return err
		}
		if len(x.cfg.By) == 0 && !divides(attr, before) {
			continue
		}
		out := BreakdownChange{Attr: attr, Values: len(before)}
		for _, s := range before {
			row := PartChange{Value: s.Value, Before: s, After: left[s.Value]}
			row.After.Value = s.Value
			row.Kept = report.Share(row.After.Tokens, row.Before.Tokens)
			out.Rows = append(out.Rows, row)
		}
		// An attribute whose values grow is not a property of the parts. It
		// measures the remaining text, as a length does.
		if len(x.cfg.By) == 0 && slices.ContainsFunc(out.Rows, func(r PartChange) bool { return r.Kept > 1 }) {
			continue
		}
		lost := func(r PartChange) int64 { return r.Before.Tokens - r.After.Tokens }
		sorts.StableFunc(out.Rows, func(a, b PartChange) int { return cmp.Compare(lost(b), lost(a)) })
		out.Rows = out.Rows[:min(len(out.Rows), max(x.cfg.Rows/2, 1))]
		x.out.Breakdowns = append(x.out.Breakdowns, out)
	}
	return nil
}

// manyValues is the number of values from which an attribute may identify documents.
const manyValues = 10

// divides reports whether the values of an attribute divide a corpus into parts. They do
// not if there is only one part or the parts have no tokens, like the white space in <sp>.
// They also do not if nearly every value except the most frequent one, which may be
// empty, occurs once, like addresses and offsets. Sites are parts if one site has two
// documents.
func divides(attr string, parts []ValueSize) bool {
	var structs, tokens, most int64
	for _, p := range parts {
		structs, tokens, most = structs+p.Structs, tokens+p.Tokens, max(most, p.Structs)
	}
	if len(parts) < 2 || most < 2 || tokens == 0 {
		return false
	}
	_, name, _ := strings.Cut(attr, ".")
	return len(parts) < manyValues || structs-most >= 2*int64(len(parts)-1) || slices.Contains(sites, name)
}

// parts divides both corpora by an attribute. A document belongs to its part in
// BEFORE. For example, its language may be detected differently when half of its
// text is removed.
func (x *comparer) parts(ctx context.Context, attr string) (before []ValueSize, after map[string]ValueSize, err error) {
	b, err := x.before.values(ctx, attr)
	if err != nil {
		return nil, nil, err
	}
	a, err := x.after.values(ctx, attr)
	if err != nil {
		return nil, nil, err
	}
	after = map[string]ValueSize{}
	if x.joined == nil || a.s.Name() != x.doc() {
		for _, s := range a.sizes {
			after[s.Value] = s
		}
		return b.sizes, after, nil
	}
	for i, from := range x.joined.from {
		if x.joined.after[i] < 0 {
			continue
		}
		value := a.at(i).Value
		if from >= 0 {
			value = b.at(int(from)).Value
		}
		s := after[value]
		s.Value = value
		s.Structs++
		s.Tokens += x.joined.after[i]
		after[value] = s
	}
	return b.sizes, after, nil
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
		for _, attr := range sites {
			if site == "" && slices.Contains(attrs, attr) {
				site = attr
				list = append(list, name+"."+site)
			}
		}
		for _, attr := range attrs {
			if attr != site && attr != "host" && attr != "month" && attr != "day" && few(b, attr) {
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

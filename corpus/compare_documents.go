package corpus

import (
	"cmp"
	"context"
	"slices"

	"chaffinch/internal/report"

	"github.com/zeebo/xxh3"
)

// joined maps documents of AFTER to documents of BEFORE.
type joined struct {
	key  string  // attribute that identifies documents
	from []int32 // for each document of AFTER, its document of BEFORE or -1
	left []int64 // for each document of BEFORE, its tokens in AFTER; -1 if it is missing
	// The tokens of each document, -1 if the document is not in the part.
	before, after []int64
}

// doc returns the name of the document structure.
func (x *comparer) doc() string { return cmp.Or(x.cfg.Doc, "doc") }

// join matches the documents of BEFORE and AFTER. It holds about 50 bytes per
// document while it runs, 28 afterwards.
func (x *comparer) join(context.Context) error {
	if x.out.Before.Documents == 0 || x.out.After.Documents == 0 {
		return nil
	}
	b, err := x.before.Struct(x.doc())
	if err != nil {
		return err
	}
	a, err := x.after.Struct(x.doc())
	if err != nil {
		return err
	}
	has := func(key string) bool {
		return key != "" && slices.Contains(b.Attrs(), key) && slices.Contains(a.Attrs(), key)
	}
	i := slices.IndexFunc([]string{x.cfg.DocKey, "id", "url"}, has)
	if i < 0 {
		x.note("documents have no attribute id or url in common: how much is left of each is not known")
		return nil
	}
	j := &joined{key: []string{x.cfg.DocKey, "id", "url"}[i], from: make([]int32, a.Len()), left: make([]int64, b.Len()), before: x.before.sizes(b), after: x.after.sizes(a)}
	at := make(map[uint64]int32, b.Len())
	for i := range b.Len() {
		if j.before[i] < 0 {
			continue
		}
		h := xxh3.HashString(b.Value(j.key, i))
		if _, twice := at[h]; twice {
			x.note("the attribute %s of documents in BEFORE is not unique: how much is left of each is not known", j.key)
			return nil
		}
		at[h], j.left[i] = int32(i), -1
	}
	for i := range a.Len() {
		if j.after[i] < 0 {
			continue
		}
		from, ok := at[xxh3.HashString(a.Value(j.key, i))]
		if !ok {
			j.from[i] = -1
			continue
		}
		if j.left[from] >= 0 {
			x.note("the attribute %s of documents in AFTER is not unique: how much is left of each is not known", j.key)
			return nil
		}
		j.from[i], j.left[from] = from, j.after[i]
	}
	x.joined = j
	return nil
}

// DocumentChange describes the share of each document that remains.
type DocumentChange struct {
	Key string `json:"key"` // attribute that identifies documents
	// Whole counts documents with all their tokens, Gone documents that are missing
	// or empty. Bins counts the other documents by the share that remains, in
	// tenths: at most 10 %, 20 %, and so on.
	Whole int64     `json:"whole"`
	Gone  int64     `json:"gone"`
	Bins  [10]int64 `json:"bins"`
	// New counts documents that are only in AFTER.
	New int64 `json:"new"`
	// Lost lists the documents that lost most tokens.
	Lost []PartChange `json:"lost"`
}

// documents counts the documents by the share that remains.
func (x *comparer) documents(context.Context) error {
	if x.joined == nil {
		return nil
	}
	b, err := x.before.Struct(x.doc())
	if err != nil {
		return err
	}
	out := &DocumentChange{Key: x.doc() + "." + x.joined.key}
	for i, from := range x.joined.from {
		if from < 0 && x.joined.after[i] >= 0 {
			out.New++
		}
	}
	type lost struct{ i, tokens int64 }
	best := top[lost]{limit: x.cfg.Rows, compare: func(p, q lost) int {
		return cmp.Or(cmp.Compare(q.tokens, p.tokens), cmp.Compare(p.i, q.i))
	}}
	for i, rest := range x.joined.left {
		all := x.joined.before[i]
		if all < 0 {
			continue
		}
		switch {
		case rest >= all:
			out.Whole++
		case rest <= 0:
			out.Gone++
		default:
			out.Bins[min(int((10*rest-1)/all), 9)]++
		}
		best.add(lost{int64(i), all - max(rest, 0)})
	}
	for _, l := range best.sorted() {
		if l.tokens <= 0 {
			break
		}
		i := int(l.i)
		row := PartChange{Value: b.Value(x.joined.key, i), Before: ValueSize{Structs: 1, Tokens: x.joined.before[i]}, After: ValueSize{Tokens: max(x.joined.left[i], 0)}}
		if x.joined.left[i] >= 0 {
			row.After.Structs = 1
		}
		row.Kept = report.Share(row.After.Tokens, row.Before.Tokens)
		out.Lost = append(out.Lost, row)
	}
	x.out.Documents = out
	return nil
}

package corpus

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
)

// Limits for the words in the plot, chosen by frequency or change, and for words
// whose collocates are compared by default.
const (
	frequentWords = 600
	changedWords  = 600
	companions    = 2
)

// words finds the keywords of the removed and of the kept text.
func (x *comparer) words(ctx context.Context) error {
	v, err := newVocabulary(ctx, x.attr, x.fold, &wordFilter{words: true}, x.before, x.after)
	if err != nil {
		return err
	}
	x.vocabulary = v
	var borders []*Struct
	for _, c := range []*Corpus{x.before, x.after} {
		b, err := c.border("")
		if err != nil {
			return err
		}
		borders = append(borders, b)
	}
	kept := x.after.Size()
	removed := max(x.before.Size()-kept, 0)
	most := func(order func(a, b keyed) int, limit int) *top[keyed] {
		return &top[keyed]{limit: limit, compare: func(a, b keyed) int {
			if a.keys == b.keys {
				return 0
			}
			return cmp.Or(order(a, b), strings.Compare(v.word(a.keys[0]), v.word(b.keys[0])))
		}}
	}
	score := func(a, b keyed) int { return cmp.Compare(b.score, a.score) }
	frequent, drawn, changed := most(score, frequentWords), most(score, changedWords), most(score, companions)
	more := int64(0)
	for n := 1; n <= min(cmp.Or(x.cfg.NGram, 2), maxNGram); n++ {
		cfg := KeywordConfig{NGram: n, Smoothing: cmp.Or(x.cfg.Smoothing, 10), MinFreq: cmp.Or(x.cfg.MinFreq, 5), Limit: 20 * x.cfg.Rows}
		gone, err := newKeyer(ctx, v, cfg, removed, kept)
		if err != nil {
			return err
		}
		left, err := newKeyer(ctx, v, cfg, kept, removed)
		if err != nil {
			return err
		}
		for g, err := range v.grams(ctx, n, borders) {
			if err != nil {
				return err
			}
			lost := g.freq[0] - g.freq[1]
			if lost < 0 {
				more++
				lost = 0
			}
			gone.add(g.keys, lost, g.freq[1])
			left.add(g.keys, g.freq[1], lost)
			if n == 1 {
				w := keyed{keys: [maxNGram]uint32{g.keys[0]}, f1: g.freq[0], f2: g.freq[1]}
				w.score = max(PerMillion(w.f1, x.before.Size()), PerMillion(w.f2, x.after.Size()))
				if w.score > 0 {
					frequent.add(w)
					w.score = math.Abs(keynessLogL(lost, removed, w.f2, kept, 0))
					drawn.add(w)
				}
				// Enough hits on both sides for a table of collocates each, and a
				// significant share removed.
				if w.f2 >= 30 && lost >= w.f2/4 {
					w.score = simpleMaths(lost, removed, w.f2, kept, 100)
					changed.add(w)
				}
			}
		}
		x.out.Removed = append(x.out.Removed, x.spread(ctx, gone, borders[0]))
		x.out.Kept = append(x.out.Kept, x.spread(ctx, left, borders[0]))
		if err := ctx.Err(); err != nil {
			return err
		}
		if n == 1 && more > 0 {
			x.note("AFTER has some words more often than BEFORE (%d): it is no part of BEFORE, or its tokens are made in another way. They count as not removed.", more)
		}
	}
	x.draw(frequent.sorted(), drawn.sorted())
	x.companions = changed.sorted()
	return nil
}

// draw lists the words of both lists without duplicates, the most frequent first.
func (x *comparer) draw(lists ...[]keyed) {
	seen := map[uint32]bool{}
	for _, list := range lists {
		for _, w := range list {
			if key := w.keys[0]; !seen[key] {
				seen[key] = true
				x.out.Words = append(x.out.Words, WordChange{
					Word: x.vocabulary.word(key), Before: PerMillion(w.f1, x.before.Size()), After: PerMillion(w.f2, x.after.Size()), Kept: report.Share(w.f2, w.f1),
				})
			}
		}
	}
	sorts.StableFunc(x.out.Words, func(a, b WordChange) int {
		return cmp.Compare(max(b.Before, b.After), max(a.Before, a.After))
	})
}

// spread returns the keywords that occur in enough documents and are more
// frequent than elsewhere.
func (x *comparer) spread(ctx context.Context, k *keyer, border *Struct) *Keywords {
	least := cmp.Or(x.cfg.MinDocs, min(5, 1+x.out.Before.Documents/20))
	doc, err := x.before.Struct(x.doc())
	if err == nil && x.ids == nil {
		x.ids = x.vocabulary.inverse(0)
	}
	var rows []keyed
	for _, w := range k.best.sorted() {
		if len(rows) < x.cfg.Rows && w.score > 1 && (err != nil || x.inDocs(ctx, w.keys[:k.n], doc, border, least)) {
			rows = append(rows, w)
		}
	}
	k.best.items = rows
	return k.table()
}

// inDocs reports whether at least least documents of BEFORE contain the words.
func (x *comparer) inDocs(ctx context.Context, keys []uint32, doc, border *Struct, least int64) bool {
	lists := make([][]uint32, len(keys))
	for i, k := range keys {
		if lists[i] = x.ids(k); len(lists[i]) == 0 {
			return true // BEFORE lacks it, so AFTER has been changed
		}
	}
	in, at, docs := place{s: doc}, -1, int64(0)
	for p := range x.before.occurrences(ctx, x.vocabulary.attrs[0], lists, border) {
		if i := in.find(p); i >= 0 && i != at {
			at = i
			if docs++; docs >= least {
				return true
			}
		}
	}
	return false
}

// rankedCollocates is the maximum number of ranked collocates.
const rankedCollocates = 1000

// collocates compares the collocates of the queries.
func (x *comparer) collocates(ctx context.Context) error {
	list, err := x.asked(x.cfg.Collocates, x.cfg.CollocateQueries)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		x.out.CollocatesChosen = true
		for _, w := range x.companions {
			word := x.vocabulary.word(w.keys[0])
			list = append(list, phrase{word, x.cql([]string{word})})
		}
	}
	x.out.Within = x.cfg.Within
	if has := func(c *Corpus) bool { return slices.Contains(c.Structs(), "s") }; x.cfg.Within == "" && has(x.before) && has(x.after) {
		x.out.Within = "s"
	}
	if x.out.Within == "-" {
		x.out.Within = ""
	}
	cfg := CollocationConfig{
		Attr: x.attr, Fold: x.fold, Words: true, From: x.cfg.From, To: x.cfg.To, Within: x.out.Within,
		Sort: x.cfg.Measure, Limit: rankedCollocates,
	}
	for _, w := range list {
		b, err := x.before.Collocations(ctx, w.cql, cfg)
		if err != nil {
			return err
		}
		a, err := x.after.Collocations(ctx, w.cql, cfg)
		if err != nil {
			return err
		}
		x.out.Measure = Measures[b.Sort].Key
		x.out.Collocates = append(x.out.Collocates, CollocateChange{
			Query: w.name, CQL: w.cql, BeforeHits: b.Hits, AfterHits: a.Hits,
			Before: ranked(b, a, x.cfg.Rows), After: ranked(a, b, x.cfg.Rows),
		})
	}
	return nil
}

// ranked returns the first rows of one with their ranks in other.
func ranked(one, other *Collocations, rows int) (out []RankedCollocate) {
	at := map[string]int{}
	for i, r := range other.Rows {
		at[r.Word] = i + 1
	}
	for i, r := range one.Rows[:min(rows, len(one.Rows))] {
		c := RankedCollocate{Word: r.Word, Rank: i + 1, OtherRank: at[r.Word], Hits: r.Hits, Score: r.Scores[one.Sort]}
		if c.OtherRank > 0 {
			c.OtherScore = other.Rows[c.OtherRank-1].Scores[other.Sort]
		}
		out = append(out, c)
	}
	return out
}

package sketch

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"chaffinch/corpus"
)

// Operations of shards on sketches.
const (
	opHeads  corpus.Op = "sketch-heads"  // Items: a word; key: headwords of it; N: 1, frequency; text: headword without the part of speech
	opSketch corpus.Op = "sketch"        // Items: a headword; Names: relations; With: collocates that restrict it
	opTotals corpus.Op = "sketch-totals" // Items: words; N: instances as a collocate, frequency in the whole corpus
	opNames  corpus.Op = "sketch-names"  // key: number and name of a relation; N: 1
)

func init() {
	corpus.RegisterOp(opHeads, askHeads)
	corpus.RegisterOp(opSketch, askSketch)
	corpus.RegisterOp(opTotals, askTotals)
	corpus.RegisterOp(opNames, askNames)
}

// askHeads returns the headwords of a word: the value itself, or each lempos of the lemma.
func askHeads(ctx context.Context, c *corpus.Corpus, r *corpus.Request, out *corpus.Counts) error {
	s, err := openShard(c, r, out)
	if err != nil {
		return err
	}
	word, ids := r.Items[0][0], []uint32(nil)
	if id, ok := s.key.ID(word); ok {
		ids = append(ids, id)
	}
	if s.meta.Attr == "lempos" {
		ids = append(ids, s.key.Lempos(word)...)
	}
	out.Rows = listed(ctx, len(ids), func(i int) (corpus.Row, bool) {
		word := s.key.Word(ids[i])
		return corpus.Row{Key: []string{word}, N: []int64{1, s.key.Freq(ids[i])}, Text: []string{s.bare(word)}}, s.span(ids[i]) > 0
	})
	return nil
}

// askNames returns the relations. A shard without sketches has none.
func askNames(ctx context.Context, c *corpus.Corpus, _ *corpus.Request, out *corpus.Counts) error {
	s, err := Open(c)
	if errors.Is(err, ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	list := s.Relations()
	out.Rows = listed(ctx, len(list), func(i int) (corpus.Row, bool) {
		return corpus.Row{Key: []string{relationKey(i), list[i].Name}, N: []int64{1}}, true
	})
	return nil
}

// openShard opens the sketches of a shard for a request with one item, as openLabelled does.
func openShard(c *corpus.Corpus, r *corpus.Request, out *corpus.Counts) (*Sketches, error) {
	if len(r.Items) != 1 {
		return nil, fmt.Errorf("operation %s: %d items, wanted 1", r.Op, len(r.Items))
	}
	return openLabelled(c, out)
}

// openLabelled opens the sketches of a shard. The labels of the answer are the grammar, which must be the
// same in all shards.
func openLabelled(c *corpus.Corpus, out *corpus.Counts) (*Sketches, error) {
	s, err := Open(c)
	if err != nil {
		return nil, err
	}
	for i, x := range s.meta.Relations {
		out.Labels = append(out.Labels, fmt.Sprint(i, x))
	}
	return s, nil
}

// listed yields n rows, except the ones for which ok is false.
func listed(ctx context.Context, n int, row func(i int) (r corpus.Row, ok bool)) iter.Seq2[corpus.Row, error] {
	return func(yield func(corpus.Row, error) bool) {
		for i := range n {
			if r, ok := row(i); ok && !yield(r, ctx.Err()) {
				return
			}
		}
	}
}

func askTotals(ctx context.Context, c *corpus.Corpus, r *corpus.Request, out *corpus.Counts) error {
	s, err := Open(c)
	if err != nil {
		return err
	}
	total, err := s.totalsOf(ctx)
	if err != nil {
		return err
	}
	out.Rows = listed(ctx, len(r.Items), func(i int) (corpus.Row, bool) {
		n := []int64{0, 0}
		if id, ok := s.key.ID(r.Items[i][0]); ok {
			n[0], n[1] = total(id), s.key.Freq(id)
		}
		return corpus.Row{N: n}, true
	})
	return nil
}

// askSketch returns the counts of a headword. A row without a key has its tokens. A row with a
// relation and the value of label 3 has the instances of the relation, also in the whole corpus with
// all tokens of the headword, and its description. A row with a collocate too has the instances with it.
func askSketch(ctx context.Context, c *corpus.Corpus, r *corpus.Request, out *corpus.Counts) error {
	s, err := openShard(c, r, out)
	if err != nil {
		return err
	}
	id, ok := s.key.ID(r.Items[0][0])
	if !ok || s.span(id) == 0 {
		return nil
	}
	freq, err := s.freq(ctx, id)
	if err != nil {
		return err
	}
	hits := freq
	h, err := s.head(ctx, r.Items[0][0], r.With)
	if bad := (*corpus.ConfigError)(nil); errors.As(err, &bad) && bad.Field == "With" && !errors.Is(err, errWith) {
		if h, err = s.head(ctx, r.Items[0][0], nil); err == nil {
			h.only = map[uint32]bool{} // no instance here
		}
	}
	if err != nil {
		return err
	}
	if h.only != nil {
		hits = int64(len(h.only))
	}
	rows := []corpus.Row{{Key: []string{"", "", ""}, N: []int64{freq, hits}}}
	for i := range h.parts {
		p := &h.parts[i]
		if !s.shows(p, h.bare, r.Names) {
			continue
		}
		list, total, err := s.counted(h, p)
		if err != nil {
			return err
		}
		third, relation := s.thirdOf(p), relationKey(p.relation)
		x := &s.meta.Relations[p.relation]
		rows = append(rows, corpus.Row{Key: []string{relation, third, ""}, N: []int64{total, p.total},
			Text: []string{s.fill(p.relation, p.third, "%w"), x.Unimap, x.Page, fmt.Sprint(x.Unary), relationKey(s.rank(p.relation))}})
		if !x.Unary {
			for _, e := range list {
				rows = append(rows, corpus.Row{Key: []string{relation, third, s.key.Word(e.coll)}, N: []int64{e.count, 0}})
			}
		}
	}
	slices.SortFunc(rows, func(a, b corpus.Row) int { return slices.Compare(a.Key, b.Key) })
	out.Rows = listed(ctx, len(rows), func(i int) (corpus.Row, bool) { return rows[i], true })
	return nil
}

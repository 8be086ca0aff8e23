package sketch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chaffinch/corpus"
)

// Operations of shards on sketches.
const (
	opHeads  corpus.Op = "sketch-heads"  // Items: words; N: 1 if the word has a sketch, frequency
	opSketch corpus.Op = "sketch"        // Items: a headword; Names: relations; With: collocates that restrict it
	opTotals corpus.Op = "sketch-totals" // Items: words; N: instances as a collocate
)

func init() {
	corpus.RegisterOp(opHeads, askHeads)
	corpus.RegisterOp(opSketch, askSketch)
	corpus.RegisterOp(opTotals, askTotals)
}

// each answers a request with a row for each item.
func each(r *corpus.Request, out *corpus.Counts, row func(word string) []int64) {
	out.Rows = func(yield func(corpus.Row, error) bool) {
		for _, item := range r.Items {
			if !yield(corpus.Row{N: row(item[0])}, nil) {
				return
			}
		}
	}
}

func askHeads(_ context.Context, c *corpus.Corpus, r *corpus.Request, out *corpus.Counts) error {
	s, err := Open(c)
	if err != nil {
		return err
	}
	each(r, out, func(word string) []int64 {
		id, ok := s.key.ID(word)
		if !ok {
			return []int64{0, 0}
		}
		return []int64{int64(min(s.span(id), 1)), s.key.Freq(id)}
	})
	return nil
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
	each(r, out, func(word string) []int64 {
		id, ok := s.key.ID(word)
		if !ok {
			return []int64{0}
		}
		return []int64{total(id)}
	})
	return nil
}

// askSketch returns the counts of a headword. A row without a key has its tokens. A row with a
// relation and the value of label 3 has the instances of the relation, also in the whole corpus with
// all tokens of the headword, and its description. A row with a collocate too has the instances with it.
func askSketch(ctx context.Context, c *corpus.Corpus, r *corpus.Request, out *corpus.Counts) error {
	if len(r.Items) != 1 {
		return fmt.Errorf("operation %s: %d items, wanted 1", r.Op, len(r.Items))
	}
	s, err := Open(c)
	if err != nil {
		return err
	}
	for i, x := range s.meta.Relations { // all shards must have the same grammar
		out.Labels = append(out.Labels, fmt.Sprint(i, x))
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
	c2 := (*corpus.ConfigError)(nil)
	if errors.As(err, &c2) && c2.Field == "With" && !errors.Is(err, errWith) {
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
		third := ""
		if a := s.third[p.relation]; a != nil && p.third > 0 {
			third = a.Word(p.third - 1)
		}
		relation := fmt.Sprintf("%05d", p.relation)
		x := &s.meta.Relations[p.relation]
		rows = append(rows, corpus.Row{Key: []string{relation, third, ""}, N: []int64{total, p.total},
			Text: []string{s.fill(p.relation, p.third, h.bare), x.Unimap, x.Page, fmt.Sprint(x.Unary), fmt.Sprintf("%05d", s.rank(p.relation))}})
		if !x.Unary {
			for _, e := range list {
				rows = append(rows, corpus.Row{Key: []string{relation, third, s.key.Word(e.coll)}, N: []int64{e.count, 0}})
			}
		}
	}
	slices.SortFunc(rows, func(a, b corpus.Row) int { return slices.Compare(a.Key, b.Key) })
	out.Rows = func(yield func(corpus.Row, error) bool) {
		for _, row := range rows {
			if !yield(row, ctx.Err()) {
				return
			}
		}
	}
	return nil
}

// OfShards returns the sketch of a headword over shards, as [Sketches.Word] does for one index. All
// shards must have sketches by the same grammar.
func OfShards(ctx context.Context, c *corpus.Shards, word string, cfg Config) (*Sketch, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	head, also, err := findHead(ctx, c, word)
	if err != nil {
		return nil, err
	}
	rows, err := c.Sums(ctx, &corpus.Request{Op: opSketch, Items: [][]string{{head}}, Names: cfg.Relations, With: cfg.With})
	if err != nil {
		return nil, err
	}
	out := &Sketch{Word: head, Also: also, With: cfg.With, Relations: []WordRelation{}}
	var ranks []string
	var totals []int64          // of relations, in the order of ranks
	var scored []*WordCollocate // collocates without a score
	for row, err := range rows {
		switch {
		case err != nil:
			return nil, err
		case row.Key[0] == "":
			out.Freq, out.Hits = row.N[0], row.N[1]
		case row.Key[2] == "" && len(row.Text) == 5:
			t := row.Text
			out.Relations = append(out.Relations, WordRelation{Name: t[0], Unimap: t[1], Page: t[2], Hits: row.N[0], Unary: t[3] == "true", Collocates: []WordCollocate{}})
			ranks, totals = append(ranks, t[4]), append(totals, row.N[1])
		default:
			r := &out.Relations[len(out.Relations)-1]
			if r.Types++; row.N[0] >= cfg.MinHits {
				r.Collocates = append(r.Collocates, WordCollocate{Word: row.Key[2], Hits: row.N[0]})
			}
		}
	}
	if len(cfg.With) > 0 && out.Hits == 0 {
		return nil, &corpus.ConfigError{Field: "With", Err: fmt.Errorf("with: no instance of %s with %s", head, strings.Join(cfg.With, " and "))}
	}
	var words [][]string
	for i := range out.Relations {
		r := &out.Relations[i]
		r.Percent = 100 * float64(r.Hits) / float64(max(out.Hits, 1))
		for j := range r.Collocates {
			scored, words = append(scored, &r.Collocates[j]), append(words, []string{r.Collocates[j].Word})
		}
	}
	all := make([]int64, len(words))
	if err := c.Figures(ctx, corpus.Request{Op: opTotals}, words, func(i int, n []int64) { all[i] = n[0] }); err != nil {
		return nil, err
	}
	k := 0
	for i := range out.Relations {
		r := &out.Relations[i]
		for range r.Collocates {
			scored[k].Score = LogDice(scored[k].Hits, r.Hits, all[k])
			k++
		}
		sortCollocates(r.Collocates, cfg.Sort)
		if cfg.Limit > 0 && len(r.Collocates) > cfg.Limit {
			r.Collocates = r.Collocates[:cfg.Limit]
		}
	}
	order := make([]int, len(ranks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(ranks[a], ranks[b]), cmp.Compare(totals[b], totals[a]))
	})
	list := []WordRelation{}
	for _, i := range order {
		if r := out.Relations[i]; r.Hits > 0 && (r.Unary || len(r.Collocates) > 0) {
			list = append(list, r)
		}
	}
	if out.Relations = list; len(cfg.Relations) > 0 && len(order) == 0 {
		return nil, &corpus.ConfigError{Field: "Relations", Err: fmt.Errorf("no relation %q of %s", strings.Join(cfg.Relations, ", "), head)}
	}
	return out, nil
}

// findHead finds a headword: the word itself, or the most frequent lempos with this lemma.
func findHead(ctx context.Context, c *corpus.Shards, word string) (head string, also []string, err error) {
	type candidate struct {
		word string
		freq int64
	}
	for _, w := range []string{word, strings.ToLower(word)} {
		items := [][]string{{w}}
		for letter := 'a'; letter <= 'z'; letter++ {
			items = append(items, []string{w + "-" + string(letter)})
		}
		var found []candidate
		err := c.Figures(ctx, corpus.Request{Op: opHeads}, items, func(i int, n []int64) {
			if n[0] > 0 {
				found = append(found, candidate{items[i][0], n[1]})
			}
		})
		if err != nil {
			return "", nil, err
		}
		if len(found) > 0 && found[0].word == w {
			return w, nil, nil
		}
		slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(b.freq, a.freq) })
		for i, x := range found {
			if i > 0 {
				also = append(also, x.word)
			}
		}
		if len(found) > 0 {
			return found[0].word, also, nil
		}
	}
	return "", nil, &UnknownWordError{word, "lempos"}
}

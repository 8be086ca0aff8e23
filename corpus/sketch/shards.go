package sketch

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chaffinch/corpus"
)

// shardsHead is a headword with its counts in all shards.
type shardsHead struct {
	word, bare string
	also       []string
	freq, hits int64
	relations  []shardsRelation // by relation and value of label 3
}

// shardsRelation is a relation of a headword, with its counts in all shards.
type shardsRelation struct {
	id           [2]string // relation and value of label 3
	name         string    // with %w
	unimap, page string
	unary        bool
	rank         string
	hits, total  int64 // of the part, and of the whole corpus
	collocates   []WordCollocate
}

// headOf returns a headword and its counts.
func headOf(ctx context.Context, c *corpus.Shards, word string, with []string) (*shardsHead, error) {
	h, err := findHead(ctx, c, word)
	if err != nil {
		return nil, err
	}
	rows, err := c.Sums(ctx, &corpus.Request{Op: opSketch, Items: [][]string{{h.word}}, With: with})
	if err != nil {
		return nil, err
	}
	for row, err := range rows {
		switch {
		case err != nil:
			return nil, err
		case row.Key[0] == "":
			h.freq, h.hits = row.N[0], row.N[1]
		case row.Key[2] == "" && len(row.Text) == 5:
			t := row.Text
			h.relations = append(h.relations, shardsRelation{id: [2]string(row.Key), name: t[0], unimap: t[1], page: t[2], unary: t[3] == "true", rank: t[4], hits: row.N[0], total: row.N[1]})
		case len(h.relations) == 0:
			return nil, fmt.Errorf("corpus %s: a collocate of %s without a relation: %q", c.Dir(), h.word, row.Key)
		default:
			r := &h.relations[len(h.relations)-1]
			r.collocates = append(r.collocates, WordCollocate{Word: row.Key[2], Hits: row.N[0]})
		}
	}
	slices.SortStableFunc(h.relations, func(a, b shardsRelation) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.total, a.total))
	})
	return h, nil
}

// findHead finds a headword: the word itself, or the most frequent lempos with this lemma.
func findHead(ctx context.Context, c *corpus.Shards, word string) (*shardsHead, error) {
	for _, w := range []string{word, strings.ToLower(word)} {
		rows, err := c.Sums(ctx, &corpus.Request{Op: opHeads, Items: [][]string{{w}}})
		if err != nil {
			return nil, err
		}
		var found []shardsHead
		for row, err := range rows {
			if err != nil {
				return nil, err
			}
			found = append(found, shardsHead{word: row.Key[0], bare: strings.Join(row.Text, ""), freq: row.N[1]})
		}
		// A shard without the word itself returns its lempos values.
		if i := slices.IndexFunc(found, func(h shardsHead) bool { return h.word == w }); i >= 0 {
			return &found[i], nil
		}
		if len(found) == 0 {
			continue
		}
		slices.SortStableFunc(found, func(a, b shardsHead) int { return cmp.Compare(b.freq, a.freq) })
		for _, x := range found[1:] {
			found[0].also = append(found[0].also, x.word)
		}
		return &found[0], nil
	}
	return nil, &UnknownWordError{Word: word, Attr: "lempos"}
}

// shows reports whether a relation has one of the names, or no name is given.
func (r *shardsRelation) shows(bare string, names []string) bool {
	return len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return isNamed(r.name, r.unimap, bare, n) })
}

// unknown returns an error if relations were named and the headword has none of them at all.
func (h *shardsHead) unknown(names []string) error {
	if slices.ContainsFunc(h.relations, func(r shardsRelation) bool { return r.shows(h.bare, names) }) || len(names) == 0 {
		return nil
	}
	return &corpus.ConfigError{Field: "Relations", Err: fmt.Errorf("no relation %q of %s", strings.Join(names, ", "), h.word)}
}

// totalsIn returns f(*,*,w2), the instances of each collocate of the headwords in all shards.
func totalsIn(ctx context.Context, c *corpus.Shards, heads ...*shardsHead) (map[string]int64, error) {
	all := map[string]int64{}
	var words [][]string
	for _, h := range heads {
		for _, r := range h.relations {
			for _, x := range r.collocates {
				if _, ok := all[x.Word]; !ok {
					all[x.Word] = 0
					words = append(words, []string{x.Word})
				}
			}
		}
	}
	err := c.Figures(ctx, corpus.Request{Op: opTotals}, words, func(i int, n []int64) { all[words[i][0]] = n[0] })
	return all, err
}

// Of returns the sketch of a headword. All shards of a corpus must have sketches by the same grammar.
func Of(ctx context.Context, c corpus.Source, word string, cfg Config) (*Sketch, error) {
	if shards, ok := c.(*corpus.Shards); ok {
		return ofShards(ctx, shards, word, cfg)
	}
	s, err := Open(c.(*corpus.Corpus))
	if err != nil {
		return nil, err
	}
	return s.Word(ctx, word, cfg)
}

// DiffOf compares the sketches of two headwords, as [Sketches.Diff] does.
func DiffOf(ctx context.Context, c corpus.Source, first, second string, cfg Config) (*Diff, error) {
	if shards, ok := c.(*corpus.Shards); ok {
		return diffOfShards(ctx, shards, first, second, cfg)
	}
	s, err := Open(c.(*corpus.Corpus))
	if err != nil {
		return nil, err
	}
	return s.Diff(ctx, first, second, cfg)
}

// ThesaurusOf lists the headwords that share most contexts with a headword, as [Sketches.Thesaurus] does.
func ThesaurusOf(ctx context.Context, c corpus.Source, word string, cfg ThesaurusConfig) (*Thesaurus, error) {
	if shards, ok := c.(*corpus.Shards); ok {
		return thesaurusOfShards(ctx, shards, word, cfg)
	}
	s, err := Open(c.(*corpus.Corpus))
	if err != nil {
		return nil, err
	}
	return s.Thesaurus(ctx, word, cfg)
}

// ofShards returns the sketch of a headword over shards, as [Sketches.Word] does for one index.
func ofShards(ctx context.Context, c *corpus.Shards, word string, cfg Config) (*Sketch, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	h, err := headOf(ctx, c, word, cfg.With)
	if err != nil {
		return nil, err
	}
	if len(cfg.With) > 0 && h.hits == 0 {
		return nil, &corpus.ConfigError{Field: "With", Err: fmt.Errorf("with: no instance of %s with %s", h.word, strings.Join(cfg.With, " and "))}
	}
	if err := h.unknown(cfg.Relations); err != nil {
		return nil, err
	}
	h.relations = slices.DeleteFunc(h.relations, func(r shardsRelation) bool { return r.hits == 0 || !r.shows(h.bare, cfg.Relations) })
	total, err := totalsIn(ctx, c, h)
	if err != nil {
		return nil, err
	}
	out := &Sketch{Word: h.word, Freq: h.freq, Also: h.also, With: cfg.With, Hits: h.hits, Relations: []WordRelation{}}
	for _, r := range h.relations {
		w := WordRelation{Name: strings.ReplaceAll(r.name, "%w", h.bare), Unimap: r.unimap, Page: r.page, Hits: r.hits,
			Percent: 100 * float64(r.hits) / float64(max(h.hits, 1)), Unary: r.unary, Types: len(r.collocates), Collocates: []WordCollocate{}}
		for _, x := range r.collocates {
			if x.Hits >= cfg.MinHits {
				x.Score = LogDice(x.Hits, r.hits, total[x.Word])
				w.Collocates = append(w.Collocates, x)
			}
		}
		w.Collocates = cfg.first(w.Collocates)
		if r.unary || len(w.Collocates) > 0 {
			out.Relations = append(out.Relations, w)
		}
	}
	return out, nil
}

// diffOfShards compares the sketches of two headwords over shards, as [Sketches.Diff] does for one index.
func diffOfShards(ctx context.Context, c *corpus.Shards, first, second string, cfg Config) (*Diff, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	var heads [2]*shardsHead
	for i, word := range []string{first, second} {
		var err error
		if heads[i], err = headOf(ctx, c, word, nil); err != nil {
			return nil, err
		}
	}
	a, b := heads[0], heads[1]
	if a.word == b.word {
		return nil, &corpus.ConfigError{Field: "Second", Err: fmt.Errorf("%s twice, wanted two different words", a.word)}
	}
	if err := a.unknown(cfg.Relations); err != nil && b.unknown(cfg.Relations) != nil {
		return nil, err
	}
	total, err := totalsIn(ctx, c, a, b)
	if err != nil {
		return nil, err
	}
	out := &Diff{First: a.word, Second: b.word, Freqs: [2]int64{a.freq, b.freq}, Relations: []DiffRelation{}}
	for _, x := range pairsOf(heads) {
		r := cmp.Or(x[0], x[1])
		if r.unary || !r.shows(a.bare, cfg.Relations) && !r.shows(b.bare, cfg.Relations) {
			continue
		}
		d := DiffRelation{Name: strings.ReplaceAll(r.name, "%w", a.bare+"/"+b.bare), Unimap: r.unimap}
		at := map[string]int{}
		var list []DiffCollocate
		for i, y := range x {
			if y == nil {
				continue
			}
			d.Hits[i] = y.hits
			for _, w := range y.collocates {
				k, ok := at[w.Word]
				if !ok {
					k = len(list)
					at[w.Word], list = k, append(list, DiffCollocate{Word: w.Word})
				}
				list[k].Hits[i], list[k].Scores[i] = w.Hits, LogDice(w.Hits, y.hits, total[w.Word])
			}
		}
		if d.Collocates = grouped(list, cfg); len(d.Collocates) > 0 {
			out.Relations = append(out.Relations, d)
		}
	}
	return out, nil
}

// pairsOf pairs the relations of two headwords, in the order in which they are shown.
func pairsOf(heads [2]*shardsHead) (out [][2]*shardsRelation) {
	at := map[[2]string]int{}
	for i, h := range heads {
		for j := range h.relations {
			r := &h.relations[j]
			k, ok := at[r.id]
			if !ok {
				k = len(out)
				at[r.id], out = k, append(out, [2]*shardsRelation{})
			}
			out[k][i] = r
		}
	}
	sum := func(x [2]*shardsRelation) (n int64) {
		for _, r := range x {
			if r != nil {
				n += r.total
			}
		}
		return n
	}
	slices.SortStableFunc(out, func(x, y [2]*shardsRelation) int {
		return cmp.Or(cmp.Compare(cmp.Or(x[0], x[1]).rank, cmp.Or(y[0], y[1]).rank), cmp.Compare(sum(y), sum(x)))
	})
	return out
}

// RelationsOf returns the names of the relations of shards; none if a shard has no sketches.
func RelationsOf(ctx context.Context, c *corpus.Shards) (names []string, err error) {
	shards := int64(len(c.Tokens()))
	rows, err := c.Sums(ctx, &corpus.Request{Op: opNames})
	if err != nil {
		return nil, err
	}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		if row.N[0] == shards {
			names = append(names, row.Key[1])
		}
	}
	return names, nil
}

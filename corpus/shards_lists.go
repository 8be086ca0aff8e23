package corpus

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
)

// Breakdown divides the corpus by an attribute of a structure, as [Corpus.Breakdown] does.
func (s *Shards) Breakdown(ctx context.Context, attr string) ([]ValueSize, error) {
	rows, err := s.rows(ctx, &Request{Op: OpParts, By: attr})
	if err != nil {
		return nil, err
	}
	var out []ValueSize
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		out = append(out, ValueSize{row.Key[0], row.N[0], row.N[1]})
	}
	slices.SortFunc(out, func(a, b ValueSize) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Value, b.Value))
	})
	return out, nil
}

// Freqs counts the hits of a query, as [Corpus.Freqs] does.
func (s *Shards) Freqs(ctx context.Context, cql string, cfg FreqConfig) (*Freqs, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	all, err := s.ask(ctx, &Request{Op: OpFreqs, Query: cql, Freqs: &cfg})
	if err != nil {
		return nil, err
	}
	hits := hitsOf(all)
	out := &Freqs{By: cfg.By, Tokens: s.Size(), Hits: hits, Parts: all[0].Parts}
	order, err := freqOrder(cfg.Sort, out.Parts)
	if err != nil {
		return nil, inField("Sort", err)
	}
	part, sizes := -1, map[string]int64{}
	if out.Parts {
		part = slices.IndexFunc(cfg.By, func(by string) bool {
			of, _, dotted := strings.Cut(by, ".")
			return dotted && !slices.Contains(all[0].Labels, of)
		})
		list, err := s.Breakdown(ctx, cfg.By[part])
		if err != nil {
			return nil, err
		}
		rest := out.Tokens
		for _, x := range list {
			sizes[x.Value] = x.Tokens
			if x.Value != "" {
				rest -= x.Tokens
			}
		}
		sizes[""] = rest
	}
	best := top[FreqRow]{ends: newDeadline(ctx), limit: cfg.Limit, compare: order}
	for r, err := range s.merged(ctx, all) {
		if err != nil {
			return nil, err
		}
		n := r.N[0]
		if n < cfg.MinHits {
			continue
		}
		out.Types++
		row := FreqRow{Values: r.Key, Hits: n}
		if out.Parts {
			row.PartTokens = sizes[r.Key[part]]
		}
		row.measure(out)
		best.add(row)
	}
	out.Rows = best.sorted()
	return out, best.ends.Err()
}

// Collocations counts the words around hits, as [Corpus.Collocations] does.
func (s *Shards) Collocations(ctx context.Context, cql string, cfg CollocationConfig) (*Collocations, error) {
	sort, err := cfg.measure()
	if err != nil {
		return nil, err
	}
	all, err := s.ask(ctx, &Request{Op: OpCollocates, Query: cql, Collocations: &cfg})
	if err != nil {
		return nil, err
	}
	out := &Collocations{Tokens: s.Size(), Hits: hitsOf(all), Sort: sort}
	minHits, minFreq := cmp.Or(cfg.MinHits, 3), cmp.Or(cfg.MinFreq, 5)
	var words [][]string
	var counts []int64
	for r, err := range s.merged(ctx, all) {
		if err != nil {
			return nil, err
		}
		if r.N[0] >= minHits {
			words, counts = append(words, r.Key), append(counts, r.N[0])
		}
	}
	best := top[Collocate]{ends: newDeadline(ctx), limit: cfg.Limit, compare: func(a, b Collocate) int {
		return cmp.Or(cmp.Compare(b.Scores[sort], a.Scores[sort]), cmp.Compare(b.Hits, a.Hits), strings.Compare(a.Word, b.Word))
	}}
	ask := Request{Op: OpFrequencies, Words: &WordListConfig{Attr: cfg.Attr, Fold: cfg.Fold}}
	err = s.items(ctx, ask, words, nil, func(i int, rows []Row) error {
		f := int64(0)
		for _, r := range rows {
			f += r.N[0]
		}
		if f < minFreq {
			return nil
		}
		out.Types++
		x := Collocate{Word: words[i][0], Hits: counts[i], Freq: f, Scores: make([]float64, len(Measures))}
		for k, m := range Measures {
			x.Scores[k] = m.Score(float64(x.Hits), float64(f), float64(out.Hits), float64(out.Tokens))
		}
		best.add(x)
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Rows = best.sorted()
	return out, best.ends.Err()
}

// shardsOf returns a source as shards.
func shardsOf(ctx context.Context, src Source) (*Shards, error) {
	if s, ok := src.(*Shards); ok {
		return s, nil
	}
	// The part of a corpus is a shard without a condition.
	return NewShards(ctx, src.Dir(), []Shard{src})
}

// joinKeys yields the rows of a focus, with their count in a reference as the second number.
func joinKeys(focus, reference iter.Seq2[Row, error]) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if reference == nil {
			reference = listed[Row](nil)
		}
		next, stop := iter.Pull2(reference)
		defer stop()
		ref, err, more := next()
		for row, e := range focus {
			for e == nil && err == nil && more && slices.Compare(ref.Key, row.Key) < 0 {
				ref, err, more = next()
			}
			if e = cmp.Or(e, err); e != nil {
				yield(Row{}, e)
				return
			}
			n := int64(0)
			if more && slices.Equal(ref.Key, row.Key) {
				n = ref.N[0]
			}
			if !yield(Row{Key: row.Key, N: []int64{row.N[0], n}}, nil) {
				return
			}
		}
	}
}

// FindKeywordsIn is like [FindKeywords] for any sources.
func FindKeywordsIn(ctx context.Context, focus, reference Source, cfg KeywordConfig) (*Keywords, error) {
	f, one := focus.(*Corpus)
	r, two := reference.(*Corpus)
	if one && two {
		return FindKeywords(ctx, f, r, cfg)
	}
	out := &Keywords{Tokens: focus.Size(), RefTokens: reference.Size()}
	rows, err := joinedRows(ctx, focus, reference, &Request{Op: OpWords, Words: cfg.words()})
	if err != nil {
		return nil, err
	}
	return out, out.fill(ctx, rows, cfg)
}

// words returns the settings of the list of words that are compared.
func (cfg KeywordConfig) words() *WordListConfig {
	return &WordListConfig{Attr: cfg.Attr, Fold: cfg.Fold, Pattern: cfg.Pattern, Words: cfg.Words, NGram: cfg.NGram, Within: cfg.Within}
}

// fill adds the rows with the highest scores. rows have the frequencies in both corpora.
func (k *Keywords) fill(ctx context.Context, rows iter.Seq2[Row, error], cfg KeywordConfig) error {
	if err := k.configure(cfg); err != nil {
		return err
	}
	score := KeynessMeasures[k.Sort].Score
	best := top[countedWord]{ends: newDeadline(ctx), limit: cfg.Limit, compare: compareScores}
	for row, err := range rows {
		if err != nil {
			return err
		}
		x := countedWord{tokens: row.Key, f1: row.N[0], f2: row.N[1]}
		if x.f1 < max(cfg.MinFreq, 1) || cfg.MaxFreq > 0 && x.f1 > cfg.MaxFreq {
			continue
		}
		k.Types++
		x.score = score(x.f1, k.Tokens, x.f2, k.RefTokens, k.Smoothing)
		best.add(x)
	}
	for _, x := range best.sorted() {
		k.Rows = append(k.Rows, k.row(x.tokens, x.f1, x.f2))
	}
	return best.ends.Err()
}

// joinedRows asks both sources the same, and joins their rows. reference may be nil.
func joinedRows(ctx context.Context, focus, reference Source, r *Request) (iter.Seq2[Row, error], error) {
	var both [2]iter.Seq2[Row, error]
	for i, src := range []Source{focus, reference} {
		if src == nil {
			continue
		}
		s, err := shardsOf(ctx, src)
		if err != nil {
			return nil, err
		}
		if both[i], err = s.rows(ctx, r); err != nil {
			return nil, err
		}
	}
	return joinKeys(both[0], both[1]), nil
}

package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
)

// Search returns a concordance, as [Query.Concordance] does.
func (s *Shards) Search(ctx context.Context, cql string, cfg ConcordanceConfig) (*Concordance, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if len(cfg.Aligned) > 0 {
		return nil, inField("Aligned", errors.New("translations over shards are not available: name one of the shards"))
	}
	if cfg.Good != nil {
		cfg.Sample = cmp.Or(cfg.Sample, scoredMatches)
	}
	k := &Concordance{cfg: cfg, Total: -1, Shown: -1, of: concordanceOf{query: cql, corpus: s.name, where: s.where, tokens: s.Size()}}
	ask := cfg // the shards cut wide lines to the context of one line
	if cfg.Width > 0 {
		ask.Context = max(cfg.Context, cfg.Width)
	}
	ask.Width, ask.Color, ask.Uncounted, ask.Sample, ask.First, ask.Good = 0, false, true, 0, 0, nil
	counts, err := s.hitCounts(ctx, cql, &cfg)
	if err != nil {
		return nil, err
	}
	first, err := s.head(ctx, cql, ask)
	if err != nil {
		return nil, err
	}
	k.of.query, k.of.labels = first.CQL, first.Labels
	if counts != nil {
		k.Total = 0
		for _, n := range counts {
			k.Total += n
		}
		if k.Shown = max(k.Total-int64(cfg.First), 0); cfg.Sample > 0 {
			k.Shown = max(min(k.Total, int64(cfg.Sample))-int64(cfg.First), 0)
		}
		if cfg.Limit > 0 {
			k.Shown = min(k.Shown, int64(cfg.Limit))
		}
	}
	k.PerMillion = PerMillion(max(k.Total, 0), k.of.tokens)
	var numbers [][]int64
	if cfg.Sample > 0 {
		numbers = sampled(counts, cfg.Sample, cfg.Seed)
	}
	if cfg.Good != nil {
		return k, s.examples(ctx, k, cql, ask, cfg, numbers)
	}
	k.lines = func(ctx context.Context) iter.Seq2[Line, error] {
		if len(cfg.Sort) > 0 || numbers != nil {
			return s.sortedLines(ctx, cql, ask, cfg, numbers)
		}
		return s.linesInOrder(ctx, cql, ask, cfg, counts)
	}
	return k, nil
}

// head checks a query and its settings on the first shard.
func (s *Shards) head(ctx context.Context, cql string, ask ConcordanceConfig) (*Counts, error) {
	ask.Sort, ask.Limit = nil, 1
	c, err := s.askOne(ctx, 0, &Request{Op: OpHits, Query: cql, Hits: &ask})
	if errors.As(err, new(*SyntaxError)) || errors.As(err, new(*ConfigError)) {
		return nil, err // the same for all shards
	}
	if err != nil {
		return nil, s.failed(0, err)
	}
	for _, err := range c.Rows { // an answer over the network ends when it is read
		if err != nil {
			return nil, s.failed(0, err)
		}
	}
	return c, nil
}

// hitCounts returns the number of hits of each shard, or nil if they are not needed.
func (s *Shards) hitCounts(ctx context.Context, cql string, cfg *ConcordanceConfig) ([]int64, error) {
	if cfg.Uncounted && cfg.First == 0 && cfg.Sample == 0 && len(cfg.Sort) == 0 {
		return nil, nil
	}
	all, err := s.counts(ctx, cql)
	if err != nil {
		return nil, err
	}
	counts := make([]int64, len(all))
	for i, c := range all {
		counts[i] = c.Hits
	}
	return counts, nil
}

// sampled returns the numbers of the hits of each shard in the sample that one index would draw.
func sampled(counts []int64, size int, seed uint64) [][]int64 {
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	r := newReservoir[int64](size, seed)
	for i := range total {
		r.add(i)
	}
	chosen := r.items
	slices.Sort(chosen)
	out := make([][]int64, len(counts))
	before := int64(0)
	for i, n := range counts {
		out[i] = []int64{}
		for len(chosen) > 0 && chosen[0] < before+n {
			out[i], chosen = append(out[i], chosen[0]-before), chosen[1:]
		}
		before += n
	}
	return out
}

// linesInOrder yields lines in the order of the shards.
func (s *Shards) linesInOrder(ctx context.Context, cql string, ask, cfg ConcordanceConfig, counts []int64) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		skip, left := int64(cfg.First), cfg.Limit
		for i := range s.shards {
			if counts != nil && skip >= counts[i] {
				skip -= counts[i]
				continue
			}
			mine := ask
			mine.First, mine.Limit = int(skip), left
			skip = 0
			c, err := s.askOne(ctx, i, &Request{Op: OpHits, Query: cql, Hits: &mine, Before: s.before(i)})
			if err != nil {
				yield(Line{}, s.failed(i, err))
				return
			}
			for row, err := range c.Rows {
				if err != nil {
					yield(Line{}, s.failed(i, err))
					return
				}
				l, err := s.line(i, row, cfg)
				if !yield(l, err) || err != nil {
					return
				}
				if left--; left == 0 {
					return
				}
			}
			if left < 0 {
				left = 0 // no limit
			}
		}
	}
}

// sortedLines yields lines in the order of their sort keys, or the lines with the numbers of a sample.
func (s *Shards) sortedLines(ctx context.Context, cql string, ask, cfg ConcordanceConfig, numbers [][]int64) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		if ask.Limit > 0 {
			ask.Limit += cfg.First
		}
		all, err := s.askEach(ctx, func(i int) *Request {
			r := &Request{Op: OpHits, Query: cql, Hits: &ask, Before: s.before(i)}
			if numbers != nil {
				if r.Numbers = numbers[i]; len(r.Numbers) == 0 {
					return nil
				}
			}
			return r
		})
		if err != nil {
			yield(Line{}, err)
			return
		}
		n := 0
		for row, err := range s.ordered(ctx, all) {
			if err == nil && n < cfg.First {
				n++
				continue
			}
			l := Line{}
			if err == nil {
				l, err = s.line(row.shard, row.Row, cfg)
			}
			if !yield(l, err) || err != nil {
				return
			}
			if n++; n == cfg.First+cfg.Limit && cfg.Limit > 0 {
				return
			}
		}
	}
}

// line returns the line of a row of shard i.
func (s *Shards) line(i int, row Row, cfg ConcordanceConfig) (Line, error) {
	if len(row.N) < 2 || len(row.Text) != 3+len(cfg.Refs) {
		return Line{}, s.failed(i, fmt.Errorf("a hit with %d numbers and %d texts", len(row.N), len(row.Text)))
	}
	before := s.tokensBefore(i)
	l := Line{Left: row.Text[0], Text: row.Text[1], Right: row.Text[2]}
	if len(cfg.Refs) > 0 {
		l.Refs = slices.Clone(row.Text[3:])
	}
	l.Start, l.End = row.N[0]+before, row.N[1]+before
	for _, p := range row.N[2:] {
		if p >= 0 {
			p += before
		}
		l.Labels = append(l.Labels, p)
	}
	return l, nil
}

// Bins counts hits in parts of the corpus, as [Corpus.Bins] does.
func (s *Shards) Bins(ctx context.Context, cql string, bins int) ([]int64, error) {
	all, err := s.askEach(ctx, func(i int) *Request {
		return &Request{Op: OpBins, Query: cql, Bins: bins, Total: s.tokensBefore(len(s.sizes)), Before: s.before(i)}
	})
	if err != nil {
		return nil, err
	}
	out := make([]int64, bins)
	return out, s.eachRow(all, func(_ int, row Row) error {
		if len(row.N) != bins {
			return fmt.Errorf("%d parts (wanted %d)", len(row.N), bins)
		}
		for k, n := range row.N {
			out[k] += n
		}
		return nil
	})
}

package corpus

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// askSentences returns the sentences of hits, selected by number. A row without numbers is a hit that is no
// example.
func (q *Query) askSentences(ctx context.Context, r *Request, out *Counts) error {
	cfg := *r.Hits
	cfg.Good = nil
	k, err := q.concordance(cfg)
	if err != nil {
		return err
	}
	if k.unit == nil {
		return cfg.checkGood()
	}
	if err := k.pick(ctx, r.Numbers); err != nil {
		return err
	}
	out.Rows = func(yield func(Row, error) bool) {
		for _, m := range k.spans {
			row := Row{}
			if x, ok := q.c.sentenceOf(m, k.unit); ok {
				row.N = []int64{int64(x.Start), int64(x.End), x.doc}
				row.Text = append([]string{x.Lang}, x.Words...)
			}
			if !yield(row, ctx.Err()) {
				return
			}
		}
	}
	return nil
}

// examples selects the examples of a concordance, as [Concordance.examples] does. numbers are the sampled
// hits of each shard.
func (s *Shards) examples(ctx context.Context, k *Concordance, cql string, ask, cfg ConcordanceConfig, numbers [][]int64) error {
	if err := cfg.checkGood(); err != nil {
		return err
	}
	list, hits, err := s.sentences(ctx, cql, ask, numbers)
	if err != nil {
		return err
	}
	rare, err := s.rareWords(ctx, list, cfg.Good.Rare.Common)
	if err != nil {
		return err
	}
	rated := make([]scored, len(list))
	for i := range list {
		rated[i] = list[i].rate(i, cfg.Good, rare)
	}
	chosen, err := chooseExamples(ctx, rated, &cfg)
	if err != nil {
		return err
	}
	chosen = chosen[min(cfg.First, len(chosen)):]
	k.Shown = int64(len(chosen))
	k.lines = func(ctx context.Context) iter.Seq2[Line, error] {
		return s.exampleLines(ctx, cql, ask, cfg, chosen, hits)
	}
	return nil
}

// shardHit is a hit by its number in a shard.
type shardHit struct {
	shard  int
	number int64
}

// sentences returns the sentences of hits, and the hit of each.
func (s *Shards) sentences(ctx context.Context, cql string, ask ConcordanceConfig, numbers [][]int64) (list []exampleSentence, hits []shardHit, err error) {
	ask.Limit = 0
	all, err := s.askEach(ctx, func(i int) *Request {
		if len(numbers[i]) == 0 {
			return nil
		}
		return &Request{Op: OpSentences, Query: cql, Hits: &ask, Numbers: numbers[i]}
	})
	if err != nil {
		return nil, nil, err
	}
	for i, c := range all {
		if c == nil {
			continue
		}
		docs, n := s.before(i)["doc"], 0
		for row, err := range c.Rows {
			if err == nil && (n == len(numbers[i]) || len(row.N) > 0 && (len(row.N) != 3 || len(row.Text) == 0)) {
				err = fmt.Errorf("sentence %d of %d, with %d numbers", n+1, len(numbers[i]), len(row.N))
			}
			if err != nil {
				return nil, nil, s.failed(i, err)
			}
			if n++; len(row.N) == 0 {
				continue
			}
			x := exampleSentence{doc: row.N[2]}
			x.Start, x.End, x.Lang, x.Words = int(row.N[0]), int(row.N[1]), row.Text[0], row.Text[1:]
			if x.Start < 0 || x.End < x.Start || x.End > len(x.Words) {
				return nil, nil, s.failed(i, fmt.Errorf("a match from word %d to %d in a sentence of %d words", x.Start, x.End, len(x.Words)))
			}
			if x.doc >= 0 {
				x.doc += docs
			}
			list, hits = append(list, x), append(hits, shardHit{i, numbers[i][n-1]})
		}
	}
	return list, hits, nil
}

// rareWords returns a function that reports whether a word of the sentences is rare in all shards.
func (s *Shards) rareWords(ctx context.Context, list []exampleSentence, common int) (func(word string) bool, error) {
	freq := map[string]int64{}
	var words []string
	for _, x := range list {
		for _, word := range x.Words {
			for _, w := range []string{word, strings.ToLower(word)} {
				if _, ok := freq[w]; !ok {
					freq[w] = 0
					words = append(words, w)
				}
			}
		}
	}
	freqs, err := s.Frequencies(ctx, "", words)
	if err != nil {
		return nil, err
	}
	for i, n := range freqs {
		freq[words[i]] = n
	}
	least, err := s.rareBelow(ctx, common)
	return func(word string) bool { return max(freq[word], freq[strings.ToLower(word)]) < least }, err
}

// rareBelow returns the lowest frequency that at most common words reach, and remembers it.
func (s *Shards) rareBelow(ctx context.Context, common int) (int64, error) {
	s.known.mu.Lock()
	defer s.known.mu.Unlock()
	if f, ok := s.known.rare[common]; ok {
		return f, nil
	}
	rows, err := s.Whole().rows(ctx, &Request{Op: OpWords, Words: &WordListConfig{Within: "-"}})
	if err != nil {
		return 0, err
	}
	with := make([]int, maxCounted+1)
	for row, err := range rows {
		if err != nil {
			return 0, err
		}
		with[min(row.N[0], maxCounted)]++
	}
	f := lowestCommon(with, common)
	s.known.rare = map[int]int64{common: f} // configurations rarely change
	return f, nil
}

// exampleLines yields the lines of examples in the order of their scores.
func (s *Shards) exampleLines(ctx context.Context, cql string, ask, cfg ConcordanceConfig, chosen []scored, hits []shardHit) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		numbers := make([][]int64, len(s.shards))
		order := make([]int, len(chosen)) // places in chosen in the order of the hits
		for i := range chosen {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(chosen[a].at, chosen[b].at) })
		for _, i := range order {
			h := hits[chosen[i].at]
			numbers[h.shard] = append(numbers[h.shard], h.number)
		}
		lines := make([]Line, 0, len(chosen))
		ask.Limit, cfg.First, cfg.Limit = 0, 0, 0
		for l, err := range s.sortedLines(ctx, cql, ask, cfg, numbers) {
			if err == nil && len(lines) == len(chosen) {
				err = fmt.Errorf("corpus %s: more than %d examples", s.name, len(chosen))
			}
			if err != nil {
				yield(Line{}, err)
				return
			}
			lines = append(lines, l)
		}
		if len(lines) != len(chosen) {
			yield(Line{}, fmt.Errorf("corpus %s: %d lines of %d examples: was a shard changed?", s.name, len(lines), len(chosen)))
			return
		}
		sorted := make([]Line, len(lines))
		for k, i := range order {
			sorted[i] = lines[k]
			sorted[i].Score = chosen[i].score
		}
		for _, l := range sorted {
			if !yield(l, nil) {
				return
			}
		}
	}
}

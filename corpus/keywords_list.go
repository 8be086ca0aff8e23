package corpus

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"strings"
)

// listTokens is the nominal size of a frequency list in words.
const listTokens = 100_000_000

// FindKeywordsAgainst returns the words that a corpus uses more than a frequency list does. perMillion
// holds the frequencies of lower-case words, as package model/data/frequencies returns them; an
// apostrophe in them is straight.
//
// Only tokens with a letter are compared, and case is ignored. The list counts as a reference of
// 100,000,000 words. A word that is not in the list counts as often as the rarest word of the list,
// and a compound with hyphens as its rarest part: the score is a lower bound.
func FindKeywordsAgainst(ctx context.Context, focus Source, perMillion map[string]float64, cfg KeywordConfig) (*Keywords, error) {
	if cfg.NGram > 1 {
		return nil, inField("NGram", errors.New("a frequency list has single words (wanted length 1)"))
	}
	cfg.Fold, cfg.Words = true, true
	all := *cfg.words()
	all.Pattern, all.Limit = "", 1
	size, err := focus.WordList(ctx, all)
	if err != nil {
		return nil, err
	}
	s, err := shardsOf(ctx, focus)
	if err != nil {
		return nil, err
	}
	rows, err := s.rows(ctx, &Request{Op: OpWords, Words: cfg.words()})
	if err != nil {
		return nil, err
	}
	out := &Keywords{Tokens: size.Hits, RefTokens: listTokens}
	return out, out.fill(ctx, besides(rows, perMillion), cfg)
}

// besides adds the frequencies of a list to the rows of a corpus.
func besides(rows iter.Seq2[Row, error], perMillion map[string]float64) iter.Seq2[Row, error] {
	rarest := math.Inf(1)
	for _, f := range perMillion {
		rarest = min(rarest, f)
	}
	frequency := func(word string) float64 {
		word = strings.TrimSuffix(strings.ReplaceAll(word, "’", "'"), ".")
		if f, ok := perMillion[word]; ok {
			return f
		}
		f := math.Inf(1)
		for _, part := range strings.Split(word, "-") {
			f = min(f, cmp.Or(perMillion[part], rarest))
		}
		return f
	}
	return func(yield func(Row, error) bool) {
		for row, err := range rows {
			if err == nil {
				row.N = []int64{row.N[0], int64(math.Round(frequency(row.Key[0]) * listTokens / 1e6))}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}

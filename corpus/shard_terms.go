package corpus

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chaffinch/internal/timecheck"
)

// askTerms counts terms.
func (c *Corpus) askTerms(ctx context.Context, r *Request, out *Counts) error {
	cfg := *r.Terms
	if _, _, err := c.classes(cfg.Tag); err != nil {
		return inField("Tag", err)
	}
	out.Rows = func(yield func(Row, error) bool) {
		if err := c.eachTerm(ctx, cfg, yield); err != nil {
			yield(Row{}, err)
		}
	}
	return nil
}

// eachTerm yields the terms with their frequencies, in the order of their words.
func (c *Corpus) eachTerm(ctx context.Context, cfg TermConfig, yield func(Row, error) bool) error {
	v, sorted, err := sortTerms(ctx, cfg, []*Corpus{c})
	if err != nil {
		return err
	}
	defer sorted.Close()
	in, err := sorted.Open()
	if err != nil {
		return err
	}
	w := timecheck.New(ctx)
	for {
		if err := w.Done(termRecord); err != nil {
			return err
		}
		rec, err := in.Next()
		if err != nil || rec == nil {
			return err
		}
		x := decodeTerm(rec)
		if !yield(Row{Key: v.list(x.term()), N: []int64{x.f1}}, nil) {
			return nil
		}
	}
}

// askForms counts the forms of terms.
func (c *Corpus) askForms(ctx context.Context, r *Request, out *Counts) error {
	v, err := r.Terms.vocabulary(ctx, c)
	if err != nil {
		return err
	}
	number := map[[maxNGram]uint32]int{}
	for i, item := range r.Items {
		keys, ok := noKeys, true
		for k := 0; ok && k < len(item); k++ {
			keys[k], ok = v.key(item[k])
		}
		if ok {
			number[keys] = i
		}
	}
	forms, err := c.termForms(ctx, v, *r.Terms, maps.Keys(number))
	if err != nil {
		return err
	}
	var rows []Row
	for keys, f := range forms {
		for form, n := range f.all {
			rows = append(rows, Row{Key: []string{fmt.Sprintf("%05d", number[keys]), form}, N: []int64{n, f.base[form]}})
		}
	}
	return out.sorted(ctx, rows)
}

// askEpochs returns for each item its hits at each of the times.
func (c *Corpus) askEpochs(ctx context.Context, r *Request, out *Counts) error {
	v, l, err := c.lister(ctx, *r.Words)
	if err != nil {
		return err
	}
	of, err := c.values(ctx, r.By)
	if err != nil {
		return err
	}
	e := &epochOf{s: of.s, of: of.of, epoch: make([]int, len(of.sizes))}
	for i, s := range of.sizes {
		e.epoch[i] = -1
		if t, ok := timeOf(s.Value); ok {
			if k, ok := slices.BinarySearch(r.Times, t); ok {
				e.epoch[i] = k
			}
		}
	}
	row := make([]uint32, v.len()) // index in words of each key, from 1
	words := make([]wordTrend, 0, len(r.Items))
	index := make([]int, len(r.Items))
	for i, item := range r.Items {
		index[i] = -1
		if k, ok := v.key(item[0]); ok {
			if row[k] == 0 {
				words = append(words, wordTrend{key: k, hits: make([]uint32, len(r.Times))})
				row[k] = uint32(len(words))
			}
			index[i] = int(row[k]) - 1
		}
	}
	if err := l.c.addHits(ctx, v, e, row, words); err != nil {
		return err
	}
	out.Rows = func(yield func(Row, error) bool) {
		for _, i := range index {
			row := Row{N: make([]int64, len(r.Times))}
			if i >= 0 {
				for k, n := range words[i].hits {
					row.N[k] = int64(n)
				}
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	return nil
}

// countedWord is a word or n-gram with its frequencies in two corpora.
type countedWord struct {
	tokens []string
	f1, f2 int64
	score  float64
}

// compareScores compares by score, frequency and words.
func compareScores(a, b countedWord) int {
	if d := cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.f1, a.f1)); d != 0 {
		return d
	}
	return strings.Compare(strings.Join(a.tokens, " "), strings.Join(b.tokens, " "))
}

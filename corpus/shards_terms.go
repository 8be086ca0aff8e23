package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// FindTermsIn is like [FindTerms] for any sources. reference may be nil.
func FindTermsIn(ctx context.Context, focus, reference Source, cfg TermConfig) (*Terms, error) {
	f, one := focus.(*Corpus)
	r, two := reference.(*Corpus)
	if one && (two || reference == nil) {
		return FindTerms(ctx, f, r, cfg)
	}
	out, err := newTerms(focus, reference, cfg)
	if err != nil {
		return nil, err
	}
	rows, err := joinedRows(ctx, focus, reference, &Request{Op: OpTerms, Terms: &cfg})
	if err != nil {
		return nil, err
	}
	best := top[countedWord]{ends: newDeadline(ctx), limit: cfg.Limit, compare: compareScores}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		x := countedWord{tokens: row.Key, f1: row.N[0], f2: row.N[1]}
		if x.f1 < cmp.Or(cfg.MinFreq, 3) {
			continue
		}
		out.Types++
		x.score = out.score(x.f1, x.f2)
		best.add(x)
	}
	found := best.sorted()
	forms, err := formsOf(ctx, focus, cfg, found)
	if err != nil {
		return nil, err
	}
	for i, x := range found {
		out.add(strings.Join(x.tokens, " "), &forms[i], x.f1, x.f2, x.score)
	}
	return out, best.ends.Err()
}

// formsOf returns the forms of terms.
func formsOf(ctx context.Context, focus Source, cfg TermConfig, found []countedWord) ([]formCounts, error) {
	s, err := shardsOf(ctx, focus)
	if err != nil {
		return nil, err
	}
	out := make([]formCounts, len(found))
	for from := 0; from < len(found); from += atOnceItems {
		r := &Request{Op: OpForms, Terms: &cfg}
		for _, x := range found[from:min(from+atOnceItems, len(found))] {
			r.Items = append(r.Items, x.tokens)
		}
		rows, err := s.rows(ctx, r)
		if err != nil {
			return nil, err
		}
		for row, err := range rows {
			if err != nil {
				return nil, err
			}
			i, err := strconv.Atoi(row.Key[0])
			if err != nil || i < 0 || i >= len(r.Items) || len(row.Key) != 2 || len(row.N) != 2 {
				return nil, fmt.Errorf("corpus %s: forms of %q of %d terms", s.name, row.Key, len(r.Items))
			}
			f := &out[from+i]
			if f.all == nil {
				f.all, f.base = map[string]int64{}, map[string]int64{}
			}
			if f.all[row.Key[1]] = row.N[0]; row.N[1] > 0 {
				f.base[row.Key[1]] = row.N[1]
			}
		}
	}
	return out, nil
}

// Trends finds words whose frequency rises or falls, as [Corpus.Trends] does.
func (s *Shards) Trends(ctx context.Context, cfg TrendConfig) (*Trends, error) {
	if cfg.By == "" {
		return nil, inField("By", errors.New("no attribute with the time: name one, such as doc.year"))
	}
	sizes, err := s.Breakdown(ctx, cfg.By)
	if err != nil {
		return nil, inField("By", err)
	}
	out := &Trends{By: cfg.By}
	if err := out.addEpochs(sizes, s.Size()); err != nil {
		return nil, inField("By", err)
	}
	least := cmp.Or(cfg.MinFreq, 20)
	words := &WordListConfig{Attr: cfg.Attr, Fold: cfg.Fold, Pattern: cfg.Pattern, Words: cfg.Words}
	rows, err := s.rows(ctx, &Request{Op: OpWords, Words: words})
	if err != nil {
		return nil, err
	}
	var items [][]string
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		if row.N[0] >= least {
			items = append(items, row.Key)
		}
	}
	r := Request{Op: OpEpochs, Words: words, By: cfg.By}
	for _, e := range out.Epochs {
		r.Times = append(r.Times, e.Time)
	}
	var list []wordTrend
	err = s.items(ctx, r, items, nil, func(i int, rows []Row) error {
		t := wordTrend{key: uint32(i), hits: make([]uint32, len(out.Epochs))}
		all := int64(0)
		for _, row := range rows {
			for e, n := range row.N {
				t.hits[e] += uint32(n)
				all += n
			}
		}
		if all >= max(least, 1) {
			list = append(list, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out.test(ctx, cfg, slices.Clip(list), func(key uint32) string { return items[key][0] })
}

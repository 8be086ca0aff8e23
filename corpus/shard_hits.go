package corpus

import (
	"context"
	"fmt"
	"strings"
)

// askHits returns hits with their text: selected by number, sorted, or in corpus order. The key of a
// row holds its sort keys, N the first token, the token after the last, and the labels.
func (q *Query) askHits(ctx context.Context, r *Request, out *Counts) error {
	cfg := *r.Hits
	cfg.Sample, cfg.Good = 0, nil
	k, err := q.concordance(cfg)
	if err != nil {
		return err
	}
	k.before = r.Before
	keys, err := q.c.sortKeys(ctx, cfg.Sort)
	if err != nil {
		return inField("Sort", err)
	}
	switch {
	case r.Numbers != nil:
		if err = k.pick(ctx, r.Numbers); err == nil && len(keys) > 0 {
			k.spans, err = sortMatches(ctx, k.spans, keys, k.last())
		}
	case len(keys) > 0:
		err = k.sort(ctx, keys)
	}
	if err != nil {
		return err
	}
	if k.spans == nil {
		k.Shown = -1 // not counted
	} else {
		if cfg.Limit > 0 {
			k.spans = k.spans[:min(len(k.spans), k.last())]
		}
		k.Shown = int64(len(k.spans))
		out.Hits = k.Total
	}
	out.Rows = func(yield func(Row, error) bool) {
		for l, err := range k.Lines(ctx) {
			if err != nil {
				yield(Row{}, err)
				return
			}
			row := Row{N: append([]int64{l.Start, l.End}, l.Labels...), Text: append([]string{l.Left, l.Text, l.Right}, l.Refs...)}
			for _, name := range cfg.Sort {
				row.Key = append(row.Key, q.c.sortText(name, l.Match, r.Before))
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	return nil
}

// pick collects the matches with these numbers, in ascending order.
func (k *Concordance) pick(ctx context.Context, numbers []int64) error {
	k.spans = []Match{}
	for m, err := range k.q.Matches(ctx) {
		if err != nil {
			return err
		}
		if len(numbers) == 0 {
			break
		}
		if k.Total == numbers[0] {
			k.spans, numbers = append(k.spans, m), numbers[1:]
		}
		k.Total++
	}
	return nil
}

// sortText returns a sort key of a match as text. Texts of different shards compare as the keys of one
// index do.
func (c *Corpus) sortText(name string, m Match, before map[string]int64) string {
	f := c.Folded()
	var words []string
	switch name {
	case "left":
		for p := m.Start; p > c.leftEnd(m.Start); p-- {
			words = append(words, f.Word(f.At(p-1)))
		}
	case "right":
		for p := m.End; p < c.rightEnd(m.End); p++ {
			words = append(words, f.Word(f.At(p)))
		}
	case "match":
		for p := m.Start; p < m.End; p++ {
			words = append(words, f.Word(f.At(p)))
		}
	default:
		r, err := c.ref(name)
		if err != nil {
			return ""
		}
		i, ok := r.s.Find(m.Start)
		switch {
		case !ok:
			return ""
		case r.a == nil:
			return fmt.Sprintf("\x01%020d", before[r.s.name]+int64(i))
		}
		b := r.a.bytes(r.a.At(int64(i)))
		return "\x01" + string(appendLower(nil, b)) + "\x00" + string(b)
	}
	return strings.Join(words, "\x00")
}

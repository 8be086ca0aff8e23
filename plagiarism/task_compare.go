package plagiarism

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"chaffinch/internal/table"
)

// CompareMethods searches with every method, column and similarity, each with
// its defaults; columns that no token has are left out. The best ones by F1 come
// first. threshold, if set, is that of all.
func CompareMethods(ctx context.Context, essays *Essays, allAuthors bool, threshold *float64) ([]*Result, error) {
	var out []*Result
	for c := range numColumns {
		if essays.Has[c] == 0 {
			continue
		}
		for m := range numMethods {
			cfg := TaskDefaults(m, c, Symmetric)
			cfg.AllAuthors = allAuthors
			x, err := newTaskIndex(ctx, essays.All, cfg)
			if err != nil {
				return nil, err
			}
			for s := range numSimilarities {
				x.cfg = TaskDefaults(m, c, s)
				x.cfg.AllAuthors = allAuthors
				if threshold != nil {
					x.cfg.Threshold = *threshold
				}
				x.invert()
				r, err := x.result(ctx)
				if err != nil {
					return nil, err
				}
				out = append(out, r)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *Result) int { return cmp.Compare(b.F1(), a.F1()) })
	return out, nil
}

// WriteComparison writes a table of results, one a line.
func WriteComparison(w io.Writer, results []*Result) error {
	t := table.New("method", "column", "similarity", ">k", ">threshold", ">precision", ">recall", ">F1")
	for _, r := range results {
		two := func(x float64) string { return fmt.Sprintf("%.2f", x) }
		t.Add(r.Config.Method.String(), r.Config.Column.String(), r.Config.Similarity.String(), fmt.Sprint(r.Config.K), two(r.Config.Threshold),
			two(r.Precision()), two(r.Recall()), two(r.F1()))
	}
	b := bufio.NewWriter(w)
	if err := t.Write(b, ""); err != nil {
		return err
	}
	return b.Flush()
}

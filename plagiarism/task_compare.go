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

// CompareConfig configures the comparison of methods. Empty lists mean all.
type CompareConfig struct {
	Methods      []Method
	Columns      []Column
	Similarities []Similarity
	// AllAuthors is as in [TaskConfig].
	AllAuthors bool
	// Threshold, if set, replaces the default thresholds of all methods.
	Threshold *float64
}

// CompareMethods searches with every method, column and similarity of cfg, each with
// its defaults. Columns without values are skipped. Results are sorted by descending
// F1.
func CompareMethods(ctx context.Context, essays *Essays, cfg CompareConfig) ([]*Result, error) {
	var out []*Result
	for _, c := range orAll(cfg.Columns, numColumns) {
		if essays.Has[c] == 0 {
			continue
		}
		for _, m := range orAll(cfg.Methods, numMethods) {
			task := TaskDefaults(m, c, Symmetric)
			task.AllAuthors = cfg.AllAuthors
			x, err := newTaskIndex(ctx, essays.All, task)
			if err != nil {
				return nil, err
			}
			for _, s := range orAll(cfg.Similarities, numSimilarities) {
				x.cfg = TaskDefaults(m, c, s)
				x.cfg.AllAuthors = cfg.AllAuthors
				if cfg.Threshold != nil {
					x.cfg.Threshold = *cfg.Threshold
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

// orAll returns the chosen values, or all values from 0 to n-1 if none are chosen.
func orAll[T ~uint8](chosen []T, n T) []T {
	if len(chosen) > 0 {
		return chosen
	}
	all := make([]T, n)
	for i := range all {
		all[i] = T(i)
	}
	return all
}

// WriteComparison writes a table of results, one per line.
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

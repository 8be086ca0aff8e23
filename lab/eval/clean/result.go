package clean

import (
	"context"
	"math"

	"chaffinch/internal/parallel"
	"chaffinch/lab/eval/stats"
)

// Result holds the scores of one system on one set.
type Result struct {
	Set, System string
	// Field and Value identify the pages of a group, such as "page_type" and "forum"; "" for all
	// pages. Of is then the name of the set without the group.
	Field, Value, Of string
	// Scores holds the scores of the pages in the order of the set.
	Scores []*Score
	// Folds is [Output.Folds].
	Folds map[string]int
	// Values holds one value for each of [Metrics] that applies.
	Values map[string]Value
	// Notes are remarks for readers of the figures.
	Notes []string
}

// Value is a figure with its confidence interval. The bounds are NaN without resampling.
type Value struct{ Value, Low, High float64 }

// Config configures [Measure].
type Config struct {
	// Samples is the number of bootstrap samples for the intervals, 0 for no intervals.
	Samples int `json:"samples"`
	// Level is the confidence level of the intervals.
	Level float64 `json:"level"`
	// Seed seeds the samples.
	Seed uint64 `json:"seed"`
	// Workers is the number of pages measured concurrently. Default: one per core. The figures do
	// not depend on it.
	Workers int `json:"-"`
}

// Default is the default Config of the command.
var Default = Config{Samples: 1000, Level: 0.95, Seed: 1}

// Measure scores the output of a system on all pages of s.
func Measure(ctx context.Context, s *Set, o *Output, cfg Config) (*Result, error) {
	r := &Result{Set: s.Name, System: o.Name, Scores: make([]*Score, len(s.Pages)), Folds: o.Folds, Notes: o.Notes}
	classified, tables := false, false
	for _, p := range o.Pages {
		classified, tables = classified || p.Classified, tables || p.Tables != nil
	}
	err := each(ctx, len(s.Pages), cfg.Workers, func(i int) {
		g := s.Pages[i]
		p, ok := o.Pages[g.ID]
		p.Missing, p.Classified = !ok, classified
		r.Scores[i] = g.measure(p)
		if tables {
			r.Scores[i].Tables = measureTables(s.Name, g.ID, p.Tables)
		}
	})
	if err != nil {
		return nil, err
	}
	r.Values = summarise(r.Scores, cfg)
	return r, nil
}

// each calls fn for 0 to n-1 on several goroutines until ctx is done.
func each(ctx context.Context, n, workers int, fn func(i int)) error {
	parallel.Each(workers, n, func(i int) {
		if ctx.Err() == nil {
			fn(i)
		}
	})
	return ctx.Err()
}

// summarise computes every metric that applies to the scores, with intervals by the percentile
// bootstrap over pages.
func summarise(scores []*Score, cfg Config) map[string]Value {
	out := make(map[string]Value, len(Metrics))
	if len(scores) == 0 {
		return out
	}
	var live []Metric
	for _, m := range Metrics {
		if v := m.Overall(scores); !math.IsNaN(v) {
			out[m.Name] = Value{v, math.NaN(), math.NaN()}
			live = append(live, m)
		}
	}
	if cfg.Samples <= 0 {
		return out
	}
	samples := make([][]*Score, 0, cfg.Samples)
	stats.Resample(len(scores), cfg.Samples, cfg.Seed, func(at []int) {
		s := make([]*Score, len(at))
		for i, k := range at {
			s[i] = scores[k]
		}
		samples = append(samples, s)
	})
	values := make([]Value, len(live))
	each(context.Background(), len(live), cfg.Workers, func(i int) {
		m := live[i]
		drawn := make([]float64, 0, len(samples))
		for _, s := range samples {
			if v := m.Overall(s); !math.IsNaN(v) {
				drawn = append(drawn, v)
			}
		}
		v := out[m.Name]
		v.Low, v.High = stats.Interval(drawn, cfg.Level)
		values[i] = v
	})
	for i, m := range live {
		out[m.Name] = values[i]
	}
	return out
}

// Comparison is a paired comparison of two systems on one metric.
type Comparison struct {
	Metric Metric
	// Set is the name of the set, A and B the names of the systems.
	Set, A, B string
	// Pages is the number of pages with a value for both systems.
	Pages int
	// Difference is the mean of A minus B over these pages. Better and Worse count the pages on
	// which A is above and below B.
	Difference    float64
	Better, Worse int
	Wilcoxon, T   stats.Test
}

// Compare compares two results on the same set page by page, for each main metric that applies to
// both. Pooled metrics are compared by their values for single pages.
func Compare(a, b *Result) []Comparison {
	var out []Comparison
	for _, m := range Metrics {
		if !m.Main || m.Page == nil || m.Name == "wM_f" { // by page, w_f is the same
			continue
		}
		c := Comparison{Metric: m, Set: a.Set, A: a.System, B: b.System}
		var diffs []float64
		for i := range a.Scores {
			d := m.Page(a.Scores[i]) - m.Page(b.Scores[i])
			if math.IsNaN(d) {
				continue
			}
			diffs = append(diffs, d)
			if d > 0 {
				c.Better++
			} else if d < 0 {
				c.Worse++
			}
		}
		if len(diffs) == 0 {
			continue
		}
		c.Pages = len(diffs)
		c.Difference = stats.Mean(diffs)
		c.Wilcoxon, c.T = stats.SignedRank(diffs), stats.PairedT(diffs)
		out = append(out, c)
	}
	return out
}

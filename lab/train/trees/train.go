package trees

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"chaffinch/internal/boost"
)

// Train fits a forest to the targets, 0..1, of the rows of m with the given weights, 0 or more; a
// nil weight means weights of 1. It uses only the given features.
//
// base holds the initial log odds, one per row; the forest is then added to the model that computed
// them. If nil, the forest starts from the mean of the targets.
//
// progress, if not nil, is called after each tree. If ctx is done, Train returns its error.
func Train(ctx context.Context, cfg Config, m *boost.Matrix, features []boost.Feature, target, weight, base []float32, progress func(done, total int)) (*boost.Forest, error) {
	t, err := newTrainer(m, features, target, weight, base, cfg)
	if err != nil {
		return nil, err
	}
	for n := range cfg.Trees {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("trees: after %d of %d trees: %w", n, cfg.Trees, err)
		}
		if !t.grow(n) {
			break
		}
		if progress != nil {
			progress(n+1, cfg.Trees)
		}
	}
	return boost.NewForest(t.features, t.trees, t.prior), nil
}

// trainer is the state between trees.
type trainer struct {
	cfg      Config
	m        *boost.Matrix
	features []boost.Feature
	cols     [][]uint8 // values by feature and row
	bins     []int     // values of a feature are below bins
	target   []float32
	weight   []float32
	prior    float32
	score    []float32 // log odds by row
	g, h     []float32 // first (negative) and second derivatives by row
	leaves   []uint8   // leaf of each row in the current tree

	// The sample for the current tree in the order of rows.
	drawn []int32 // rows with gaps between chunks
	rows  []int32
	gh    []int64 // steps of g in the upper half, of h in the lower
	leaf  []uint8
	gauge gauge

	some counted // the rows to count at the current level
	half counted // buffers for them

	hists   [][]int64 // by chosen feature: cell (leaf<<binBits | bin)
	scratch [][]int64 // by worker: counted halves of leaves
	sums    [][]leafSum

	trees []boost.Tree
	gain  []float64 // by feature
}

func newTrainer(m *boost.Matrix, features []boost.Feature, target, weight, base []float32, cfg Config) (*trainer, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	cfg.Workers = cmp.Or(cfg.Workers, runtime.GOMAXPROCS(0))
	if err := m.Check(); err != nil {
		return nil, err
	}
	n := m.Rows
	if n == 0 || int64(n) > math.MaxInt32 {
		return nil, fmt.Errorf("trees: %d rows, wanted 1 to %d", n, math.MaxInt32)
	}
	if len(features) == 0 {
		return nil, errors.New("trees: no features")
	}
	for i, f := range features {
		if f.Col < 0 || f.Col >= len(m.Cols) || f.Shift < -boost.Pad || f.Shift > boost.Pad {
			return nil, fmt.Errorf("trees: feature %d is column %d shifted by %d, wanted a column below %d, a shift of at most %d", i, f.Col, f.Shift, len(m.Cols), boost.Pad)
		}
	}
	if len(target) != n || weight != nil && len(weight) != n || base != nil && len(base) != n {
		return nil, fmt.Errorf("trees: %d rows with %d targets, %d weights, %d base values: wanted as many of each", n, len(target), len(weight), len(base))
	}
	if weight == nil {
		weight = make([]float32, n)
		for i := range weight {
			weight[i] = 1
		}
	}
	t := &trainer{cfg: cfg, m: m, features: features, target: target, weight: weight,
		score: make([]float32, n), g: make([]float32, n), h: make([]float32, n),
		leaves: make([]uint8, n), gain: make([]float64, len(features)),
		sums: make([][]leafSum, chunkCount(n))}
	var yes, all float64
	for i, w := range weight {
		if y := target[i]; !(y >= 0 && y <= 1) || !(w >= 0) || math.IsInf(float64(w), 1) {
			return nil, fmt.Errorf("trees: row %d: target %v and weight %v, wanted 0 to 1 and 0 or more", i, y, w)
		}
		yes += float64(float64(w) * float64(target[i]))
		all += float64(w)
	}
	if all == 0 {
		return nil, errors.New("trees: all rows have weight 0")
	}
	if base != nil {
		for i, z := range base {
			if math.IsNaN(float64(z)) || math.IsInf(float64(z), 0) {
				return nil, fmt.Errorf("trees: row %d: base value %v, wanted a finite one", i, z)
			}
		}
		copy(t.score, base)
	} else {
		p := min(max(yes/all, 1e-6), 1-1e-6)
		t.prior = float32(math.Log(p / (1 - p)))
		for i := range t.score {
			t.score[i] = t.prior
		}
	}
	t.columns()
	return t, nil
}

// columns sets the values of the features and their numbers of bins.
func (t *trainer) columns() {
	bins := make([]int, len(t.m.Cols))
	each(t.cfg.Workers, len(bins), func(_, c int) {
		var high uint8
		for _, v := range t.m.Cols[c] {
			high = max(high, v)
		}
		bins[c] = int(high) + 1
	})
	t.cols = make([][]uint8, len(t.features))
	t.bins = make([]int, len(t.features))
	for i, f := range t.features {
		t.cols[i] = f.At(t.m)
		t.bins[i] = bins[f.Col]
	}
}

// grow adds a tree and reports whether it has a gain.
func (t *trainer) grow(n int) bool {
	t.derive()
	t.sample(n)
	levels := t.splits(t.choose(n))
	if len(levels) == 0 {
		return false
	}
	t.trees = append(t.trees, boost.Tree{Levels: levels, Values: t.values(levels)})
	return true
}

// derive computes the derivatives of the loss at the current log odds.
func (t *trainer) derive() {
	chunks(t.cfg.Workers, t.m.Rows, func(_, from, to int) {
		for i := from; i < to; i++ {
			w := t.weight[i]
			if w == 0 {
				continue // stays 0
			}
			p := float32(1 / (1 + math.Exp(-float64(t.score[i]))))
			t.g[i] = w * (t.target[i] - p)
			t.h[i] = w * max(p*(1-p), 1e-6)
		}
	})
}

package labels

import (
	"cmp"
	"context"
	"slices"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/boost"
	"chaffinch/internal/parallel"
	"chaffinch/lab/train/trees"
	"chaffinch/page/weburl/registered"
	"chaffinch/text/label"
)

// forestBins is the maximum number of bins of a column.
const forestBins = 32

// windows holds the columns of the windows of a document for each class.
type windows struct {
	shares  []float32
	columns [][]float32 // by class
}

// windowsOf returns the columns of the last document of a scorer.
func windowsOf(s *label.Scorer, classes int) *windows {
	w := &windows{columns: make([][]float32, classes)}
	var shares []float32
	for c := range classes {
		shares, w.columns[c] = s.Windows(c, nil)
	}
	w.shares = slices.Clone(shares)
	return w
}

// extraFolds returns the fold of each extra document. Without forests it is in none.
func (t *trainer) extraFolds() []int {
	out := make([]int, len(t.extra))
	for i := range out {
		d := &t.extra[i]
		if out[i] = -1; t.cfg.Forest != nil {
			out[i] = int(xxh3.HashStringSeed(cmp.Or(d.Group, registered.Site(d.URL), d.ID), t.cfg.Seed) % uint64(t.cfg.Folds))
		}
	}
	return out
}

// forests trains a forest for each class on held-out linear scores. It replaces the held-out
// scores by the scores of forests of the other folds.
func (t *trainer) forests(ctx context.Context) ([]*label.Forest, error) {
	held, truths, folds := slices.Concat(t.held, t.extraHeld), slices.Concat(t.truths, t.others), slices.Concat(t.fold, t.extraFold)
	docs := slices.Concat(t.found, t.more)
	out := make([]*label.Forest, len(t.classes.names))
	for c := range out {
		for k := -1; k < t.cfg.Folds; k++ {
			p := &forestPart{class: c}
			for i, w := range held {
				if w != nil && folds[i] != k && truths[i][c] >= 0 {
					p.windows = append(p.windows, w)
					p.targets = append(p.targets, float32(truths[i][c]))
					p.weights = append(p.weights, float32(docs[i].weight))
				}
			}
			f, err := p.train(ctx, *t.cfg.Forest)
			if err != nil {
				return nil, err
			}
			if k < 0 {
				out[c] = f
				continue
			}
			for i, w := range t.held {
				if w != nil && t.fold[i] == k {
					t.scores[i][c] = f.Score(w.shares, w.columns[c])
				}
			}
		}
		t.step()
	}
	return out, nil
}

// forestPart holds documents from which a forest learns.
type forestPart struct {
	class            int
	windows          []*windows
	targets, weights []float32
}

func (p *forestPart) train(ctx context.Context, cfg trees.Config) (*label.Forest, error) {
	var rows [][]float32
	var targets, weights []float32
	for i, w := range p.windows {
		for k, share := range w.shares {
			rows = append(rows, w.columns[p.class][k*label.Columns:][:label.Columns])
			targets, weights = append(targets, p.targets[i]), append(weights, p.weights[i]*share)
		}
	}
	all := make([][]float32, label.Columns) // cuts
	m := boost.NewMatrix(len(rows), label.Columns)
	parallel.Each(0, label.Columns, func(c int) {
		values := make([]float32, len(rows))
		for i, r := range rows {
			values[i] = r[c]
		}
		all[c] = trees.Cuts(values, nil, forestBins)
		for i, v := range values {
			m.Cols[c][boost.Pad+i] = boost.Bin(v, all[c])
		}
	})
	var features []boost.Feature
	for c, cuts := range all {
		if len(cuts) > 0 {
			features = append(features, boost.Feature{Col: c})
		}
	}
	forest, err := trees.Train(ctx, cfg, m, features, targets, weights, nil, nil)
	if err != nil {
		return nil, err
	}
	b, err := forest.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	return label.ParseForest(all, b)
}

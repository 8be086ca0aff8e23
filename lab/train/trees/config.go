// Package trees trains the forests of package boost, gradient-boosted oblivious decision trees,
// with [Train] and [TrainClasses].
//
// A forest is a sum of trees, each fitted to the gradient of the loss at the previous sum
// (Friedman, Greedy function approximation: a gradient boosting machine, Ann. Statist. 29, 2001).
//
// The loss of a row with weight w, target y in 0..1 and log odds z is -w (y ln p + (1-y) ln(1-p)),
// p = 1/(1+exp(-z)). Its negative gradient is g = w(y-p), its second derivative h = wp(1-p). With G
// and H their sums in a leaf, the value of the leaf is Rate G/(H+Lambda), a Newton step. A level
// uses the split with the highest sum of G^2/(H+Lambda) over the resulting leaves.
//
// Columns hold bins ([Cuts], boost.Bin), so that a level needs, per feature, only the sums of g and
// h by (leaf, bin): histograms, as in Ke et al., LightGBM: a highly efficient gradient boosting
// decision tree, NeurIPS 2017. Only the smaller of two siblings is counted; the other is the parent
// minus it. A histogram cell is one int64: g in integer steps in the upper half, h in the lower
// one, with steps so small that no sum leaves its half (see gauge). Integer sums do not depend on
// the order, so a forest does not depend on the number of workers, and a row costs one addition per
// feature.
package trees

import (
	"fmt"
	"math"

	"chaffinch/internal/boost"
)

// Config configures the training of a forest.
type Config struct {
	// Trees is the number of trees, Depth the number of their levels, 1 to boost.MaxDepth. Training
	// ends early when no split has a gain.
	Trees, Depth int
	// Rate scales the value of every leaf (shrinkage).
	Rate float64
	// Lambda is added to the sum of second derivatives of a leaf. Larger values shrink the values
	// of leaves of little weight.
	Lambda float64
	// MinWeight is the minimum sum of second derivatives on both sides of a split for a leaf to
	// contribute to its gain.
	MinWeight float64
	// ColSample is the fraction of features sampled for a tree, RowSample the fraction of rows
	// sampled to find its splits, both in (0, 1].
	ColSample, RowSample float64
	// Seed seeds the samples. The forest depends only on the seed and the data.
	Seed uint64
	// Workers is the number of goroutines, 0 for one per processor. The forest does not depend on
	// it.
	Workers int
}

// Check returns an error if the settings are invalid.
func (c Config) Check() error {
	switch {
	case c.Trees < 1:
		return fmt.Errorf("trees: %d trees, wanted at least 1", c.Trees)
	case c.Depth < 1 || c.Depth > boost.MaxDepth:
		return fmt.Errorf("trees: depth %d, wanted 1 to %d", c.Depth, boost.MaxDepth)
	case !(c.Rate > 0) || math.IsInf(c.Rate, 1):
		return fmt.Errorf("trees: rate %v, wanted above 0, such as 0.1", c.Rate)
	case !(c.Lambda >= 0) || math.IsInf(c.Lambda, 1):
		return fmt.Errorf("trees: lambda %v, wanted 0 or more", c.Lambda)
	case !(c.MinWeight >= 0) || math.IsInf(c.MinWeight, 1):
		return fmt.Errorf("trees: minimum weight %v, wanted 0 or more", c.MinWeight)
	case !(c.ColSample > 0 && c.ColSample <= 1):
		return fmt.Errorf("trees: share of columns %v, wanted above 0, at most 1", c.ColSample)
	case !(c.RowSample > 0 && c.RowSample <= 1):
		return fmt.Errorf("trees: share of rows %v, wanted above 0, at most 1", c.RowSample)
	case c.Workers < 0:
		return fmt.Errorf("trees: %d workers, wanted 0 or more", c.Workers)
	}
	return nil
}

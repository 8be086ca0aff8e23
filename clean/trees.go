package clean

// Progress tells how far a step of the training is; it may be called from
// several goroutines.
type Progress func(step string, done, total int)

// TreeConfig says how a forest of boosted trees is trained, for the methods that
// have one.
type TreeConfig struct {
	// Trees is the number of trees, Depth the number of their levels, 1 to 8.
	// Training ends early when no level gains anything.
	Trees, Depth int
	// Rate scales the value of every leaf (shrinkage).
	Rate float64
	// Lambda is added to the sum of second derivatives of a leaf: the larger,
	// the closer to 0 are leaves of little weight.
	Lambda float64
	// MinWeight is the least sum of second derivatives on both sides of a
	// question for a leaf to count towards its gain.
	MinWeight float64
	// ColSample is the share of features that a tree chooses from, RowSample
	// the share of rows of which its questions are found, both in (0, 1].
	ColSample, RowSample float64
	// Seed makes the samples. The same seed makes the same forest.
	Seed uint64
	// Workers is the number of goroutines, 0 for one per processor. It does
	// not change the forest.
	Workers int
}

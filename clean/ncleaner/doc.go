// Package ncleaner tells text from boilerplate by two character n-gram
// models, one of clean and one of dirty text: a segment is kept unless the
// dirty model gives it the higher probability. No markup is looked at beyond
// the segmentation, so that the method also works on text dumps.
//
// The method is that of Stefan Evert, "A lightweight and efficient tool for
// cleaning Web pages", LREC 2008; sections and equations in this package are
// the paper's. Described in docs/ncleaner.md in the order of the code:
// alphabet, counts, probabilities (equation 1), scorers, segments and
// heuristics, labeller, training, tuning.
//
// Unstable: this package may change in any release.
package ncleaner

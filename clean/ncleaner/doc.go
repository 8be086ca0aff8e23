// Package ncleaner separates text from boilerplate by two character n-gram models, one of
// clean and one of dirty text. [New] returns a labeller of pages; [Model.Score] scores a
// segment.
//
// A segment is kept unless it is more probable under the dirty model. Markup is used only to
// split a page into segments, so the method also works on text dumps.
//
// The method is from Stefan Evert, "A lightweight and efficient tool for cleaning Web
// pages", LREC 2008. Sections and equations in this package refer to the paper.
// docs/explanation/ncleaner.md describes the method in the order of the code: alphabet, counts,
// probabilities (equation 1), scorers, segments and heuristics, labeller, training, tuning.
//
// Unstable: this package may change in any release.
package ncleaner

// Package readers contains helpers for readers: [All] for loops over items, [Unexpected] for
// truncated input, and [Until] for cancellation.
package readers

import (
	"io"
	"iter"
)

// All returns an iterator over the results of next until it returns [io.EOF]. Other errors are
// yielded with their values. The iteration continues after errors that continues accepts and ends
// after others.
func All[T any](next func() (T, error), continues func(error) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			v, err := next()
			if err == io.EOF {
				return
			}
			if !yield(v, err) || err != nil && !continues(err) {
				return
			}
		}
	}
}

// Never reports whether reading continues after an error: it does not.
func Never(error) bool { return false }

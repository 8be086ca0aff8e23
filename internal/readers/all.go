// Package readers has what all readers share: loops over their items, an end in the middle,
// and an end with a context.
package readers

import (
	"io"
	"iter"
)

// All ranges over what next returns until it returns [io.EOF]. Every other error
// is handed to the loop, with what came with it; the loop goes on behind those
// that continues accepts, and ends behind the others.
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

// Never accepts no error.
func Never(error) bool { return false }

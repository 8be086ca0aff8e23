package vertical

import (
	"context"
	"errors"

	"chaffinch/pipeline"
)

// errStopped is returned by send when no more items are needed.
var errStopped = errors.New("stopped")

// ordered is a [pipeline.Flow] over the items that produce sends. Its first error stops all
// work by cancelling the context of work.
func ordered[T any](outer context.Context, jobs int, produce func(send func(T) error) error, work func(context.Context, T) error, take func(T) error) error {
	ctx, cancel := context.WithCancel(outer)
	defer cancel()
	ends := func(err error) error {
		if err != nil {
			cancel()
		}
		return err
	}
	return pipeline.Flow[T]{
		Workers: jobs, Ahead: 2,
		Work: func(_ int, v *T) error { return ends(work(ctx, *v)) },
		Use:  func(v *T) error { return ends(take(*v)) },
	}.RunFrom(outer, func(send func(T) bool) error {
		return produce(func(v T) error {
			if !send(v) {
				return errStopped
			}
			return nil
		})
	})
}

package vertical

import (
	"context"

	"chaffinch/internal/panics"
)

// job is a piece of work that [ordered] hands out.
type job[T any] struct {
	item T
	err  error
	done chan struct{}
}

// ordered reads items from produce, which gives each to send, works on several
// at the same time, and hands them to take in the order in which they were sent.
// The first error ends everything.
func ordered[T any](ctx context.Context, jobs int, produce func(send func(T) error) error, work func(context.Context, T) error, take func(T) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	order, free := make(chan *job[T], jobs), make(chan *job[T])
	produced := make(chan error, 1)
	go func() {
		produced <- panics.Catch(func() error {
			return produce(func(item T) error {
				j := &job[T]{item: item, done: make(chan struct{})}
				for _, to := range []chan<- *job[T]{order, free} {
					select {
					case to <- j:
					case <-ctx.Done():
						return ctx.Err()
					}
				}
				return nil
			})
		})
		close(free)
		close(order)
	}()
	for range jobs {
		go func() {
			for j := range free {
				j.err = panics.Catch(func() error { return work(ctx, j.item) })
				close(j.done)
			}
		}()
	}
	for j := range order {
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if j.err != nil {
			return j.err
		}
		if err := take(j.item); err != nil {
			return err
		}
	}
	return <-produced
}

package pipeline

import (
	"cmp"
	"context"
	"io"
	"iter"
	"sync"
	"time"

	"chaffinch/internal/budget"
	"chaffinch/internal/panics"
	"chaffinch/internal/parallel"
)

// Flow reads items, works on several of them at once, and uses them in the order in which
// they were read. It is the engine of [Run] and of everything else that carries records.
//
// Read is called on one goroutine, Work on several, and Use on the goroutine of the caller.
// Items are used again: Read gets one whose buffers may serve the next item, and Use sets it
// to its zero value if it must not hold memory until then. The first error in the order of the
// items ends the flow; a panic is an error.
type Flow[T any] struct {
	// Workers is the number of goroutines that call Work, 0 for one per processor. A single
	// worker does everything on the goroutine of the caller, unless Leave is set.
	Workers int
	// Memory bounds the bytes of the items that are read and not yet used, beside the one
	// that was read last; a larger item travels alone. 0 means no limit.
	Memory int64
	// Ahead is the number of items in memory for each worker, 0 for 4: while it works on one,
	// others are read or wait for their turn behind one that takes long.
	Ahead int
	// Leave makes the flow return soon after its context is done although a call of Read or
	// Work hangs. The call is left behind.
	Leave bool
	// Read fills an item. It returns io.EOF after the last one.
	Read func(*T) error
	// Size returns the bytes of an item, nil if Memory is 0.
	Size func(*T) int64
	// Work is called once for each item, with the number of the worker from 0. nil does nothing.
	Work func(worker int, item *T) error
	// Use takes the item.
	Use func(*T) error
}

// farewell is how long a flow that ends waits for calls that hang.
const farewell = time.Second

// flowItem is an item on its way.
type flowItem[T any] struct {
	value T
	bytes int64
	err   error
	done  chan struct{}
}

// Run carries all items. It returns the cause of ctx if that is done before the last item.
func (f Flow[T]) Run(ctx context.Context) error {
	if f.Work == nil {
		f.Work = func(int, *T) error { return nil }
	}
	if f.Size == nil {
		f.Size = func(*T) int64 { return 0 }
	}
	f.Workers = parallel.Workers(f.Workers)
	if f.Workers == 1 && !f.Leave {
		return panics.Catch(func() error { return f.inTurn(ctx) })
	}
	return f.spread(ctx)
}

// RunFrom is Run for items that produce sends, in place of Read. Once send reports false, no
// item is wanted any more and produce returns.
func (f Flow[T]) RunFrom(ctx context.Context, produce func(send func(T) bool) error) error {
	var failed error
	next, stop := iter.Pull(func(yield func(T) bool) { failed = produce(yield) })
	defer stop()
	f.Read = func(v *T) error {
		more := false
		if *v, more = next(); !more {
			return cmp.Or(failed, io.EOF)
		}
		return nil
	}
	return f.Run(ctx)
}

// inTurn carries the items one after the other.
func (f *Flow[T]) inTurn(ctx context.Context) error {
	var v T
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := f.Read(&v); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := f.Work(0, &v); err != nil {
			return err
		}
		if err := f.Use(&v); err != nil {
			return err
		}
	}
}

// spread carries the items on several goroutines. No channel is ever full: each has space for
// all items.
func (f *Flow[T]) spread(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	held := budget.New(f.Memory)
	defer held.StopWith(ctx)()
	items := cmp.Or(f.Ahead, 4) * f.Workers
	free, todo, order := make(chan *flowItem[T], items), make(chan *flowItem[T], items), make(chan *flowItem[T], items)
	for range items {
		free <- &flowItem[T]{done: make(chan struct{}, 1)}
	}
	var group sync.WaitGroup
	group.Go(func() {
		defer close(todo)
		for it := range free {
			it.err = panics.Catch(func() error { return f.Read(&it.value) })
			if it.err == nil {
				if it.bytes = f.Size(&it.value); !held.Take(it.bytes, 0) {
					return
				}
			}
			if order <- it; it.err != nil {
				it.done <- struct{}{}
				return
			}
			todo <- it
		}
	})
	for w := range f.Workers {
		group.Go(func() {
			for it := range todo {
				if ctx.Err() != nil {
					return
				}
				it.err = panics.Catch(func() error { return f.Work(w, &it.value) })
				it.done <- struct{}{}
			}
		})
	}
	err := panics.Catch(func() error { return f.collect(ctx, held, order, free) })
	cancel()
	close(free)
	if !f.Leave {
		group.Wait()
		return err
	}
	ended := make(chan struct{})
	go func() { group.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(farewell):
	}
	return err
}

// collect uses the items in order until the last one.
func (f *Flow[T]) collect(ctx context.Context, held *budget.Budget, order <-chan *flowItem[T], free chan<- *flowItem[T]) error {
	for {
		var it *flowItem[T]
		select {
		case it = <-order:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		select {
		case <-it.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case it.err == io.EOF:
			return nil
		case it.err != nil:
			return it.err
		}
		if err := f.Use(&it.value); err != nil {
			return err
		}
		held.Give(it.bytes)
		free <- it
	}
}

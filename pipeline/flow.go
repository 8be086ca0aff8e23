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

// Flow reads items, processes several of them concurrently, and uses them in the order in which
// they were read. It is the engine of [Run] and of every other command that processes records.
//
// Read is called on one goroutine, Work on several, and Use on the goroutine of the caller.
// Items are recycled: Read gets an item whose buffers it may reuse. Use must zero the item if
// it must not hold memory until then. The first error in the order of the items ends the flow.
// A panic counts as an error.
type Flow[T any] struct {
	// Workers is the number of goroutines that call Work. A single worker runs everything on
	// the goroutine of the caller, unless Leave is set. Default: 0, one per processor.
	Workers int
	// Memory limits the bytes of items that are read and not yet used, excluding the item that
	// was read last. A larger item is carried alone. 0 means no limit.
	Memory int64
	// Ahead is the number of items in memory per worker. While the worker processes one item,
	// the others are read or wait for an earlier item that takes long. Default: 4.
	Ahead int
	// Leave makes the flow return soon after its context is done, even if a call of Read or
	// Work hangs. The hanging call is abandoned.
	Leave bool
	// Read fills an item. It returns io.EOF after the last item.
	Read func(*T) error
	// Size returns the size of an item in bytes. It may be nil if Memory is 0.
	Size func(*T) int64
	// Work is called once for each item, with the number of the worker from 0. It may be nil.
	Work func(worker int, item *T) error
	// Use consumes the item. It may be nil.
	Use func(*T) error
}

// farewell is the time that an ending flow waits for hanging calls.
const farewell = time.Second

// flowItem is an item in flight.
type flowItem[T any] struct {
	value T
	bytes int64
	err   error
	done  chan struct{}
}

// Run processes all items. It returns the cause of ctx if ctx is done before the last item is
// used.
func (f Flow[T]) Run(ctx context.Context) error {
	if f.Work == nil {
		f.Work = func(int, *T) error { return nil }
	}
	if f.Use == nil {
		f.Use = func(*T) error { return nil }
	}
	if f.Size == nil || f.Memory == 0 {
		f.Size = func(*T) int64 { return 0 }
	}
	f.Workers = parallel.Workers(f.Workers)
	if f.Workers == 1 && !f.Leave {
		return panics.Catch(func() error { return f.inTurn(ctx) })
	}
	return f.spread(ctx)
}

// RunFrom is like Run, but the items come from produce instead of Read. After send returns
// false, produce must return.
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

// inTurn processes the items one after the other.
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
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := f.Use(&v); err != nil {
			return err
		}
	}
}

// spread processes the items on several goroutines. Sends never block, because each channel has
// capacity for all items.
func (f *Flow[T]) spread(ctx context.Context) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	held := budget.New(f.Memory)
	defer held.StopWith(inner)()
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
				if inner.Err() != nil {
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

// collect uses the items in order until the last one. ctx is the context of the caller: once it
// is done, Work may skip items before a derived context is done as well.
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

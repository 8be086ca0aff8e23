package parallel

import (
	"context"
	"sync"

	"chaffinch/internal/budget"
	"chaffinch/internal/guard"
)

// heldBytes is what items of InOrder may have together, unless a single one has more.
const heldBytes = 64 << 20

// InOrder reads items with next, which tells their bytes, until that returns false, calls
// work for each of them on several goroutines, and take for each on the caller's, in the
// order in which they were read. Workers of 0 or less stand for one per processor; no
// more than three items for each of them are held, nor more than 64 MB, but for the one
// that was read last. An error of take ends it early. It returns when all calls have.
func InOrder[T any](workers int, next func() (v T, bytes int64, more bool), work func(*T), take func(*T) error) error {
	type item struct {
		v     T
		bytes int64
		fault error // a panic
		done  chan struct{}
	}
	workers = Workers(workers)
	todo, order, quit := make(chan *item, workers), make(chan *item, workers), make(chan struct{})
	var group sync.WaitGroup
	held := budget.New(heldBytes)
	ctx, cancel := context.WithCancel(context.Background())
	defer held.StopWith(ctx)()
	defer group.Wait()
	defer close(quit)
	defer cancel()
	group.Go(func() {
		defer close(todo)
		defer close(order)
		for more := true; more; {
			it := &item{done: make(chan struct{})}
			it.fault = guard.Do(func() error { it.v, it.bytes, more = next(); return nil })
			if it.fault != nil {
				more = false
				close(it.done)
			} else if !more || !held.Take(it.bytes, 0) {
				return
			}
			select {
			case order <- it:
			case <-quit:
				return
			}
			if it.fault == nil {
				select {
				case todo <- it:
				case <-quit:
					return
				}
			}
		}
	})
	for range workers {
		group.Go(func() {
			for it := range todo {
				it.fault = guard.Do(func() error { work(&it.v); return nil })
				close(it.done)
			}
		})
	}
	for it := range order {
		<-it.done
		if it.fault != nil {
			panic(it.fault)
		}
		if err := take(&it.v); err != nil {
			return err
		}
		held.Give(it.bytes)
	}
	return nil
}

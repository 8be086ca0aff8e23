package parallel

import (
	"sync"

	"chaffinch/internal/guard"
)

// InOrder reads items with next, until that returns false, calls work for each of them
// on several goroutines, and take for each on the caller's, in the order in which they
// were read. Workers of 0 or less stand for one per processor; no more than three items
// for each of them are held. An error of take ends it early. It returns when all calls
// have.
func InOrder[T any](workers int, next func() (T, bool), work func(*T), take func(*T) error) error {
	type item struct {
		v     T
		fault error // a panic
		done  chan struct{}
	}
	workers = Workers(workers)
	todo, order, quit := make(chan *item, workers), make(chan *item, workers), make(chan struct{})
	var group sync.WaitGroup
	defer group.Wait()
	defer close(quit)
	group.Go(func() {
		defer close(todo)
		defer close(order)
		for more := true; more; {
			it := &item{done: make(chan struct{})}
			it.fault = guard.Do(func() error { it.v, more = next(); return nil })
			if it.fault != nil {
				more = false
				close(it.done)
			} else if !more {
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
	}
	return nil
}

package parallel

import (
	"io"
	"sync"

	"chaffinch/internal/panics"
)

// Ordered passes items through three functions: read fills one, until it returns
// io.EOF, work is called on several goroutines, and use, on that of the caller, in the
// order in which they were read. Items are used again: there are three for each worker.
// One worker does all of it on the goroutine of the caller. The first error in that order
// ends it; a panic is one too.
func Ordered[T any](workers int, read, work, use func(*T) error) error {
	if workers <= 1 {
		return panics.Catch(func() error { return inTurn(read, work, use) })
	}
	type item struct {
		value T
		err   error
		end   bool
		done  chan struct{}
	}
	items := 3 * workers
	free, todo, order := make(chan *item, items), make(chan *item, items), make(chan *item, items)
	for range items {
		free <- &item{done: make(chan struct{}, 1)}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(order)
		defer close(todo)
		for it := range free {
			it.err = panics.Catch(func() error { return read(&it.value) })
			it.end = it.err == io.EOF
			if order <- it; it.err != nil {
				it.done <- struct{}{}
				return
			}
			todo <- it
		}
	})
	for range workers {
		wg.Go(func() {
			for it := range todo {
				it.err = panics.Catch(func() error { return work(&it.value) })
				it.done <- struct{}{}
			}
		})
	}
	err := panics.Catch(func() error {
		for it := range order {
			if <-it.done; it.end {
				return nil
			} else if it.err != nil {
				return it.err
			}
			if err := use(&it.value); err != nil {
				return err
			}
			free <- it
		}
		return nil
	})
	close(free)
	for range order { // until nothing reads
	}
	wg.Wait()
	return err
}

// inTurn is Ordered for one worker.
func inTurn[T any](read, work, use func(*T) error) error {
	var value T
	for {
		if err := read(&value); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := work(&value); err != nil {
			return err
		}
		if err := use(&value); err != nil {
			return err
		}
	}
}

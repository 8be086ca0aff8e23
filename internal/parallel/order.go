package parallel

import (
	"context"
	"io"

	"chaffinch/internal/budget"
)

// HeldBytes is a budget of bytes for InOrder where documents are held and little is made
// of them.
const HeldBytes = 64 << 20

// InOrder is Ordered for items of any size: next returns an item and its bytes, until
// it returns false. The items in memory have at most so many bytes together, not counting
// the item that was read last; a larger item is worked on alone. Workers of 0 or less
// stand for one per processor.
func InOrder[T any](workers int, bytes int64, next func() (v T, bytes int64, more bool), work func(*T), take func(*T) error) error {
	type item struct {
		v     T
		bytes int64
	}
	held := budget.New(bytes)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer held.StopWith(ctx)()
	whole := func(fn func() error) error { // if fn fails, nobody gives back what next may wait for
		failed := true
		defer func() {
			if failed {
				cancel()
			}
		}()
		err := fn()
		failed = err != nil
		return err
	}
	return Ordered(Workers(workers), func(it *item) error {
		more := false
		if it.v, it.bytes, more = next(); !more || !held.Take(it.bytes, 0) {
			return io.EOF
		}
		return nil
	}, func(it *item) error {
		return whole(func() error { work(&it.v); return nil })
	}, func(it *item) error {
		defer held.Give(it.bytes)
		defer func() { it.v = *new(T) }() // the item waits for another one: it must not hold this one
		return whole(func() error { return take(&it.v) })
	})
}

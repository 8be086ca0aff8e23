// Package periodic calls a function repeatedly during other work, for example to show progress.
// [During] surrounds a function; [Every] returns a function that stops the calls. [Pause] waits.
package periodic

import (
	"context"
	"time"

	"chaffinch/internal/panics"
)

// Every calls fn immediately and then at intervals of d until stop is called. stop returns after
// the last call of fn, and panics if fn has panicked.
func Every(d time.Duration, fn func()) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	fn()
	var fault error
	go func() {
		defer close(ended)
		ticks := time.NewTicker(d)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
				if fault = panics.Catch(func() error { fn(); return nil }); fault != nil {
					return
				}
			}
		}
	}()
	return func() {
		cancel()
		if <-ended; fault != nil {
			panic(fault)
		}
	}
}

// During calls do and, while it runs, fn as Every does. It makes no call of fn after do has
// returned or panicked.
func During(d time.Duration, fn, do func()) {
	defer Every(d, fn)()
	do()
}

// Pause waits for a duration or the end of ctx, whose error it returns.
func Pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

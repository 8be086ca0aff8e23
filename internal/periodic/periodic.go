// Package periodic calls a function repeatedly during other work, for example to show progress.
// [During] surrounds a function; [Every] returns a function that stops the calls.
package periodic

import (
	"context"
	"time"

	"chaffinch/internal/panics"
)

// Every calls tell immediately and then at intervals of d until stop is called. stop returns after
// the last call of tell, and panics if tell has panicked.
func Every(d time.Duration, tell func()) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	tell()
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
				if fault = panics.Catch(func() error { tell(); return nil }); fault != nil {
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

// During calls do and, while it runs, tell as Every does. It makes no call of tell after do has
// returned or panicked.
func During(d time.Duration, tell, do func()) {
	defer Every(d, tell)()
	do()
}

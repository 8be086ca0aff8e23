// Package periodic calls a function again and again beside other work, such as one that
// shows progress.
package periodic

import (
	"context"
	"time"

	"chaffinch/internal/panics"
)

// Every calls tell at once, and then each time that d has passed, until stop is called.
// stop returns when tell is not called any more, and panics if tell has.
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

// During calls do, and meanwhile tell as Every does: not any more when do has returned or
// panicked.
func During(d time.Duration, tell, do func()) {
	defer Every(d, tell)()
	do()
}

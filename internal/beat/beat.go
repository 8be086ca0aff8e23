// Package beat does something again and again beside other work: tell how far it is,
// above all.
package beat

import (
	"context"
	"time"
)

// Every calls tell at once, and then each time that d has passed, until stop is called.
// stop returns when tell is not called any more.
func Every(d time.Duration, tell func()) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	tell()
	go func() {
		defer close(ended)
		ticks := time.NewTicker(d)
		defer ticks.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticks.C:
				tell()
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// During calls do, and meanwhile tell as Every does: not any more when do has returned or
// panicked.
func During(d time.Duration, tell, do func()) {
	defer Every(d, tell)()
	do()
}

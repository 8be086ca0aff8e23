package dedup

import (
	"context"
	"errors"
	"testing"
)

// TestWatched: reading a table ends when the run does, or when ranks cannot be read.
func TestWatched(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	broken := errors.New("broken")
	endless := func(yield func([]byte, error) bool) {
		for yield(nil, nil) {
		}
	}
	for want, g := range map[error]*Group{context.Canceled: {ctx: ctx}, broken: {ctx: t.Context(), err: broken}} {
		for _, err := range g.watched(endless) {
			if err != nil {
				if err != want {
					t.Errorf("%v, wanted %v", err, want)
				}
				break
			}
		}
	}
}

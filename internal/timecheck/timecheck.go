// Package timecheck looks at the clock of a page during work that is counted in bytes: seldom enough to cost nothing, often enough that a time limit is kept.
package timecheck

import "context"

// every is the work, in bytes of text, between two looks. The slowest method
// takes some milliseconds for it.
const every = 32 << 10

// Watch looks at one context. Its zero value is not ready: see [New].
type Watch struct {
	ctx  context.Context
	left int
	err  error // why Over reports true
}

// New returns a Watch of ctx.
func New(ctx context.Context) Watch { return Watch{ctx: ctx} }

// Done adds n bytes of work and an item to the work done, and returns the error of the
// context each time that [every] bytes have come together, the first time at once.
func (w *Watch) Done(n int) error {
	if w.left -= n + perItem; w.left > 0 {
		return nil
	}
	return w.look()
}

func (w *Watch) look() error {
	w.left = every
	return w.ctx.Err()
}

// Over is Done for loops that are nested too deep to return an error: it reports whether the
// work is over, and does so from then on.
func (w *Watch) Over(n int) bool {
	if w.left -= n + perItem; w.left > 0 {
		return false
	}
	return w.over()
}

func (w *Watch) over() bool {
	if w.err == nil {
		w.err = w.look()
	}
	if w.err != nil {
		w.left = 0
	}
	return w.err != nil
}

// Stop ends the work with an error, unless it is over already.
func (w *Watch) Stop(err error) {
	if w.left = 0; w.err == nil {
		w.err = err
	}
}

// Err returns why the work is over, nil if Over has not reported that.
func (w *Watch) Err() error { return w.err }

// perItem is what an item counts besides its bytes: an empty line costs too.
const perItem = 8

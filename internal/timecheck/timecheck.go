// Package timecheck checks a context at intervals of work measured in bytes, with a [Watch] from
// [New]. The intervals are long enough to cost nothing and short enough to keep a time limit.
package timecheck

import "context"

// every is the work between two checks, in bytes of text. The slowest method takes a few
// milliseconds for it.
const every = 32 << 10

// Watch checks a context. The zero value is not ready: see [New].
type Watch struct {
	ctx  context.Context
	left int
	err  error // why Over reports true
}

// New returns a Watch of ctx.
func New(ctx context.Context) Watch { return Watch{ctx: ctx} }

// Done adds n bytes and one item to the work done. It returns the error of the context after each
// [every] bytes, the first time immediately.
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

// Over is Done for loops that are nested too deeply to return an error. It reports whether the work
// must stop, and continues to do so.
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

// Stop stops the work with an error, unless it is stopped.
func (w *Watch) Stop(err error) {
	if w.left = 0; w.err == nil {
		w.err = err
	}
}

// Err returns why the work must stop, or nil if Over has not reported it.
func (w *Watch) Err() error { return w.err }

// perItem is the cost of an item in addition to its bytes: an empty line also costs time.
const perItem = 8

package corpus

import (
	"context"
	"fmt"
	"slices"

	"chaffinch/internal/watch"
)

// deadline ends an evaluation: when its context ends, or when it needs too much memory. All
// loops over a text or a lexicon ask it.
type deadline struct {
	watch watch.Watch
	err   error // why the evaluation has ended
}

func newDeadline(ctx context.Context) *deadline { return &deadline{watch: watch.New(ctx)} }

// passed adds an item with n bytes of work, and reports whether the evaluation has ended:
// what is found from then on is not used.
func (d *deadline) passed(n int) bool {
	if d.err == nil {
		d.err = d.watch.Done(n)
	}
	return d.err != nil
}

// sortUntil sorts s by compare. Once d has passed it ends soon, in any order.
func sortUntil[T any](d *deadline, s []T, compare func(a, b T) int) {
	slices.SortFunc(s, func(a, b T) int {
		if d.passed(0) {
			return 0
		}
		return compare(a, b)
	})
}

// Limits of what is held for the matches that begin at one token.
const (
	maxStates = 4 << 20
	maxBinds  = 16 << 20
)

// full ends the evaluation if more than most of something are held.
func (d *deadline) full(n, most int) bool {
	if n > most && d.err == nil {
		d.err = fmt.Errorf("more than %d ways to match at one token: bound the repetitions, as in []{0,20}", most)
	}
	return n > most
}

package corpus

import (
	"context"
	"fmt"
	"slices"

	"chaffinch/internal/timecheck"
)

// deadline stops an evaluation when its context ends or when it needs too much memory.
// All loops over a text or a lexicon check it. Results after it expires are discarded.
type deadline struct{ timecheck.Watch }

func newDeadline(ctx context.Context) *deadline { return &deadline{timecheck.New(ctx)} }

// sortUntil sorts s by compare. If d expires, it returns early with s in any order.
func sortUntil[T any](d *deadline, s []T, compare func(a, b T) int) {
	slices.SortFunc(s, func(a, b T) int {
		if d.Over(0) {
			return 0
		}
		return compare(a, b)
	})
}

// Limits on the states held for the matches that begin at one token.
const (
	maxStates = 4 << 20
	maxBinds  = 16 << 20
)

// A search of n tokens stops after maxWork + n * maxDensity matches and repetitions: []* matches
// n * n / 2 times in a document. They are variables for tests.
var (
	maxWork    int64 = 1 << 26
	maxDensity int64 = 128
)

// full stops the evaluation if n exceeds most. It reports whether it did.
func (d *deadline) full(n, most int) bool {
	if n > most {
		d.Stop(fmt.Errorf("more than %d ways to match at one token: bound the repetitions, as in []{0,20}", most))
	}
	return n > most
}

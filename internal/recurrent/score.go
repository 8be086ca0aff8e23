package recurrent

import (
	"fmt"
	"sync"
)

// Sequences of more than scoreItems are scored in windows with scoreOverlap additional items on
// each side, so that memory is bounded.
const (
	scoreItems   = 4096
	scoreOverlap = 512
)

var traces = sync.Pool{New: func() any { return new(Trace) }}

// LogOdds sets dst, of length q.N, to the log odds of the items. It panics if q does not fit the
// shape of n. It is safe for concurrent use and allocates nothing once its buffers exist.
func (n *Net) LogOdds(dst []float32, q *Sequence) {
	if err := n.Fits(q); err != nil {
		panic(err)
	}
	t := traces.Get().(*Trace)
	defer traces.Put(t)
	for a := 0; a < q.N; a += scoreItems {
		b := min(a+scoreItems, q.N)
		from, to := max(0, a-scoreOverlap), min(q.N, b+scoreOverlap)
		part := q.Part(n.Shape, from, to)
		n.Forward(t, &part, nil)
		copy(dst[a:b], t.LogOdds[a-from:b-from])
	}
}

// Fits returns an error if q is not a valid input of n.
func (n *Net) Fits(q *Sequence) error {
	if len(q.Dense) != q.N*n.Dense {
		return fmt.Errorf("recurrent: %d values for %d items, wanted %d for each", len(q.Dense), q.N, n.Dense)
	}
	if n.Dim > 0 && (len(q.Ends) != q.N || q.N > 0 && int(q.Ends[q.N-1]) > len(q.IDs)) {
		return fmt.Errorf("recurrent: %d ends of %d ids for %d items", len(q.Ends), len(q.IDs), q.N)
	}
	return nil
}

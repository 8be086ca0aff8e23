package transformer

import (
	"cmp"
	"slices"
)

// batch is a group of lines that go through the model together: their indexes, and the length to
// which shorter lines are padded.
type batch struct {
	lines  []int
	length int
}

// batches groups lines of the given lengths, longest first, so that lines of a batch have similar
// lengths and need little padding. A batch has at most maxLines lines, and at most maxPieces pieces
// with padding unless it is a single line. The result is deterministic.
func batches(lengths []int, maxLines, maxPieces int) (out []batch) {
	order := make([]int, len(lengths))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lengths[b], lengths[a]) })
	for len(order) > 0 {
		length := lengths[order[0]]
		n := min(len(order), maxLines, max(1, maxPieces/max(1, length)))
		out = append(out, batch{order[:n], length})
		order = order[n:]
	}
	return out
}

package corpus

import (
	"container/heap"
	"context"
	"fmt"
	"iter"
	"slices"
)

// shardRow is a row of a shard.
type shardRow struct {
	shard int
	Row
}

// rowSource is the rest of the rows of a shard, with the current one.
type rowSource struct {
	shardRow
	next func() (Row, error, bool)
}

// rowHeap is a heap of sources by the keys of their current rows, and by shard.
type rowHeap []*rowSource

func (h rowHeap) Len() int      { return len(h) }
func (h rowHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *rowHeap) Push(x any)   { *h = append(*h, x.(*rowSource)) }
func (h rowHeap) Less(i, j int) bool {
	c := slices.Compare(h[i].Key, h[j].Key)
	return c < 0 || c == 0 && h[i].shard < h[j].shard
}
func (h *rowHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// ordered yields the rows of all shards in the order of their keys. Rows with equal keys are in the order
// of the shards. A shard without an answer has no rows.
func (s *Shards) ordered(ctx context.Context, all []*Counts) iter.Seq2[shardRow, error] {
	return func(yield func(shardRow, error) bool) {
		read := func(x *rowSource) (more bool, err error) {
			row, err, ok := x.next()
			switch {
			case err != nil:
				return false, s.failed(x.shard, err)
			case ok && slices.Compare(x.Key, row.Key) > 0:
				return false, s.failed(x.shard, fmt.Errorf("the rows of the shard are not sorted: %q before %q", x.Key, row.Key))
			}
			row.N = slices.Clone(row.N)
			x.Row = row
			return ok, nil
		}
		var open rowHeap
		for i, c := range all {
			if c == nil {
				continue
			}
			next, stop := iter.Pull2(c.Rows)
			defer stop()
			x := &rowSource{shardRow: shardRow{shard: i}, next: next}
			more, err := read(x)
			if err != nil {
				yield(shardRow{}, err)
				return
			}
			if more {
				open = append(open, x)
			}
		}
		heap.Init(&open)
		for len(open) > 0 {
			if err := ctx.Err(); err != nil {
				yield(shardRow{}, err)
				return
			}
			x := open[0]
			if !yield(x.shardRow, nil) {
				return
			}
			more, err := read(x)
			switch {
			case err != nil:
				yield(shardRow{}, err)
				return
			case more:
				heap.Fix(&open, 0)
			default:
				heap.Pop(&open)
			}
		}
	}
}

// merged yields the sums of the rows of all shards, in the order of their keys.
func (s *Shards) merged(ctx context.Context, all []*Counts) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var sum shardRow // of the last shard that was added
		for x, err := range s.ordered(ctx, all) {
			switch {
			case err != nil:
			case sum.N == nil || !slices.Equal(sum.Key, x.Key):
				if sum.N != nil && !yield(sum.Row, nil) {
					return
				}
				sum = x
				continue
			case sum.shard == x.shard:
				err = s.failed(x.shard, fmt.Errorf("two rows of the shard for %q", x.Key))
			case len(sum.N) != len(x.N):
				err = s.failed(x.shard, fmt.Errorf("%d counts in a row (wanted %d)", len(x.N), len(sum.N)))
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			sum.shard = x.shard
			for k, n := range x.N {
				sum.N[k] += n
			}
		}
		if sum.N != nil {
			yield(sum.Row, nil)
		}
	}
}

package corpus

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"chaffinch/internal/sorts"
)

// shardRow is a row of a shard.
type shardRow struct {
	shard int
	Row
}

// ordered yields the rows of all shards in the order of their keys. Rows with equal keys are in the order
// of the shards. A shard without an answer has no rows.
func (s *Shards) ordered(ctx context.Context, all []*Counts) iter.Seq2[shardRow, error] {
	return func(yield func(shardRow, error) bool) {
		var sources []func() (shardRow, bool, error)
		for i, c := range all {
			if c == nil {
				continue
			}
			next, stop := iter.Pull2(c.Rows)
			defer stop()
			var before []string
			sources = append(sources, func() (shardRow, bool, error) {
				row, err, ok := next()
				if err == nil && ok && slices.Compare(before, row.Key) > 0 {
					err = fmt.Errorf("the rows of the shard are not sorted: %q before %q", before, row.Key)
				}
				if err != nil {
					return shardRow{}, false, s.failed(i, err)
				}
				before, row.N = row.Key, slices.Clone(row.N)
				return shardRow{i, row}, ok, ctx.Err()
			})
		}
		sorts.Merge(func(a, b shardRow) int { return slices.Compare(a.Key, b.Key) }, sources...)(yield)
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

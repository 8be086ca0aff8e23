package trees

import "chaffinch/internal/parallel"

// chunkRows is the number of rows that a worker takes at a time. Sums over
// rows are made per chunk and added in the order of chunks, so it is part of
// what a forest depends on; the number of workers is not.
const chunkRows = 1 << 15

// each calls fn for 0..n-1 on so many workers, and tells it which worker runs.
func each(workers, n int, fn func(worker, i int)) {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			fn(0, i)
		}
		return
	}
	parallel.EachOf(workers, n, fn)
}

// chunks calls fn for the chunks of n rows.
func chunks(workers, n int, fn func(chunk, from, to int)) {
	each(workers, chunkCount(n), func(_, c int) {
		fn(c, c*chunkRows, min(n, (c+1)*chunkRows))
	})
}

func chunkCount(n int) int { return (n + chunkRows - 1) / chunkRows }

package trees

import "chaffinch/internal/parallel"

// chunkRows is the number of rows that a worker processes at a time. Sums over rows are computed
// per chunk and added in the order of chunks. A forest thus depends on chunkRows, but not on the
// number of workers.
const chunkRows = 1 << 15

// each calls fn for 0 to n-1 on several workers, with the number of the worker.
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

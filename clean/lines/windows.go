package lines

// Documents are read whole up to maxLines; longer ones, of which the training has
// hardly any, in windows, so that they look like those that it has: each
// labels windowLines lines and sees marginLines more before and behind.
const (
	maxLines    = 600
	windowLines = 500
	marginLines = 100
)

// windows calls fn for the parts of a document of n lines in order: it is to
// read the lines from lo to hi and to label those from from to to.
func windows(n int, fn func(lo, from, to, hi int)) {
	for from := 0; from < n; {
		to := from + windowLines
		if from == 0 && n <= maxLines || to+marginLines > n {
			to = n
		}
		fn(max(0, from-marginLines), from, to, min(n, to+marginLines))
		from = to
	}
}

package lines

import (
	"hash/maphash"
	"slices"
)

// Documents of up to maxLines are read whole. Longer documents are rare in the training data
// and are read in windows that look like shorter ones. Each window labels windowLines lines
// and reads marginLines more before and after them. From hugeLines, documents are not made
// for readers and the cost of the margins matters more, so the windows are larger.
const (
	maxLines    = 600
	windowLines = 500
	marginLines = 100
	hugeLines   = 20_000
	hugeWindow  = 2500
)

// stretch is a part of a document: the lines lo:hi are read, and the lines from:to are
// labelled.
type stretch struct{ lo, from, to, hi int }

// eachWindow calls fn for the windows of a document of n lines in order.
func eachWindow(n int, fn func(stretch)) {
	size := windowLines
	if n >= hugeLines {
		size = hugeWindow
	}
	for from := 0; from < n; {
		to := from + size
		if from == 0 && n <= maxLines || to+marginLines > n {
			to = n
		}
		fn(stretch{max(0, from-marginLines), from, to, min(n, to+marginLines)})
		from = to
	}
}

// copies finds windows with the same lines as an earlier window, so that repetitive pages
// are scored once.
type copies struct {
	seed  maphash.Seed
	first map[uint64]stretch
}

// newCopies returns an empty copies.
func newCopies() *copies { return &copies{maphash.MakeSeed(), map[uint64]stretch{}} }

// of returns the earlier window with the same lines as w, both read and labelled.
func (c *copies) of(lines []string, w stretch) (stretch, bool) {
	var h maphash.Hash
	h.SetSeed(c.seed)
	for _, l := range lines[w.lo:w.hi] {
		h.WriteString(l)
		h.WriteByte('\n')
	}
	key := h.Sum64()
	v, ok := c.first[key]
	if !ok {
		c.first[key] = w
		return w, false
	}
	d := w.lo - v.lo
	return v, w == stretch{v.lo + d, v.from + d, v.to + d, v.hi + d} && slices.Equal(lines[v.lo:v.hi], lines[w.lo:w.hi])
}

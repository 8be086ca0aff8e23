package lines

import (
	"hash/maphash"
	"slices"
)

// Documents are read whole up to maxLines; longer ones, of which the training has
// hardly any, in windows, so that they look like those that it has: each
// labels windowLines lines and sees marginLines more before and behind. From
// hugeLines on no document is one that people read, and what the margins
// cost counts more: the windows are larger.
const (
	maxLines    = 600
	windowLines = 500
	marginLines = 100
	hugeLines   = 20_000
	hugeWindow  = 2500
)

// stretch is a part of a document: the lines from lo to hi are read, and those
// from from to to are labelled.
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

// copies finds windows that have the same lines as one before: a page that says
// the same again and again is scored once.
type copies struct {
	seed  maphash.Seed
	first map[uint64]stretch
}

// newCopies returns what no window of a document has gone through yet.
func newCopies() *copies { return &copies{maphash.MakeSeed(), map[uint64]stretch{}} }

// of returns the window before w that has the same lines, all and labelled.
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

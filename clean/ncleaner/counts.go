package ncleaner

import (
	"iter"
	"strings"
)

// maxN is the maximum size of n-grams.
const maxN = 8

// gram holds up to maxN symbols, packed with the alphabet's bits per symbol, the last symbol
// lowest. Grams of different lengths are stored separately.
type gram = uint64

// Counts holds the number of occurrences of each n-gram of one size in a text. Each
// character of a segment, and the boundary after the last, ends one n-gram. Before the first
// character are n-1 boundaries. Shorter n-grams are suffixes of these. Their counts are
// sums, so the counts of all orders are consistent.
type Counts map[uint64]int64

// total returns the number of n-grams.
func (c Counts) total() (t int64) {
	for _, n := range c {
		t += n
	}
	return t
}

// Grams returns the n-grams of one segment. An empty segment has none.
func (a *Alphabet) Grams(text string, n int) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		var (
			buf  [512]symbol
			g    gram
			mask = maskOf(n, a.bits)
			f    folder
		)
		text = trim(text)
		any := false
		for at := 0; at < len(text); {
			var k int
			k, at = a.fold(&f, text, at, buf[:])
			for _, s := range buf[:k] {
				g = (g<<a.bits | gram(s)) & mask
				if any = true; !yield(g) {
					return
				}
			}
		}
		if any {
			yield((g<<a.bits | gram(boundary)) & mask)
		}
	}
}

// maskOf returns the mask of n symbols of the given bits.
func maskOf(n, bits int) gram {
	if n*bits >= 64 {
		return ^gram(0)
	}
	return gram(1)<<(n*bits) - 1
}

// trim removes white space and a leading bullet from a segment. Gold texts and text dumps
// contain the bullets that browsers draw; pages do not.
func trim(text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := cutBullet(text); ok {
		return rest
	}
	return text
}

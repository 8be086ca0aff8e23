package ncleaner

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// maxN is the greatest size of n-grams.
const maxN = 8

// gram is up to MaxN symbols, compressed with the alphabet's bits per symbol, the
// last symbol lowest. Grams of different lengths are kept apart.
type gram = uint64

// counts holds how often each n-gram of one size occurs in a text. Each
// character of a segment, and the boundary after the last, ends one n-gram;
// before the first stand n-1 boundaries. Shorter n-grams are ends of these,
// so that their counts follow by adding up, and counts of all orders agree.
type counts struct {
	n     int
	grams map[gram]int64
}

func newCounts(n int) *counts { return &counts{n: n, grams: map[gram]int64{}} }

// clone returns a copy.
func (c *counts) clone() *counts { return &counts{c.n, maps.Clone(c.grams)} }

// total returns the number of n-grams.
func (c *counts) total() (t int64) {
	for _, n := range c.grams {
		t += n
	}
	return t
}

// segment counts the n-grams of one segment. An empty one counts nothing.
func (c *counts) segment(a *alphabet, text string) {
	var (
		buf  [512]symbol
		g    gram
		mask = maskOf(c.n, a.bits)
		f    folder
	)
	text = trim(text)
	any := false
	for at := 0; at < len(text); {
		var n int
		n, at = a.fold(&f, text, at, buf[:])
		for _, s := range buf[:n] {
			g = (g<<a.bits | gram(s)) & mask
			c.grams[g]++
			any = true
		}
	}
	if any {
		g = (g<<a.bits | gram(boundary)) & mask
		c.grams[g]++
	}
}

// add adds the counts of b.
func (c *counts) add(b *counts) {
	for g, n := range b.grams {
		c.grams[g] += n
	}
}

// sub takes the counts of b away, which were added before.
func (c *counts) sub(b *counts) {
	for g, n := range b.grams {
		if c.grams[g] -= n; c.grams[g] <= 0 {
			delete(c.grams, g)
		}
	}
}

// minus returns the differential counts c - b, never below zero (section 3):
// what a corpus of boilerplate alone would have, for c the raw pages and b
// their clean text.
func (c *counts) minus(b *counts) *counts {
	d := newCounts(c.n)
	for g, n := range c.grams {
		if n -= b.grams[g]; n > 0 {
			d.grams[g] = n
		}
	}
	return d
}

// sorted returns the n-grams in ascending order.
func (c *counts) sorted() []gram { return slices.Sorted(maps.Keys(c.grams)) }

// maskOf returns the mask of n symbols of the given bits.
func maskOf(n, bits int) gram {
	if n*bits >= 64 {
		return ^gram(0)
	}
	return gram(1)<<(n*bits) - 1
}

// trim cuts what begins or ends a segment without belonging to its text:
// white space and a bullet at its front. Gold texts and text dumps write out
// the bullets that browsers draw, pages do not.
func trim(text string) string {
	text = strings.TrimSpace(text)
	if rest, ok := cutBullet(text); ok {
		return rest
	}
	return text
}

// learnRunes returns the characters above ASCII for a Unicode alphabet: those
// that occur at least min times in texts, at most max of them (the most
// frequent; of equals the lower code points), ascending. Letters and digits
// of a non-lexical alphabet need no learning.
func learnRunes(texts map[rune]int, nonLexical bool, min, max int) []rune {
	a, _ := newAlphabet(true, nonLexical, nil)
	var rs []rune
	for r, n := range texts {
		if s := a.of(r); n >= min && s >= a.firstClass && s != skip {
			rs = append(rs, r)
		}
	}
	slices.SortFunc(rs, func(x, y rune) int {
		return cmp.Or(cmp.Compare(texts[y], texts[x]), cmp.Compare(x, y))
	})
	if len(rs) > max {
		rs = rs[:max]
	}
	slices.Sort(rs)
	return rs
}

// runeCounts counts the characters of texts.
func runeCounts(texts []string) map[rune]int {
	n := map[rune]int{}
	for _, t := range texts {
		for _, r := range t {
			n[r]++
		}
	}
	return n
}

package ncleaner

import (
	"cmp"
	"slices"

	"chaffinch/clean/ncleaner"
)

// segment counts the n-grams of one segment. An empty one counts nothing.
func segment(c ncleaner.Counts, a *ncleaner.Alphabet, n int, text string) {
	for g := range a.Grams(text, n) {
		c[g]++
	}
}

// add adds the counts of b.
func add(c, b ncleaner.Counts) {
	for g, n := range b {
		c[g] += n
	}
}

// sub takes the counts of b away, which were added before.
func sub(c, b ncleaner.Counts) {
	for g, n := range b {
		if c[g] -= n; c[g] <= 0 {
			delete(c, g)
		}
	}
}

// minus returns the differential counts c - b, never below zero (section 3):
// what a corpus of boilerplate alone would have, for c the raw pages and b
// their clean text.
func minus(c, b ncleaner.Counts) ncleaner.Counts {
	d := ncleaner.Counts{}
	for g, n := range c {
		if n -= b[g]; n > 0 {
			d[g] = n
		}
	}
	return d
}

// total returns the number of n-grams.
func total(c ncleaner.Counts) (t int64) {
	for _, n := range c {
		t += n
	}
	return t
}

// learnRunes returns the characters above ASCII for a Unicode alphabet: those
// that occur at least min times in texts, at most max of them (the most
// frequent; of equals the lower code points), ascending. Letters and digits
// of a non-lexical alphabet need no learning.
func learnRunes(texts map[rune]int, nonLexical bool, min, max int) []rune {
	a, _ := ncleaner.NewAlphabet(true, nonLexical, nil)
	var rs []rune
	for r, n := range texts {
		if n >= min && a.Rare(r) {
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

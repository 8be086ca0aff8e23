package ncleaner

import (
	"cmp"
	"slices"

	"chaffinch/clean/ncleaner"
)

// segment counts the n-grams of a segment. An empty segment has none.
func segment(c ncleaner.Counts, a *ncleaner.Alphabet, n int, text string) {
	for g := range a.Grams(text, n) {
		c[g]++
	}
}

// add adds the counts of b to c.
func add(c, b ncleaner.Counts) {
	for g, n := range b {
		c[g] += n
	}
}

// sub subtracts the counts of b, which were added before.
func sub(c, b ncleaner.Counts) {
	for g, n := range b {
		if c[g] -= n; c[g] <= 0 {
			delete(c, g)
		}
	}
}

// minus returns the differential counts c - b, never below zero (section 3): an estimate of the
// counts of boilerplate, for c of the raw pages and b of their clean text.
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

// learnRunes returns the characters above ASCII of a Unicode alphabet in ascending order: the max
// most frequent characters with at least min occurrences in texts; of equals the lower code points.
// Letters and digits of a non-lexical alphabet are excluded.
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

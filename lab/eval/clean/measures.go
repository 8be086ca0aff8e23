package clean

import (
	"math"
	"strings"

	"chaffinch/internal/align"
	"chaffinch/internal/pytext"
	"chaffinch/lab/eval/stats"
	"chaffinch/lab/gold"
)

// similarity returns 1 - Levenshtein distance / length of the longer text, in code points. Two
// empty texts have similarity 1.
func similarity(a, b []int32) float64 {
	n := max(len(a), len(b))
	if n == 0 {
		return 1
	}
	return 1 - float64(align.Distance(a, b))/float64(n)
}

// indel returns 1 - distance by insertions and deletions / sum of the lengths. lev is the
// Levenshtein similarity.
func indel(a, b []int32, lev float64) float64 {
	n := len(a) + len(b)
	if n == 0 {
		return 1
	}
	longer := float64(max(len(a), len(b)))
	atLeast := int(math.Round(lev * longer)) // longer - distance
	return 1 - float64(n-2*align.LCS(a, b, atLeast))/float64(n)
}

// alignWords aligns the words of a prediction with the words of the gold.
func alignWords(predicted, gold []string) Counts {
	var v align.Vocabulary
	tp := align.Matched(v.IDs(predicted), v.IDs(gold))
	return Counts{TP: tp, FP: len(predicted) - tp, FN: len(gold) - tp}
}

// alignmentWordsOf is alignmentWords for a text that is not prepared gold: characters of scripts
// without spaces are words.
func alignmentWordsOf(text string) []string {
	if gold.Unspaced(text) {
		text = gold.Spread(text)
	}
	return alignmentWords(text)
}

// rougeLSum returns ROUGE-LSum with the conventions of the ChatNoir benchmark for an empty gold:
// recall is 1, and if the prediction is also empty, all three are 1.
func rougeLSum(predicted, gold [][]string, predictedText, goldText string) (p, r, f float64) {
	n, m := total(predicted), total(gold)
	if n > 0 && m > 0 {
		var v align.Vocabulary
		ref, can := ids(&v, gold), ids(&v, predicted)
		hits := float64(align.UnionHits(ref, can, v.Len()))
		p, r = hits/float64(n), hits/float64(m)
		f = stats.Harmonic(p, r)
	}
	if pytext.Strip(goldText) == "" {
		r = 1
		if pytext.Strip(predictedText) == "" {
			p, f = 1, 1
		}
	}
	return p, r, f
}

func total(ss [][]string) int {
	n := 0
	for _, s := range ss {
		n += len(s)
	}
	return n
}

func ids(v *align.Vocabulary, ss [][]string) [][]int32 {
	out := make([][]int32, len(ss))
	for i, s := range ss {
		out[i] = v.IDs(s)
	}
	return out
}

// shingleSize is the number of words in a shingle.
const shingleSize = 4

// shingles returns precision and recall of the multisets of 4-word shingles. A text of fewer words
// is one shingle. A text without words has none; then precision (of the prediction) or recall (of
// the gold) is NaN.
func shingles(predicted, gold []string) (p, r float64) {
	var v align.Vocabulary
	count := map[[shingleSize]int32]int{}
	n := eachShingle(v.IDs(predicted), func(s [shingleSize]int32) { count[s]++ })
	tp := 0
	m := eachShingle(v.IDs(gold), func(s [shingleSize]int32) {
		if count[s] > 0 {
			count[s]--
			tp++
		}
	})
	p, r = math.NaN(), math.NaN()
	if n > 0 {
		p = float64(tp) / float64(n)
	}
	if m > 0 {
		r = float64(tp) / float64(m)
	}
	return p, r
}

func eachShingle(words []int32, fn func([shingleSize]int32)) int {
	if len(words) == 0 {
		return 0
	}
	n := max(1, len(words)-shingleSize+1)
	for i := range n {
		s := [shingleSize]int32{-1, -1, -1, -1}
		copy(s[:], words[i:])
		fn(s)
	}
	return n
}

// bag returns the F score of the multisets of words in lower case, 1 for two texts without words.
func bag(predicted, gold []string) float64 {
	if len(predicted) == 0 && len(gold) == 0 {
		return 1
	}
	count := make(map[string]int, len(predicted))
	for _, w := range predicted {
		count[pytext.Lower(w)]++
	}
	tp := 0
	for _, w := range gold {
		if low := pytext.Lower(w); count[low] > 0 {
			count[low]--
			tp++
		}
	}
	_, _, f := Counts{TP: tp, FP: len(predicted) - tp, FN: len(gold) - tp}.prf()
	return f
}

// share returns the fraction of the snippets, with white space collapsed, that text contains (want
// true) or does not contain. It is NaN without snippets.
func share(snippets []string, text string, want bool) float64 {
	if len(snippets) == 0 {
		return math.NaN()
	}
	n := 0
	for _, s := range snippets {
		if strings.Contains(text, pytext.Collapse(s)) == want {
			n++
		}
	}
	return float64(n) / float64(len(snippets))
}

// measureSnippets counts snippets like trafilatura's evaluation, by a substring test.
func (g *Gold) measureSnippets(text string, s *Score) {
	for _, x := range g.With {
		if strings.Contains(text, x) {
			s.Snippets.TP++
		} else {
			s.Snippets.FN++
		}
	}
	for _, x := range g.Without {
		if strings.Contains(text, x) {
			s.Snippets.FP++
		} else {
			s.Absent++
		}
	}
}

package classify

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Counts counts the decisions on a class: true positives, false positives and false negatives.
type Counts struct{ TP, FP, FN int }

// F1 returns the harmonic mean of precision and recall, 0 without true positives.
func (c Counts) F1() float64 {
	if c.TP == 0 {
		return 0
	}
	return 2 * float64(c.TP) / float64(2*c.TP+c.FP+c.FN)
}

// plus adds n times the counts o.
func (c *Counts) plus(n int, o Counts) {
	c.TP, c.FP, c.FN = c.TP+n*o.TP, c.FP+n*o.FP, c.FN+n*o.FN
}

// decided returns the counts of one document for a class: predicted labels got, true labels want.
func decided(class int, want, got []int) (c Counts) {
	switch is, said := slices.Contains(want, class), slices.Contains(got, class); {
	case is && said:
		c.TP = 1
	case said:
		c.FP = 1
	case is:
		c.FN = 1
	}
	return c
}

// Score counts the decisions of all splits by class. got holds the predicted labels of the test
// documents of each split.
func Score(classes int, labels [][]int, splits []Split, got [][][]int) []Counts {
	out := make([]Counts, classes)
	for k, s := range splits {
		for i, d := range s.Test {
			for c := range out {
				out[c].plus(1, decided(c, labels[d], got[k][i]))
			}
		}
	}
	return out
}

// Macro returns the mean F1 of the classes that occur.
func Macro(counts []Counts) float64 {
	sum, n := 0.0, 0.0
	for _, c := range counts {
		if c.TP+c.FN > 0 {
			sum += c.F1()
			n++
		}
	}
	return sum / max(1, n)
}

// figures returns the macro F1 and the F1 of each class.
func figures(counts []Counts) []float64 {
	out := []float64{Macro(counts)}
	for _, c := range counts {
		out = append(out, c.F1())
	}
	return out
}

// rounds is the number of random exchanges in [Randomize].
const rounds = 10_000

// Randomize returns the p-values of a test of approximate randomisation (Noreen, Computer-intensive
// methods for testing hypotheses, 1989; for F1 Yeh, COLING 2000). They are the probabilities of a
// difference at least as large in the macro F1, and in the F1 of each class, if the two systems are
// interchangeable. The decisions on all documents of a group are exchanged together, since they are
// dependent. groups holds the group of each document.
func Randomize(classes int, labels [][]int, splits []Split, first, second [][][]int, groups []string, seed uint64) []float64 {
	// The change of the first system's counts, and the negative change of the second's, if the
	// decisions of a group are exchanged. Groups without a change are omitted.
	number := map[string]int{}
	var deltas [][]Counts
	for k, s := range splits {
		for i, d := range s.Test {
			if slices.Equal(first[k][i], second[k][i]) {
				continue
			}
			g, ok := number[groups[d]]
			if !ok {
				g = len(deltas)
				number[groups[d]], deltas = g, append(deltas, make([]Counts, classes))
			}
			for c := range classes {
				deltas[g][c].plus(1, decided(c, labels[d], second[k][i]))
				deltas[g][c].plus(-1, decided(c, labels[d], first[k][i]))
			}
		}
	}
	one, two := Score(classes, labels, splits, first), Score(classes, labels, splits, second)
	differences := func(a, b []Counts) []float64 {
		x, y := figures(a), figures(b)
		for i := range x {
			x[i] = math.Abs(y[i] - x[i])
		}
		return x
	}
	seen := differences(one, two)
	atLeast := make([]float64, len(seen))
	rng := rand.New(rand.NewPCG(seed, 29))
	a, b := make([]Counts, classes), make([]Counts, classes)
	for range rounds {
		copy(a, one)
		copy(b, two)
		for _, d := range deltas {
			if rng.Uint64()&1 == 0 {
				continue
			}
			for c := range d {
				a[c].plus(1, d[c])
				b[c].plus(-1, d[c])
			}
		}
		for i, d := range differences(a, b) {
			if d >= seen[i]-1e-12 {
				atLeast[i]++
			}
		}
	}
	for i := range atLeast {
		atLeast[i] = (atLeast[i] + 1) / (rounds + 1)
	}
	return atLeast
}

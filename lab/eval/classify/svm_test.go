package classify

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestMachine: at the weights of a support vector machine the gradient of its
// objective, |w|²/2 + Σ cost · max(0, 1 - sign · w·x)², is nearly
// 0 (it is in the hundreds without weights). Classes are unequal and
// overlap, so that some documents stay within the margin and most outside of it.
func TestMachine(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	var docs []example
	for i := range 400 {
		d := example{sign: -1, cost: 1}
		if i%8 == 0 {
			d.sign, d.cost = 1, 3
		}
		for id := range uint32(30) {
			if rng.IntN(4) > 0 {
				continue
			}
			value := rng.NormFloat64() * .3
			if id < 3 {
				value += .6 * d.sign
			}
			d.v = append(d.v, feature{id, float32(value)})
		}
		docs = append(docs, d)
	}
	w := machine(t.Context(), docs, rand.New(rand.NewPCG(1, 0)))
	gradient := slices.Clone(w)
	outside := 0
	for _, d := range docs {
		loss := 1 - d.sign*dot(w, d.v)
		if loss <= 0 {
			outside++
			continue
		}
		gradient[bias] -= 2 * d.cost * loss * d.sign
		for _, f := range d.v {
			gradient[f.id] -= 2 * d.cost * loss * d.sign * float64(f.value)
		}
	}
	if outside < 100 || outside == len(docs) {
		t.Errorf("%d of %d documents outside the margin", outside, len(docs))
	}
	for id, g := range gradient {
		if math.Abs(g) > .3 {
			t.Errorf("gradient %v at feature %d, weight %v", g, id, w[id])
		}
	}
}

// TestLimit: the limit between the scores of documents with and without a class is the
// one with the highest F1.
func TestLimit(t *testing.T) {
	for _, test := range []struct {
		docs []scored
		want float64
	}{
		{nil, math.Inf(1)},
		{[]scored{{1, false}}, math.Inf(1)},
		{[]scored{{-.25, true}, {-.5, true}, {-.75, false}}, -.625},
		{[]scored{{-3, false}, {-1, true}, {2, false}, {0, true}}, -2}, // 2 of 3 found are right
		{[]scored{{1, true}, {1, false}, {0, true}}, 0},                // equal scores are not divided
		{[]scored{{3, true}, {2, false}, {1, false}, {0, false}}, 2.5},
	} {
		if got := limit(test.docs); got != test.want {
			t.Errorf("%v: limit %v, want %v", test.docs, got, test.want)
		}
	}
}

// TestWriteFeatures: the format of LIBLINEAR, with weighted values of length 1.
func TestWriteFeatures(t *testing.T) {
	x := Vectorize([]string{"gull tern", "gull oak", "ash"})
	var train, test strings.Builder
	must.Succeed(t, WriteFeatures(&train, &test, x, [][]int{{1}, {0, 2}, nil}, Split{Train: []int{0, 1}, Test: []int{2}}))
	lines := strings.Split(train.String(), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "1 ") || !strings.HasPrefix(lines[1], "0,2 ") || strings.Count(lines[0], ":") != 3 || !strings.HasPrefix(test.String(), " ") {
		t.Errorf("train %q, test %q", train.String(), test.String())
	}
}

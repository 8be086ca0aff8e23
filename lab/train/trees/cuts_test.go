package trees

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"chaffinch/internal/boost"
)

func TestCuts(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		values, weight []float32
		n              int
		want           []float32
	}{
		{[]float32{3, 1, 2, 1}, nil, 8, []float32{1.5, 2.5}},
		{[]float32{1, 1}, nil, 8, nil},
		{nil, nil, 8, nil},
		{[]float32{1, 2}, nil, 1, nil},
		{[]float32{nan, 1, nan, 2}, nil, 8, []float32{1, 1.5}},
		{[]float32{-inf, 0, inf}, nil, 8, []float32{0, inf}},
		{[]float32{1, 2, 3}, []float32{1, 0, 1}, 8, []float32{2}},
		{[]float32{1, 2, 3, 4, 5, 6}, nil, 3, []float32{2.5, 4.5}},
		{[]float32{0, 0, 0, 0, 0, 0, 1, 2, 3, 4}, nil, 3, []float32{.5, 2.5}},
		{[]float32{1, 2, 3, 4}, []float32{1, 1, 1, 9}, 2, []float32{3.5}},
	} {
		if got := Cuts(c.values, c.weight, c.n); !slices.Equal(got, c.want) {
			t.Errorf("Cuts(%v, %v, %d) = %v, wanted %v", c.values, c.weight, c.n, got, c.want)
		}
	}
}

func TestCutsAreEven(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{2, 5, 63, 64, 128, 1000} {
		values := make([]float32, 50000)
		for i := range values {
			values[i] = float32(rng.ExpFloat64())
		}
		cuts := Cuts(values, nil, n)
		if n = min(n, boost.MaxBins); len(cuts) != n-1 || !slices.IsSorted(cuts) {
			t.Fatalf("%d bins: %d cuts %v", n, len(cuts), cuts)
		}
		size := make([]int, n)
		for _, v := range values {
			size[boost.Bin(v, cuts)]++
		}
		for b, k := range size {
			if mean := 50000 / n; k < mean*9/10 || k > mean*11/10 {
				t.Errorf("%d bins: %d values in bin %d", n, k, b)
			}
		}
	}
}

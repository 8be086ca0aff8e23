//go:build amd64

package boost

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestVectors compares the scores of AVX2 with the scores of Go, to the bit.
func TestVectors(t *testing.T) {
	if !vectors {
		t.Skip("this processor has no AVX2")
	}
	defer func() { vectors = true }()
	rng := rand.New(rand.NewPCG(17, 1))
	for _, rows := range []int{1, 8, 9, 31, 32, 40, 63, 255, 256, 264, 600} {
		for _, classes := range []int{2, 8, 9, 13, 16} {
			f, m := deepClasses(rng, 300, 20, classes), anyMatrix(rng, rows, 20)
			want, got := make([]float32, rows*classes), make([]float32, rows*classes)
			vectors = false
			f.Score(m, want)
			vectors = true
			f.Score(m, got)
			if !slices.Equal(got, want) {
				t.Errorf("%d rows, %d classes: other scores than without AVX2", rows, classes)
			}
		}
	}
}

// TestBinnerInGo is TestBinner without AVX2.
func TestBinnerInGo(t *testing.T) {
	defer func(v bool) { vectors = v }(vectors)
	vectors = false
	TestBinner(t)
}

// TestRowBinnerInGo is TestRowBinner without AVX2.
func TestRowBinnerInGo(t *testing.T) {
	defer func(v bool) { vectors = v }(vectors)
	vectors = false
	TestRowBinner(t)
}

// TestSoftmaxes compares AVX2 with Softmax, to the bit.
func TestSoftmaxes(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 1))
	for _, classes := range []int{1, 2, 7, 8, 9, 13, 16} {
		for _, wide := range []float64{.1, 3, 30, 300} {
			p := make([]float32, 500*classes)
			for i := range p {
				p[i] = float32(rng.NormFloat64() * wide)
			}
			want := slices.Clone(p)
			softmaxesGo(want, classes)
			Softmaxes(p, classes)
			if !slices.Equal(p, want) {
				t.Errorf("%d classes, scores up to some %v: other probabilities than without AVX2", classes, 3*wide)
			}
		}
	}
}

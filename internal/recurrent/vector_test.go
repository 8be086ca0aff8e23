package recurrent

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestFours: what works on four numbers at once gives the bits of the loops in Go.
func TestFours(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := func(n int, scale float64) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(rng.NormFloat64() * scale)
		}
		return v
	}
	same := func(what string, n int, got, want []float32) {
		t.Helper()
		for i := range want {
			if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
				t.Fatalf("%s of %d: element %d is %v, want %v", what, n, i, got[i], want[i])
			}
		}
	}
	for rows := range 50 {
		for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 16, 23, 48, 101} {
			w, x, b := values(rows*n, 1), values(n, 1), values(rows, 1)
			got, want := values(rows, 1), make([]float32, rows)
			affine(got, w, x, b)
			affineRowsGo(want, w, x)
			Add(want, b)
			same("affine", n, got, want)
		}
	}
	for n := range 40 {
		for _, scale := range []float64{.1, 1, 10, 100, 1000} {
			v := values(n, scale)
			if n > 4 {
				v[0], v[1], v[2], v[3] = 0, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.Copysign(0, -1))
			}
			got, want := append([]float32(nil), v...), append([]float32(nil), v...)
			sigmoids(got)
			sigmoidsGo(want)
			same("sigmoids", n, got, want)
			got, want = append(got[:0], v...), append(want[:0], v...)
			tanhs(got)
			tanhsGo(want)
			same("tanhs", n, got, want)
		}
	}
}

func BenchmarkAffine(b *testing.B) {
	w, x, y := make([]float32, 24*110), make([]float32, 110), make([]float32, 24)
	b.Run("fours", func(b *testing.B) {
		for b.Loop() {
			affine(y, w, x, nil)
		}
	})
	b.Run("go", func(b *testing.B) {
		for b.Loop() {
			affineRowsGo(y, w, x)
		}
	})
}

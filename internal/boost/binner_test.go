package boost

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBinner compares a Binner with Bin, value by value.
func TestBinner(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 2))
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	negZero := float32(math.Copysign(0, -1))
	for _, n := range []int{0, 1, 2, 3, 7, 31, 62, 63, 64, 100, 127} {
		var cuts []float32
		for range n {
			cuts = append(cuts, float32(rng.NormFloat64()*math.Pow(10, float64(rng.IntN(9)-4))))
		}
		switch {
		case n > 30:
			cuts[0], cuts[1], cuts[2] = 0, -inf, inf
		case n > 0:
			cuts[0] = negZero
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		values := []float32{0, negZero, nan, -nan, nan, inf, inf, -inf, math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32}
		for _, c := range cuts {
			values = append(values, c, c, math.Nextafter32(c, inf), math.Nextafter32(c, -inf), -c)
		}
		for range 200 {
			values = append(values, float32(rng.NormFloat64()))
		}
		for from := range 9 { // each value at each place, and all that may be left over
			values, got := values[from:], make([]uint8, len(values)-from)
			NewBinner(cuts).Bin(got, values)
			for i, v := range values {
				if want := Bin(v, cuts); got[i] != want {
					t.Fatalf("%d cuts: bin of %v is %d, want %d", n, v, got[i], want)
				}
			}
		}
	}
}

func BenchmarkBinner(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 2))
	values, cuts, dst := make([]float32, 20000), make([]float32, 63), make([]uint8, 20000)
	for i := range values {
		values[i] = float32(rng.NormFloat64())
	}
	for i := range cuts {
		cuts[i] = float32(rng.NormFloat64())
	}
	slices.Sort(cuts)
	x := NewBinner(cuts)
	for b.Loop() {
		x.Bin(dst, values)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(values)), "ns/value")
}

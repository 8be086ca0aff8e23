package boost

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestBin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range MaxBins {
		cuts := make([]float32, n)
		for i := range cuts {
			cuts[i] = rng.Float32()
		}
		slices.Sort(cuts)
		values := append([]float32{-1, 2, float32(math.NaN()), float32(math.Inf(-1)), float32(math.Inf(1))}, cuts...)
		for range 50 {
			values = append(values, rng.Float32())
		}
		for _, v := range values {
			var want uint8
			for _, c := range cuts {
				if c <= v {
					want++
				}
			}
			if got := Bin(v, cuts); got != want {
				t.Fatalf("Bin(%v) of %d cuts = %d, wanted %d", v, n, got, want)
			}
		}
	}
}

func BenchmarkBin(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 3))
	values := make([]float32, 4096)
	for i := range values {
		values[i] = rng.Float32()
	}
	cuts := slices.Sorted(slices.Values(values[:63]))
	var sum uint8
	for b.Loop() {
		for _, v := range values {
			sum += Bin(v, cuts)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4096, "ns/value")
}

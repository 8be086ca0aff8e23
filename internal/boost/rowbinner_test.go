package boost

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestRowBinner: the bins are those that Bin tells for each value by itself.
func TestRowBinner(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	odd := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.Copysign(0, -1)), 0}
	value := func() float32 {
		if k := rng.IntN(50); k < len(odd) {
			return odd[k]
		}
		return float32(rng.IntN(80)-40) / 2
	}
	for _, width := range []int{1, 7, 8, 9, 16, 21} {
		for _, n := range []int{0, 1, 15, 16, 17, 31, 32, 50, 300} {
			for round := range 4 {
				cuts := make([][]float32, width)
				var used []int
				for c := range cuts {
					if rng.IntN(3) == 0 {
						continue
					}
					used = append(used, c)
					step := []float32{.5, .7, 1, 3}[rng.IntN(4)] // up to 80 cuts
					for v := -20 * rng.Float32(); v < 20 && rng.IntN(50) > 0; v += step {
						cuts[c] = append(cuts[c], v)
					}
				}
				rows := make([]float32, n*width)
				for i := range rows {
					rows[i] = value()
				}
				m := NewMatrix(n, width)
				NewRowBinner(cuts, used).Bin(m, rows)
				for c, col := range m.Cols {
					for i, got := range col {
						var want uint8
						if row := i - Pad; row >= 0 && row < n && cuts[c] != nil {
							want = Bin(rows[row*width+c], cuts[c])
						}
						if got != want {
							t.Fatalf("%d columns, %d rows, round %d: column %d, row %d: bin %d, wanted %d", width, n, round, c, i-Pad, got, want)
						}
					}
				}
			}
		}
	}
}

// BenchmarkRowBinner bins 200 rows of 100 columns.
func BenchmarkRowBinner(b *testing.B) {
	for _, n := range []int{1, 8, 47} {
		b.Run(fmt.Sprintf("cuts=%d", n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(7, 2))
			cuts, used := make([][]float32, 100), make([]int, 100)
			for c := range cuts {
				used[c] = c
				for k := range n {
					cuts[c] = append(cuts[c], float32(k)/float32(n))
				}
			}
			rows := make([]float32, 200*100)
			for i := range rows {
				rows[i] = rng.Float32()
			}
			m, binner := NewMatrix(200, 100), NewRowBinner(cuts, used)
			for b.Loop() {
				binner.Bin(m, rows)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/row")
		})
	}
}

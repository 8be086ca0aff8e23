package boost

import (
	"math"
	"math/rand/v2"
	"testing"

	"chaffinch/internal/testkit/must"
)

// scorePlain scores one row, tree after tree and class after class.
func (f *Classes) scorePlain(m *Matrix, row int) []float32 {
	out := make([]int, f.classes)
	levels, values := f.levels, f.values
	for _, depth := range f.depths {
		leaf := 0
		for l, q := range levels[:depth] {
			ft := f.features[q.feature]
			if m.Cols[ft.Col][Pad+ft.Shift+row] > q.threshold {
				leaf |= 1 << l
			}
		}
		for c := range out {
			out[c] += values[leaf].steps(c) - middle
		}
		levels, values = levels[depth:], values[1<<depth:]
	}
	z := make([]float32, f.classes)
	for c, steps := range out {
		z[c] = f.prior[c] + float32(steps)*f.scale
	}
	return z
}

// anyClasses returns a forest of random trees for some classes.
func anyClasses(rng *rand.Rand, trees, maxDepth, cols, classes int) *Classes {
	plain := anyForest(rng, trees, maxDepth, cols)
	f := &Classes{classes: classes, prior: make([]float32, classes), scale: .01, splits: plain.splits}
	for c := range f.prior {
		f.prior[c] = float32(rng.NormFloat64())
	}
	steps := make([]byte, classes)
	for _, depth := range f.depths {
		for range 1 << depth {
			for c := range steps {
				steps[c] = byte(1 + rng.IntN(255))
			}
			f.values = append(f.values, packLeaf(steps))
		}
	}
	return f
}

// deepClasses returns a forest of random trees of six levels.
func deepClasses(rng *rand.Rand, trees, cols, classes int) *Classes {
	f := anyClasses(rng, 0, 6, cols, classes)
	for c := range cols {
		for s := -Pad; s <= Pad; s++ {
			f.features = append(f.features, Feature{c, s})
		}
	}
	steps := make([]byte, classes)
	for range trees {
		f.depths = append(f.depths, 6)
		for range 6 {
			f.levels = append(f.levels, level{uint16(rng.IntN(len(f.features))), uint8(rng.IntN(MaxBins))})
		}
		for range 1 << 6 {
			for c := range steps {
				steps[c] = byte(1 + rng.IntN(255))
			}
			f.values = append(f.values, packLeaf(steps))
		}
	}
	return f
}

// TestClassesScore compares Score with row after row, and with what was written
// and read.
func TestClassesScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for _, rows := range []int{1, 7, 8, 9, 255, 256, 257, 600} {
		for _, classes := range []int{2, 4, 5, 13, 16} {
			f, m := anyClasses(rng, 300, 6, 3, classes), anyMatrix(rng, rows, 3)
			b := must.Get(f.AppendBinary([]byte("before")))(t)
			var g Classes
			must.Succeed(t, g.UnmarshalBinary(b[len("before"):]))
			got := make([]float32, rows*classes)
			g.Score(m, got)
			for i := range rows {
				for c, want := range f.scorePlain(m, i) {
					if z := got[i*classes+c]; math.Abs(float64(z-want)) > 1e-3 {
						t.Fatalf("%d rows, %d classes, row %d, class %d: %v, wanted %v", rows, classes, i, c, z, want)
					}
				}
			}
		}
	}
}

func TestClassesAllocateNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	f, m := anyClasses(rng, 50, 6, 5, 13), anyMatrix(rng, 300, 5)
	dst := make([]float32, 300*13)
	if n := testing.AllocsPerRun(10, func() { f.Score(m, dst) }); n != 0 {
		t.Errorf("%v allocations, wanted none", n)
	}
}

// FuzzClasses reads bytes as a forest of classes and scores with what is accepted.
func FuzzClasses(f *testing.F) {
	rng := rand.New(rand.NewPCG(15, 2))
	for depth := range 5 {
		b, _ := anyClasses(rng, 2, depth, 2, 3+depth).AppendBinary(nil)
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var a Classes
		if a.UnmarshalBinary(b) != nil || a.Columns() > 1000 {
			return
		}
		m := anyMatrix(rand.New(rand.NewPCG(1, 1)), 11, a.Columns())
		a.Score(m, make([]float32, m.Rows*a.Classes()))
		must.Succeed(t, must.Err(a.AppendBinary(nil)))
	})
}

func BenchmarkClassesScore(b *testing.B) {
	rng := rand.New(rand.NewPCG(16, 2))
	m := anyMatrix(rng, 200, 100)
	f := deepClasses(rng, 300, 100, 13)
	dst := make([]float32, 200*13)
	for b.Loop() {
		f.Score(m, dst)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/row")
}

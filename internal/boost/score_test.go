package boost

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"chaffinch/internal/testkit/must"
)

// anyForest returns a forest of random trees over the features of cols
// columns.
func anyForest(rng *rand.Rand, trees, maxDepth, cols int) *Forest {
	var features []Feature
	for c := range cols {
		for s := -Pad; s <= Pad; s++ {
			features = append(features, Feature{c, s})
		}
	}
	var all []Tree
	for range trees {
		var t Tree
		for range rng.IntN(maxDepth + 1) {
			t.Levels = append(t.Levels, Split{rng.IntN(len(features)), uint8(rng.IntN(MaxBins))})
		}
		for range 1 << len(t.Levels) {
			t.Values = append(t.Values, rng.NormFloat64())
		}
		all = append(all, t)
	}
	return NewForest(features, all, float32(rng.NormFloat64()))
}

func anyMatrix(rng *rand.Rand, rows, cols int) *Matrix {
	m := NewMatrix(rows, cols)
	for _, col := range m.Cols {
		for i := range col {
			col[i] = uint8(rng.IntN(MaxBins))
		}
	}
	return m
}

// TestScoreEqualsPlain compares Score with row after row, tree after tree.
func TestScoreEqualsPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, rows := range []int{0, 1, 7, 8, 9, 15, 16, 31, 32, 33, 100, 511, 512, 513, 519, 520, 1030} {
		for _, depth := range []int{0, 1, 3, 5, 6, 7, 8} {
			f, m := anyForest(rng, 20, depth, 3), anyMatrix(rng, rows, 3)
			scoresPlainly(t, f, m, fmt.Sprintf("%d rows, depth %d", rows, depth))
		}
	}
}

// TestScoreManyTrees does so for more trees than are added up at once, whose values are the
// largest and the smallest, and for columns without room.
func TestScoreManyTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	for _, trees := range []int{wideTrees, 2*wideTrees + 1} {
		f := anyForest(rng, trees, wideDepth, 5)
		if vectors && f.wide == nil {
			t.Fatal("the forest has no wide trees")
		}
		for i := range f.values {
			f.values[i] = [...]int16{math.MinInt16, -math.MaxInt16, -1, 0, math.MaxInt16, 255, 256}[rng.IntN(7)]
			if trees == wideTrees {
				f.values[i] = [...]int16{math.MaxInt16, -1}[rng.IntN(2)]
			}
		}
		f.layOut()
		m := anyMatrix(rng, 70, 5)
		scoresPlainly(t, f, m, fmt.Sprintf("%d trees", trees))
		for c, col := range m.Cols {
			m.Cols[c] = append(make([]uint8, 0, len(col)), col...)[:len(col):len(col)]
		}
		scoresPlainly(t, f, m, fmt.Sprintf("%d trees, no room", trees))
	}
}

// scoresPlainly fails if Score differs from scoreRow for a row.
func scoresPlainly(t *testing.T, f *Forest, m *Matrix, what string) {
	t.Helper()
	got := make([]float32, m.Rows)
	f.Score(m, got)
	for i, z := range got {
		if want := f.scoreRow(m, i); z != want {
			t.Fatalf("%s, row %d: %v, wanted %v", what, i, z, want)
		}
	}
}

func TestScoreAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 2))
	f, m := anyForest(rng, 50, 6, 5), anyMatrix(rng, 200, 5)
	dst := make([]float32, 200)
	if n := testing.AllocsPerRun(10, func() { f.Score(m, dst) }); n != 0 {
		t.Errorf("%v allocations, wanted none", n)
	}
}

func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, trees := range []int{0, 1, 30} {
		f, m := anyForest(rng, trees, 8, 40), anyMatrix(rng, 77, 40)
		b := must.Get(f.AppendBinary([]byte("before")))(t)
		var g Forest
		must.Succeed(t, g.UnmarshalBinary(b[len("before"):]))
		want, got := make([]float32, 77), make([]float32, 77)
		f.Score(m, want)
		g.Score(m, got)
		for i := range want {
			if want[i] != got[i] {
				t.Fatalf("%d trees, row %d: %v, wanted %v", trees, i, got[i], want[i])
			}
		}
		if f.Columns() != g.Columns() || f.Trees() != g.Trees() {
			t.Errorf("columns %d, trees %d, wanted %d, %d", g.Columns(), g.Trees(), f.Columns(), f.Trees())
		}
	}
}

func TestBrokenBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	good, _ := anyForest(rng, 3, 4, 2).AppendBinary(nil)
	for n := range good {
		if err := new(Forest).UnmarshalBinary(good[:n]); err == nil {
			t.Errorf("first %d of %d bytes: no error", n, len(good))
		}
	}
	if err := new(Forest).UnmarshalBinary(append(bytes.Clone(good), 0)); err == nil {
		t.Error("a byte too many: no error")
	}
	nan := bytes.Clone(good)
	copy(nan[1:], []byte{0, 0, 0xc0, 0x7f})
	if err := new(Forest).UnmarshalBinary(nan); err == nil {
		t.Error("base NaN: no error")
	}
}

// FuzzForest reads bytes as a forest, scores with what is accepted and writes
// it again.
func FuzzForest(f *testing.F) {
	rng := rand.New(rand.NewPCG(6, 2))
	for depth := range 5 {
		b, _ := anyForest(rng, 2, depth, 2).AppendBinary(nil)
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var a Forest
		if a.UnmarshalBinary(b) != nil || a.Columns() > 1000 {
			return
		}
		m := anyMatrix(rand.New(rand.NewPCG(1, 1)), 11, a.Columns())
		z := make([]float32, m.Rows)
		a.Score(m, z)
		again := must.Get(a.AppendBinary(nil))(t)
		var c Forest
		if err := c.UnmarshalBinary(again); err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
		y := make([]float32, m.Rows)
		c.Score(m, y)
		for i := range z {
			if z[i] != y[i] || z[i] != a.scoreRow(m, i) {
				t.Fatalf("row %d: %v, written and read %v, plain %v", i, z[i], y[i], a.scoreRow(m, i))
			}
		}
	})
}

// BenchmarkScore scores the blocks of one page, 200 rows of 100 columns, by
// 300 trees.
func BenchmarkScore(b *testing.B) {
	for _, depth := range []int{5, 6, 7, 8} {
		b.Run(fmt.Sprintf("depth=%d", depth), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(7, 2))
			m := anyMatrix(rng, 200, 100)
			var features []Feature
			for c := range 100 {
				for s := -1; s <= 1; s++ {
					features = append(features, Feature{c, s})
				}
			}
			var trees []Tree
			for range 300 {
				var t Tree
				for range depth {
					t.Levels = append(t.Levels, Split{rng.IntN(300), uint8(rng.IntN(63))})
				}
				for range 1 << depth {
					t.Values = append(t.Values, rng.NormFloat64())
				}
				trees = append(trees, t)
			}
			f := NewForest(features, trees, 0)
			dst := make([]float32, m.Rows)
			for b.Loop() {
				f.Score(m, dst)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.Rows), "ns/row")
		})
	}
}

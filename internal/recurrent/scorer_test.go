package recurrent

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// eachWidth runs a test for every width of vectors that the processor has, and for none.
func eachWidth(t *testing.T, test func(t *testing.T)) {
	widest := wideLanes
	t.Cleanup(func() { wideLanes = widest })
	for _, lanes := range []int{0, 8, 16} {
		if lanes <= widest {
			wideLanes = lanes
			t.Run(fmt.Sprintf("%d lanes", lanes), test)
		}
	}
}

// TestScorer: several networks at once give the bits that each gives by itself, for the kind
// of network that wide vectors are for and for others.
func TestScorer(t *testing.T) {
	all := append([]Shape{
		{Dense: 1, Project: 8, Cell: GRU, Hidden: 8, Layers: 1},
		{Dense: 7, Project: 8, Cell: GRU, Hidden: 16, Layers: 1, Skip: true},
		{Dense: 106, Project: 24, Cell: GRU, Hidden: 16, Layers: 1, Skip: true},
		{Dense: 101, Project: 40, Cell: GRU, Hidden: 24, Layers: 1, Skip: true},
	}, shapes...)
	eachWidth(t, func(t *testing.T) {
		for _, s := range all {
			rng := rand.New(rand.NewPCG(1, 2))
			for k := range 4 {
				var nets []*Net
				for range k {
					n := random(t, s, rng.Uint64())
					for i := range n.Flat {
						n.Flat[i] += float32(rng.NormFloat64() * .3)
					}
					nets = append(nets, n)
				}
				scorer := NewScorer(nets)
				if want := k > 0 && s.Dense > 100 && wideLanes > 0; want && scorer.wide == nil {
					t.Fatalf("%+v: no wide vectors", s)
				}
				for _, items := range []int{0, 1, 2, 3, 50, 51} {
					q := sequence(rng, s, items)
					got, want := make([]float32, k*items), make([]float32, items)
					scorer.LogOdds(got, q)
					for j, n := range nets {
						n.LogOdds(want, q)
						for i, z := range want {
							if g := got[j*items+i]; math.Float32bits(g) != math.Float32bits(z) {
								t.Fatalf("%+v: network %d of %d, item %d of %d: %v, wanted %v", s, j, k, i, items, g, z)
							}
						}
					}
				}
			}
		}
	})
}

// TestScorerLong: so it is for a sequence that is scored in windows.
func TestScorerLong(t *testing.T) {
	s := Shape{Dense: 3, Project: 8, Cell: GRU, Hidden: 8, Layers: 1, Skip: true}
	a := random(t, s, 1)
	b := random(t, s, 2)
	q := sequence(rand.New(rand.NewPCG(1, 2)), s, 2*scoreItems+300)
	got, want := make([]float32, 2*q.N), make([]float32, 2*q.N)
	a.LogOdds(want[:q.N], q)
	b.LogOdds(want[q.N:], q)
	eachWidth(t, func(t *testing.T) {
		NewScorer([]*Net{a, b}).LogOdds(got, q)
		for i, z := range want {
			if math.Float32bits(got[i]) != math.Float32bits(z) {
				t.Fatalf("item %d: %v, wanted %v", i, got[i], z)
			}
		}
	})
}

func TestScorerAllocatesNothing(t *testing.T) {
	s := Shape{Dense: 30, Project: 24, Cell: GRU, Hidden: 16, Layers: 1, Skip: true}
	n := random(t, s, 1)
	scorer, q := NewScorer([]*Net{n, n, n}), sequence(rand.New(rand.NewPCG(1, 2)), s, 60)
	dst := make([]float32, 3*q.N)
	if n := testing.AllocsPerRun(20, func() { scorer.LogOdds(dst, q) }); n > 0 {
		t.Errorf("%v allocations, wanted none", n)
	}
}

// BenchmarkScorer scores the lines of one document by three networks, as clean/lines does.
func BenchmarkScorer(b *testing.B) {
	s := Shape{Dense: 106, Project: 24, Cell: GRU, Hidden: 16, Layers: 1, Skip: true}
	n := random(b, s, 1)
	q := sequence(rand.New(rand.NewPCG(1, 2)), s, 60)
	dst := make([]float32, 3*q.N)
	widest := wideLanes
	defer func() { wideLanes = widest }()
	for _, lanes := range []int{0, 8, 16} {
		if lanes > widest {
			continue
		}
		wideLanes = lanes
		b.Run(fmt.Sprintf("%d lanes", lanes), func(b *testing.B) {
			scorer := NewScorer([]*Net{n, n, n})
			for b.Loop() {
				scorer.LogOdds(dst, q)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(q.N), "ns/item")
		})
	}
}

// TestStandardise: wide vectors give the bits of the loop in Go.
func TestStandardise(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	eachWidth(t, func(t *testing.T) {
		for width := range 40 {
			for _, n := range []int{0, 1, 2, 5} {
				values := func(n int) (v []float32) {
					for range n {
						v = append(v, float32(3*rng.NormFloat64()))
					}
					return v
				}
				rows, mean, scale := values(n*width+1), values(width), values(width) // one value too many, which stays
				if len(rows) > 6 {
					rows[0], rows[1], rows[2], rows[5] = 0, float32(math.Inf(1)), float32(math.NaN()), float32(math.Copysign(0, -1))
				}
				want := append([]float32(nil), rows...)
				if width > 0 {
					standardiseGo(want, mean, scale, 4)
				}
				Standardise(rows, mean, scale, 4)
				for i, v := range rows {
					if math.Float32bits(v) != math.Float32bits(want[i]) {
						t.Fatalf("%d rows of %d: value %d is %v, wanted %v", n, width, i, v, want[i])
					}
				}
			}
		}
	})
}

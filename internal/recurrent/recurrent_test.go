package recurrent

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"chaffinch/internal/testkit/must"
)

// shapes are all kinds of networks.
var shapes = []Shape{
	{Dense: 3, Skip: true},
	{Dense: 3, Project: 5},
	{Dense: 3, Cell: GRU, Hidden: 4, Layers: 1},
	{Dense: 3, Cell: LSTM, Hidden: 4, Layers: 1},
	{Dense: 3, Rows: 7, Dim: 2, Project: 5, Cell: GRU, Hidden: 3, Layers: 2, Skip: true},
	{Dense: 3, Rows: 7, Dim: 2, Project: 6, Cell: LSTM, Hidden: 5, Layers: 2, Skip: true},
	{Rows: 7, Dim: 4, Cell: LSTM, Hidden: 3, Layers: 1, Skip: true},
}

// sequence returns a random sequence.
func sequence(rng *rand.Rand, s Shape, n int) *Sequence {
	q := &Sequence{N: n}
	for range n * s.Dense {
		q.Dense = append(q.Dense, float32(rng.NormFloat64()))
	}
	if s.Dim > 0 {
		for range n {
			for range rng.IntN(4) {
				q.IDs = append(q.IDs, rng.Uint32())
			}
			q.Ends = append(q.Ends, int32(len(q.IDs)))
		}
	}
	return q
}

// random returns a network with random weights.
func random(t testing.TB, s Shape, seed uint64) *Net {
	t.Helper()
	n := must.Get(Empty(s))(t)
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, w := range [][]float32{n.Flat, n.Table} {
		for i := range w {
			w[i] = float32(rng.NormFloat64() * .3)
		}
	}
	return n
}

// TestWindows scores a long sequence: the same as in one piece, but for what
// the cells forget within the overlap.
func TestWindows(t *testing.T) {
	for _, s := range shapes {
		n := random(t, s, 1)
		q := sequence(rand.New(rand.NewPCG(1, 1)), s, 2*scoreItems+100)
		got := make([]float32, q.N)
		n.LogOdds(got, q)
		tr := new(Trace)
		n.Forward(tr, q, nil)
		for i, z := range tr.LogOdds {
			if math.Abs(float64(z-got[i])) > 1e-4 {
				t.Fatalf("%+v: item %d: %v in windows, %v in one piece", s, i, got[i], z)
			}
		}
	}
}

// TestAllocations: scoring allocates nothing once it is warm.
func TestAllocations(t *testing.T) {
	s := shapes[4]
	n := random(t, s, 1)
	q := sequence(rand.New(rand.NewPCG(1, 1)), s, 50)
	dst, tr := make([]float32, q.N), new(Trace)
	n.Forward(tr, q, nil)
	must.Equal(t, testing.AllocsPerRun(10, func() { n.Forward(tr, q, nil) }), 0, "allocations")
	n.LogOdds(dst, q)
}

// TestEncode: a rounded network is read as it was.
func TestEncode(t *testing.T) {
	for _, s := range shapes {
		n := random(t, s, 1)
		n.Round()
		b := must.Get(n.AppendBinary(nil))(t)
		m := must.Get(Parse(s, b))(t)
		for i, v := range n.Flat {
			if m.Flat[i] != v {
				t.Fatalf("%+v: weight %d: %v, wrote %v", s, i, m.Flat[i], v)
			}
		}
		for i, v := range n.Table {
			if m.Table[i] != v {
				t.Fatalf("%+v: embedding %d: %v, wrote %v", s, i, m.Table[i], v)
			}
		}
		if _, err := Parse(s, b[1:]); err == nil {
			t.Errorf("%+v: a byte less is no error", s)
		}
	}
}

// FuzzParse reads weights of any content: an error, or numbers.
func FuzzParse(f *testing.F) {
	n := random(f, shapes[4], 1)
	b, _ := n.AppendBinary(nil)
	f.Add(b)
	f.Add(b[:20])
	f.Add(bytes.Repeat([]byte{0xff}, len(b)))
	q := sequence(rand.New(rand.NewPCG(1, 1)), shapes[4], 5)
	f.Fuzz(func(t *testing.T, b []byte) {
		n, err := Parse(shapes[4], b)
		if err != nil {
			return
		}
		z := make([]float32, q.N)
		n.LogOdds(z, q)
		for i, v := range z {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Errorf("item %d: %v", i, v)
			}
		}
	})
}

func TestVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	vector := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(rng.NormFloat64())
		}
		return v
	}
	near := func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-4 }
	for rows := range 11 {
		for cols := range 11 {
			w, x, b, y := vector(rows*cols), vector(cols), vector(rows), make([]float32, rows)
			affine(y, w, x, b)
			for i := range y {
				want := b[i]
				for j, v := range x {
					want += w[i*cols+j] * v
				}
				if !near(y[i], want) {
					t.Fatalf("affine %d x %d: row %d is %v, wanted %v", rows, cols, i, y[i], want)
				}
			}
		}
	}
	for x := -90.; x < 90; x += .37 {
		if got, want := float64(exp(float32(x))), math.Exp(max(-87, min(87, x))); math.Abs(got-want) > 2e-5*want {
			t.Errorf("exp(%v) = %v, wanted %v", x, got, want)
		}
		if got, want := float64(Tanh(float32(x))), math.Tanh(x); math.Abs(got-want) > 1e-6 {
			t.Errorf("tanh(%v) = %v, wanted %v", x, got, want)
		}
	}
}

func BenchmarkLogOdds(b *testing.B) {
	for _, s := range []Shape{
		{Dense: 100, Project: 24, Cell: GRU, Hidden: 16, Layers: 1, Skip: true},
		{Dense: 100, Rows: 1 << 15, Dim: 16, Project: 24, Cell: LSTM, Hidden: 16, Layers: 1, Skip: true},
	} {
		b.Run(fmt.Sprintf("%s-%d", s.Cell, s.Hidden), func(b *testing.B) {
			n := random(b, s, 1)
			q := sequence(rand.New(rand.NewPCG(1, 1)), s, 50)
			dst := make([]float32, q.N)
			b.ReportAllocs()
			for b.Loop() {
				n.LogOdds(dst, q)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*q.N), "ns/item")
		})
	}
}

package recurrent

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
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

// example makes a sequence in which an item is a yes if the first value of the
// item before it is above 0.
func example(rng *rand.Rand, s Shape, n int) *Sequence {
	q := &Sequence{N: n}
	var last float64
	for range n {
		first := rng.NormFloat64()
		for k := range s.Dense {
			if k > 0 {
				first = rng.NormFloat64()
			} else {
				y := float32(0)
				if last > 0 {
					y = 1
				}
				q.Target = append(q.Target, y)
				last = first
			}
			q.Dense = append(q.Dense, float32(first))
		}
		if s.Dense == 0 {
			q.Target = append(q.Target, float32(rng.IntN(2)))
		}
		q.Weight = append(q.Weight, float32(1+rng.IntN(3)))
		if s.Dim > 0 {
			for range rng.IntN(4) {
				q.IDs = append(q.IDs, rng.Uint32())
			}
			q.Ends = append(q.Ends, int32(len(q.IDs)))
		}
	}
	return q
}

// TestGradient compares each derivative with the slope of the loss.
func TestGradient(t *testing.T) {
	for _, s := range shapes {
		for _, drop := range []float64{0, .3} {
			t.Run(fmt.Sprintf("%+v drop %v", s, drop), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(1, 2))
				n, err := New(s, 3)
				if err != nil {
					t.Fatal(err)
				}
				for i := range n.table {
					n.table[i] *= 10
				}
				for i := range n.flat {
					n.flat[i] += float32(rng.NormFloat64() * .1)
				}
				q := example(rng, s, 6)
				tr := new(trace)
				loss := func() float64 {
					n.forward(tr, q, &noise{rand.NewPCG(5, 6), drop, drop, drop})
					var sum float64
					for i, z := range tr.logit {
						sum += float64(q.Weight[i]) * lossOf(float64(z), float64(q.Target[i]))
					}
					return sum
				}
				loss()
				d := make([]float32, q.N)
				for i, z := range tr.logit {
					d[i] = q.Weight[i] * (Sigmoid(z) - q.Target[i])
				}
				g := newGradient(s)
				n.backward(g, tr, d, &noise{rand.NewPCG(5, 6), drop, drop, drop})
				check := func(what string, w, got []float32) {
					const step = 1e-2
					for i, old := range w {
						w[i] = old + step
						up := loss()
						w[i] = old - step
						slope := (up - loss()) / (2 * step)
						w[i] = old
						if math.Abs(slope-float64(got[i])) > 4e-3+.01*math.Abs(slope) {
							t.Errorf("%s %d: derivative %v, slope %v", what, i, got[i], slope)
						}
					}
				}
				check("weight", n.flat, g.flat)
				check("embedding", n.table, g.table)
			})
		}
	}
}

// TestTrain learns what only the item before tells.
func TestTrain(t *testing.T) {
	for _, c := range []Cell{GRU, LSTM} {
		s := Shape{Dense: 2, Cell: c, Hidden: 6, Layers: 1}
		rng := rand.New(rand.NewPCG(1, 1))
		var train, dev []*Sequence
		for range 60 {
			train = append(train, example(rng, s, 5+rng.IntN(20)))
			dev = append(dev, example(rng, s, 10))
		}
		n, err := New(s, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := Config{Epochs: 30, Patience: 10, Batch: 8, Rate: .02, Clip: 1, Seed: 1}
		var bestLoss float64
		if err := Train(context.Background(), n, train, dev, cfg, func(e Epoch) {
			if e.Best {
				bestLoss = e.Dev
			}
		}); err != nil {
			t.Fatal(err)
		}
		loss, accuracy := n.Loss(dev, 1)
		if loss != bestLoss {
			t.Errorf("%s: loss %v, that of the best epoch was %v", c, loss, bestLoss)
		}
		if accuracy < .93 {
			t.Errorf("%s: accuracy %v", c, accuracy)
		}
	}
}

// TestWorkers trains on different numbers of workers: the same bytes.
func TestWorkers(t *testing.T) {
	s := Shape{Dense: 3, Rows: 31, Dim: 4, Project: 5, Cell: GRU, Hidden: 4, Layers: 1, Skip: true}
	var want []byte
	for _, workers := range []int{1, 2, 3, 7, 1} {
		rng := rand.New(rand.NewPCG(1, 1))
		var train, dev []*Sequence
		for range 20 {
			train = append(train, example(rng, s, rng.IntN(30)))
			dev = append(dev, example(rng, s, 3))
		}
		n, err := New(s, 1)
		if err != nil {
			t.Fatal(err)
		}
		cfg := Default
		cfg.Epochs, cfg.Workers, cfg.Window, cfg.Overlap, cfg.Smooth, cfg.Anchor = 3, workers, 8, 2, .1, .1
		if err := Train(context.Background(), n, train, dev, cfg, nil); err != nil {
			t.Fatal(err)
		}
		got, err := n.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		} else if !bytes.Equal(got, want) {
			t.Errorf("%d workers: other weights than with 1", workers)
		}
	}
}

// TestWindows scores a long sequence: the same as in one piece, but for what
// the cells forget within the overlap.
func TestWindows(t *testing.T) {
	for _, s := range shapes {
		n, err := New(s, 1)
		if err != nil {
			t.Fatal(err)
		}
		q := example(rand.New(rand.NewPCG(1, 1)), s, 2*scoreItems+100)
		got := make([]float32, q.N)
		n.LogOdds(got, q)
		tr := new(trace)
		n.forward(tr, q, nil)
		for i, z := range tr.logit {
			if math.Abs(float64(z-got[i])) > 1e-4 {
				t.Fatalf("%+v: item %d: %v in windows, %v in one piece", s, i, got[i], z)
			}
		}
	}
}

// TestAllocations: scoring allocates nothing once it is warm.
func TestAllocations(t *testing.T) {
	s := shapes[4]
	n, err := New(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	q := example(rand.New(rand.NewPCG(1, 1)), s, 50)
	dst, tr := make([]float32, q.N), new(trace)
	n.forward(tr, q, nil)
	if a := testing.AllocsPerRun(10, func() { n.forward(tr, q, nil) }); a != 0 {
		t.Errorf("%v allocations", a)
	}
	n.LogOdds(dst, q)
}

// TestEncode: a rounded network is read as it was.
func TestEncode(t *testing.T) {
	for _, s := range shapes {
		n, err := New(s, 1)
		if err != nil {
			t.Fatal(err)
		}
		n.Round()
		b, err := n.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse(s, b)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range n.flat {
			if m.flat[i] != v {
				t.Fatalf("%+v: weight %d: %v, wrote %v", s, i, m.flat[i], v)
			}
		}
		for i, v := range n.table {
			if m.table[i] != v {
				t.Fatalf("%+v: embedding %d: %v, wrote %v", s, i, m.table[i], v)
			}
		}
		if _, err := Parse(s, b[1:]); err == nil {
			t.Errorf("%+v: a byte less is no error", s)
		}
	}
}

// FuzzParse reads weights of any content: an error, or numbers.
func FuzzParse(f *testing.F) {
	n, _ := New(shapes[4], 1)
	b, _ := n.AppendBinary(nil)
	f.Add(b)
	f.Add(b[:20])
	f.Add(bytes.Repeat([]byte{0xff}, len(b)))
	q := example(rand.New(rand.NewPCG(1, 1)), shapes[4], 5)
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
			d, back := vector(rows), make([]float32, cols)
			addTransposed(back, w, d)
			for j := range back {
				var want float32
				for i := range d {
					want += w[i*cols+j] * d[i]
				}
				if !near(back[j], want) {
					t.Fatalf("transposed %d x %d: %v, wanted %v", rows, cols, back[j], want)
				}
			}
			const items = 7
			ds, xs, sum := vector(items*rows), vector(items*cols), make([]float32, rows*cols)
			addOuter(sum, rows, cols, ds, rows, xs, cols, items)
			for i := range rows {
				for j := range cols {
					var want float32
					for t := range items {
						want += ds[t*rows+i] * xs[t*cols+j]
					}
					if !near(sum[i*cols+j], want) {
						t.Fatalf("outer %d x %d: %v, wanted %v", rows, cols, sum[i*cols+j], want)
					}
				}
			}
		}
	}
	for x := -90.; x < 90; x += .37 {
		if got, want := float64(exp(float32(x))), math.Exp(max(-87, min(87, x))); math.Abs(got-want) > 2e-5*want {
			t.Errorf("exp(%v) = %v, wanted %v", x, got, want)
		}
		if got, want := float64(tanh(float32(x))), math.Tanh(x); math.Abs(got-want) > 1e-6 {
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
			n, err := New(s, 1)
			if err != nil {
				b.Fatal(err)
			}
			q := example(rand.New(rand.NewPCG(1, 1)), s, 50)
			dst := make([]float32, q.N)
			b.ReportAllocs()
			for b.Loop() {
				n.LogOdds(dst, q)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*q.N), "ns/item")
		})
	}
}

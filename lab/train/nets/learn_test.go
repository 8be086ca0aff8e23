package nets

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"chaffinch/internal/recurrent"
	"chaffinch/internal/testkit/must"
)

// shapes are all kinds of networks.
var shapes = []recurrent.Shape{
	{Dense: 3, Skip: true},
	{Dense: 3, Project: 5},
	{Dense: 3, Cell: recurrent.GRU, Hidden: 4, Layers: 1},
	{Dense: 3, Cell: recurrent.LSTM, Hidden: 4, Layers: 1},
	{Dense: 3, Rows: 7, Dim: 2, Project: 5, Cell: recurrent.GRU, Hidden: 3, Layers: 2, Skip: true},
	{Dense: 3, Rows: 7, Dim: 2, Project: 6, Cell: recurrent.LSTM, Hidden: 5, Layers: 2, Skip: true},
	{Rows: 7, Dim: 4, Cell: recurrent.LSTM, Hidden: 3, Layers: 1, Skip: true},
}

// example makes a sequence in which an item is a yes if the first value of the
// item before it is above 0.
func example(rng *rand.Rand, s recurrent.Shape, n int) *Example {
	q := &Example{Sequence: recurrent.Sequence{N: n}}
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
				n := must.Get(New(s, 3))(t)
				for i := range n.Table {
					n.Table[i] *= 10
				}
				for i := range n.Flat {
					n.Flat[i] += float32(rng.NormFloat64() * .1)
				}
				q := example(rng, s, 6)
				tr, z := new(recurrent.Trace), &dropout{dense: drop, ids: drop, top: drop}
				loss := func() float64 {
					z.begin(rand.NewPCG(5, 6))
					n.Forward(tr, &q.Sequence, z)
					var sum float64
					for i, z := range tr.LogOdds {
						sum += float64(q.Weight[i]) * lossOf(float64(z), float64(q.Target[i]))
					}
					return sum
				}
				loss()
				d := make([]float32, q.N)
				for i, z := range tr.LogOdds {
					d[i] = q.Weight[i] * (recurrent.Sigmoid(z) - q.Target[i])
				}
				g := newGradient(s)
				backward(n, g, tr, d, z)
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
				check("weight", n.Flat, g.flat)
				check("embedding", n.Table, g.table)
			})
		}
	}
}

// TestTrain learns what only the item before tells.
func TestTrain(t *testing.T) {
	for _, c := range []recurrent.Cell{recurrent.GRU, recurrent.LSTM} {
		s := recurrent.Shape{Dense: 2, Cell: c, Hidden: 6, Layers: 1}
		rng := rand.New(rand.NewPCG(1, 1))
		var train, dev []*Example
		for range 60 {
			train = append(train, example(rng, s, 5+rng.IntN(20)))
			dev = append(dev, example(rng, s, 10))
		}
		n := must.Get(New(s, 1))(t)
		cfg := Config{Epochs: 30, Patience: 10, Batch: 8, Rate: .02, Clip: 1, Seed: 1}
		var bestLoss float64
		if err := Train(context.Background(), cfg, n, train, dev, func(e Epoch) {
			if e.Best {
				bestLoss = e.Dev
			}
		}); err != nil {
			t.Fatal(err)
		}
		loss, accuracy := Loss(n, dev, 1)
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
	s := recurrent.Shape{Dense: 3, Rows: 31, Dim: 4, Project: 5, Cell: recurrent.GRU, Hidden: 4, Layers: 1, Skip: true}
	var want []byte
	for _, workers := range []int{1, 2, 3, 7, 1} {
		rng := rand.New(rand.NewPCG(1, 1))
		var train, dev []*Example
		for range 20 {
			train = append(train, example(rng, s, rng.IntN(30)))
			dev = append(dev, example(rng, s, 3))
		}
		n := must.Get(New(s, 1))(t)
		cfg := Default
		cfg.Epochs, cfg.Workers, cfg.Window, cfg.Overlap, cfg.Smooth, cfg.Anchor = 3, workers, 8, 2, .1, .1
		must.Succeed(t, Train(context.Background(), cfg, n, train, dev, nil))
		got := must.Get(n.AppendBinary(nil))(t)
		if want == nil {
			want = got
		} else if !bytes.Equal(got, want) {
			t.Errorf("%d workers: other weights than with 1", workers)
		}
	}
}

// TestProducts compares products with plain loops.
func TestProducts(t *testing.T) {
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
			w := vector(rows * cols)
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
}

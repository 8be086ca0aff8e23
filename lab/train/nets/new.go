package nets

import (
	"math"
	"math/rand/v2"

	"chaffinch/internal/recurrent"
)

// New returns a network with random weights: uniform with the limit sqrt(6/(in+out)) (Glorot and
// Bengio, AISTATS 2010). Biases are 0, except of the forget gates, which are 1. Embeddings
// are small.
func New(s recurrent.Shape, seed uint64) (*recurrent.Net, error) {
	n, err := recurrent.Empty(s)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0x6e6574))
	draw := func(w []float32, in, out int) {
		limit := math.Sqrt(6 / float64(in+out))
		for i := range w {
			w[i] = float32((float64(2*rng.Float64()) - 1) * limit)
		}
	}
	draw(n.W.Project, s.Width(), s.Project)
	for _, l := range n.W.Layers {
		for _, c := range l {
			draw(c.X, c.In, s.Hidden)
			draw(c.H, s.Hidden, s.Hidden)
			if s.Cell == recurrent.LSTM {
				for i := range s.Hidden {
					c.B[s.Hidden+i] = 1
				}
			}
		}
	}
	draw(n.W.Out[:s.Top()], s.Top(), 1)
	const small = .05
	for i := range n.Table {
		n.Table[i] = float32((float64(2*rng.Float64()) - 1) * small)
	}
	return n, nil
}

// Clone returns a copy of n.
func Clone(n *recurrent.Net) *recurrent.Net {
	c, _ := recurrent.Empty(n.Shape)
	copy(c.Flat, n.Flat)
	copy(c.Table, n.Table)
	return c
}

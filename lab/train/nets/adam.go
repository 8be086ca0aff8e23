package nets

import (
	"math"

	"chaffinch/internal/recurrent"
)

// adam holds running means of the gradient and of its square (Kingma and Ba, Adam: a method for
// stochastic optimization, ICLR 2015). Table rows without a gradient in a step do not change.
type adam struct {
	cfg         Config
	beta1t      float64 // beta1 to the power of the steps
	beta2t      float64
	flat, table moments
	decays      []bool    // by weight: all except biases
	anchor      []float32 // the initial weights
	anchorTable []float32
}

// moments holds the running means for each weight.
type moments struct{ mean, square []float32 }

func newMoments(n int) moments { return moments{make([]float32, n), make([]float32, n)} }

const (
	beta1   = .9
	beta2   = .99
	epsilon = 1e-8
)

func newAdam(n *recurrent.Net, cfg Config) *adam {
	a := &adam{cfg: cfg, beta1t: 1, beta2t: 1, flat: newMoments(len(n.Flat)), table: newMoments(len(n.Table)), decays: make([]bool, len(n.Flat))}
	for i := range a.decays {
		a.decays[i] = true
	}
	n.View(nil, func(from, to int) { clear(a.decays[from:to]) })
	if cfg.Anchor > 0 {
		c := Clone(n)
		a.anchor, a.anchorTable = c.Flat, c.Table
	}
	return a
}

// step updates the weights with the gradient g.
func (a *adam) step(n *recurrent.Net, g *gradient, rate float64) {
	a.beta1t *= beta1
	a.beta2t *= beta2
	scale := float32(a.clip(g, n.Dim))
	lr := float32(rate / (1 - a.beta1t))
	root := float32(1 / (1 - a.beta2t))
	decay, tableDecay, anchor := float32(rate*a.cfg.Decay), float32(rate*a.cfg.TableDecay), float32(min(1, rate*a.cfg.Anchor))
	for i, d := range g.flat {
		w := n.Flat[i]
		if a.decays[i] {
			w -= float32(decay * w)
		}
		if a.anchor != nil {
			w += float32(anchor * (a.anchor[i] - w))
		}
		n.Flat[i] = a.flat.move(w, i, d*scale, lr, root)
	}
	for _, r := range g.rows {
		for i := int(r) * n.Dim; i < (int(r)+1)*n.Dim; i++ {
			w := n.Table[i]
			w -= float32(tableDecay * w)
			if a.anchor != nil {
				w += float32(anchor * (a.anchorTable[i] - w))
			}
			n.Table[i] = a.table.move(w, i, g.table[i]*scale, lr, root)
		}
	}
}

// move returns weight w after a step with gradient d.
func (m moments) move(w float32, i int, d, lr, root float32) float32 {
	mean := m.mean[i] + float32((1-beta1)*(float32(d)-m.mean[i]))
	square := m.square[i] + float32((1-beta2)*(float32(d*d)-m.square[i]))
	m.mean[i], m.square[i] = mean, square
	return w - float32(lr*mean)/(float32(math.Sqrt(float64(square*root)))+epsilon)
}

// clip returns the factor that limits the norm of g.
func (a *adam) clip(g *gradient, dim int) float64 {
	if a.cfg.Clip == 0 {
		return 1
	}
	var sum float64
	for _, d := range g.flat {
		sum += float64(float32(d * d))
	}
	for _, r := range g.rows {
		for _, d := range g.table[int(r)*dim : (int(r)+1)*dim] {
			sum += float64(float32(d * d))
		}
	}
	if length := math.Sqrt(sum); length > a.cfg.Clip {
		return a.cfg.Clip / length
	}
	return 1
}

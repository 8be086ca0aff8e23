package blocks

import (
	"math"
	"math/rand/v2"
	"slices"

	"chaffinch/clean/blocks"
)

// descent is the state of training a linear model: stochastic gradient descent on the log loss with
// a learning rate for each weight (AdaGrad: Duchi, Hazan and Singer, Adaptive subgradient methods,
// JMLR 12, 2011).
type descent struct {
	bias    float32
	slabs   [][]float32
	squares [][]float32 // sums of squared gradients
	rate    float32
}

func newDescent(policies int) *descent {
	d := &descent{}
	for range policies + 1 {
		d.slabs = append(d.slabs, make([]float32, blocks.SlabSlots))
		d.squares = append(d.squares, make([]float32, blocks.SlabSlots))
	}
	return d
}

// step trains on a block: its slots, policy, target and weight.
func (d *descent) step(slots []uint32, policy int, target, weight float32) {
	all, own := d.slabs[0], d.slabs[policy+1]
	z := d.bias
	for _, k := range slots {
		z += all[k] + own[k]
	}
	g := weight * (sigmoid(z) - target)
	d.bias -= float32(.01 * d.rate * g)
	g2 := float32(g * g)
	allSq, ownSq := d.squares[0], d.squares[policy+1]
	for _, k := range slots {
		allSq[k] += g2
		all[k] -= d.rate * g / float32(math.Sqrt(float64(allSq[k])+1))
		ownSq[k] += g2
		own[k] -= d.rate * g / float32(math.Sqrt(float64(ownSq[k])+1))
	}
}

func sigmoid(z float32) float32 { return float32(1 / (1 + math.Exp(-float64(z)))) }

// fit continues to train d on the blocks of the examples. slots returns the slots of block i of an
// example.
func fit(d *descent, examples []*Example, epochs int, rate float64, seed uint64, slots func(x *blocks.Sheet, i int, dst []uint32) []uint32) *blocks.Linear {
	rng := rand.New(rand.NewPCG(seed, 0))
	order := make([]int, len(examples))
	for i := range order {
		order[i] = i
	}
	var s []uint32
	for e := range epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		d.rate = float32(rate / float64(e+1))
		for _, k := range order {
			x := examples[k]
			for i := range x.target {
				s = slots(x.sheet, i, s[:0])
				d.step(s, x.policy, x.target[i], x.weight[i])
			}
		}
	}
	l := &blocks.Linear{Bias: d.bias}
	for _, w := range d.slabs {
		l.Slabs = append(l.Slabs, pack(w))
	}
	return l
}

// quantile returns the q-quantile of the values.
func quantile(values []float32, q float64) float32 {
	slices.Sort(values)
	return values[int(q*float64(len(values)-1))]
}

// stepsOf quantizes a weight.
func stepsOf(v, scale float32) int8 {
	return int8(max(-blocks.MostSteps, min(blocks.MostSteps, math.RoundToEven(float64(v/scale)))))
}

// pack quantizes weights. The largest thousandth of the nonzero weights is clipped.
func pack(w []float32) blocks.Slab {
	const over = .001
	var sizes []float32
	for _, v := range w {
		if v != 0 {
			sizes = append(sizes, float32(math.Abs(float64(v))))
		}
	}
	s := blocks.Slab{Weights: make([]int8, len(w))}
	if len(sizes) == 0 {
		return s
	}
	s.Scale = quantile(sizes, 1-over) / blocks.MostSteps
	for i, v := range w {
		s.Weights[i] = stepsOf(v, s.Scale)
	}
	return s
}

// general returns l without the slabs of conventions.
func general(l *blocks.Linear) *blocks.Linear {
	return &blocks.Linear{Bias: l.Bias, Slabs: l.Slabs[:blocks.Slabs]}
}

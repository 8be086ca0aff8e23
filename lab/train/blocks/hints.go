package blocks

import (
	"math"
	"math/rand/v2"

	"chaffinch/clean/blocks"
	"chaffinch/page"
)

// hintWeights holds the weights of a token during training with the sum of the squared gradients.
type hintWeights struct {
	w      [blocks.Roles]float32
	square float32
}

// fitHints trains the model of hints on the known roles of the blocks: stochastic gradient descent
// on the log probability (softmax; AdaGrad with a learning rate for each token).
func fitHints(examples []*Example, keeps map[string]likelihoods, epochs int, rate float64, seed uint64) *blocks.Hints {
	rng := rand.New(rand.NewPCG(seed, 1))
	attr, words := make([]hintWeights, blocks.HintRows), make([]hintWeights, blocks.HintRows)
	h := &blocks.Hints{Bias: startBias(examples)}
	order := make([]int, len(examples))
	for i := range order {
		order[i] = i
	}
	var a, w []uint32
	for e := range epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		step := float32(rate / float64(e+1))
		for _, k := range order {
			x := examples[k]
			keep := keeps[x.convention]
			for i := range x.weight {
				a, w = x.sheet.AttrSlots(i, a[:0]), x.sheet.WordSlots(i, w[:0])
				learnHints(h, attr, a, words, w, x.evidence(i, keep), x.weight[i], step)
			}
		}
	}
	packHints(h, attr, words)
	return h
}

// startBias returns the logarithms of the weighted fractions of the roles among annotated blocks.
func startBias(examples []*Example) (bias [blocks.Roles]float32) {
	var sums likelihoods
	for r := range sums {
		sums[r] = 1
	}
	for _, x := range examples {
		for i, r := range x.roles {
			if r != page.NoRole {
				sums[r-1] += x.weight[i]
			}
		}
	}
	var all float32
	for _, v := range sums {
		all += v
	}
	for r, v := range sums {
		bias[r] = float32(math.Log(float64(v / all)))
	}
	return bias
}

// learnHints makes a training step for a block with the likelihoods l.
func learnHints(h *blocks.Hints, attr []hintWeights, a []uint32, words []hintWeights, w []uint32, l likelihoods, weight, rate float32) {
	z := h.Bias
	for _, k := range a {
		for r, v := range attr[k/blocks.RowSlots].w {
			z[r] += v
		}
	}
	for _, k := range w {
		for r, v := range words[k/blocks.RowSlots].w {
			z[r] += v
		}
	}
	high := z[0]
	for _, v := range z {
		high = max(high, v)
	}
	var all, known float32
	for r, v := range z {
		z[r] = float32(math.Exp(float64(v - high)))
		all += z[r]
		known += float32(z[r] * l[r])
	}
	if known <= 0 {
		return
	}
	var g [blocks.Roles]float32
	var square float32
	for r, p := range z {
		g[r] = weight * (p/all - p*l[r]/known)
		square += float32(g[r] * g[r])
	}
	if square < 1e-8 {
		return
	}
	for _, k := range a {
		attr[k/blocks.RowSlots].step(&g, square, rate)
	}
	for _, k := range w {
		words[k/blocks.RowSlots].step(&g, square, rate)
	}
}

// step moves the weights against the gradient.
func (w *hintWeights) step(g *[blocks.Roles]float32, square, rate float32) {
	w.square += square
	f := rate / float32(math.Sqrt(float64(w.square)+1))
	for r := range w.w {
		w.w[r] -= float32(f * g[r])
	}
}

// packHints quantizes the weights.
func packHints(h *blocks.Hints, attr, words []hintWeights) {
	const over = .001 // fraction of the weights that are clipped
	var sizes []float32
	for _, t := range [][]hintWeights{attr, words} {
		for k := range t {
			for _, v := range t[k].w {
				if v != 0 {
					sizes = append(sizes, float32(math.Abs(float64(v))))
				}
			}
		}
	}
	if len(sizes) > 0 {
		h.Scale = quantile(sizes, 1-over) / blocks.MostSteps
	}
	steps := func(t []hintWeights) []blocks.RoleSteps {
		out := make([]blocks.RoleSteps, len(t))
		for k := range t {
			for r, v := range t[k].w {
				if h.Scale > 0 {
					out[k][r] = stepsOf(v, h.Scale)
				}
			}
		}
		return out
	}
	h.Attr, h.Words = steps(attr), steps(words)
}

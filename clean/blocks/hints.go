package blocks

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"chaffinch/page"
)

// hints is a linear model of the roles over hashed tokens: those of the class and id
// attributes around a block, and its first and last words.
type hints struct {
	bias        [page.RoleCount]float32
	scale       float32     // of a step
	attr, words []roleSteps // by slot / rowSlots
}

// hintBits is the number of rows of each table, as a power of two: few, so that
// both stay in the cache of the processor.
const hintBits = 14

// roleSteps are the weights of a token in steps, by role.
type roleSteps [page.RoleCount]int8

// hint returns the column of the hints of a role.
func hint(r page.Role) column { return colHints + column(r) - 1 }

// hintWeights are those of a token while the model is trained, with the sum of the
// squared gradients.
type hintWeights struct {
	w      [page.RoleCount]float32
	square float32
}

// fitHints trains the model on what is known of the roles of the blocks, by
// stochastic gradient descent on the logarithm of the probability of that (softmax;
// AdaGrad with a step for each token).
func fitHints(examples []*Example, keeps map[string]likelihoods, epochs int, rate float64, seed uint64) *hints {
	rng := rand.New(rand.NewPCG(seed, 1))
	attr, words := make([]hintWeights, 1<<hintBits), make([]hintWeights, 1<<hintBits)
	h := &hints{bias: startBias(examples)}
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
				a, w = attrSlots(x, i, a[:0]), wordSlots(x, i, w[:0])
				h.learn(attr, a, words, w, x.evidence(i, keep), x.weight[i], step)
			}
		}
	}
	h.pack(attr, words)
	return h
}

// startBias returns the logarithms of the shares of the roles among annotated
// blocks, by weight.
func startBias(examples []*Example) (bias [page.RoleCount]float32) {
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

// learn takes a step for one block of which the likelihoods l are known.
func (h *hints) learn(attr []hintWeights, a []uint32, words []hintWeights, w []uint32, l likelihoods, weight, rate float32) {
	z := h.bias
	for _, k := range a {
		for r, v := range attr[k/rowSlots].w {
			z[r] += v
		}
	}
	for _, k := range w {
		for r, v := range words[k/rowSlots].w {
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
	var g [page.RoleCount]float32
	var square float32
	for r, p := range z {
		g[r] = weight * (p/all - p*l[r]/known)
		square += float32(g[r] * g[r])
	}
	if square < 1e-8 {
		return
	}
	for _, k := range a {
		attr[k/rowSlots].step(&g, square, rate)
	}
	for _, k := range w {
		words[k/rowSlots].step(&g, square, rate)
	}
}

// step moves the weights against the gradient.
func (w *hintWeights) step(g *[page.RoleCount]float32, square, rate float32) {
	w.square += square
	f := rate / float32(math.Sqrt(float64(w.square)+1))
	for r := range w.w {
		w.w[r] -= float32(f * g[r])
	}
}

// pack rounds the weights to steps.
func (h *hints) pack(attr, words []hintWeights) {
	const over = .001 // the share of the weights that are cut
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
		h.scale = quantile(sizes, 1-over) / mostSteps
	}
	steps := func(t []hintWeights) []roleSteps {
		out := make([]roleSteps, len(t))
		for k := range t {
			for r, v := range t[k].w {
				if h.scale > 0 {
					out[k][r] = stepsOf(v, h.scale)
				}
			}
		}
		return out
	}
	h.attr, h.words = steps(attr), steps(words)
}

// append writes the bias of each role, the scale, and the weights of the tokens of
// attributes, then of those of words, a byte for each role.
func (h *hints) append(b []byte) []byte {
	for _, v := range h.bias {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(h.scale))
	for _, table := range [][]roleSteps{h.attr, h.words} {
		for _, steps := range table {
			for _, v := range steps {
				b = append(b, byte(v))
			}
		}
	}
	return b
}

// readHints reads what append wrote.
func readHints(b []byte) (*hints, error) {
	const k, head = page.RoleCount, 4 * (page.RoleCount + 1)
	if want := head + 2*k<<hintBits; len(b) != want {
		return nil, fmt.Errorf("%d bytes, wanted %d", len(b), want)
	}
	h := new(hints)
	for r := range h.bias {
		h.bias[r] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		if !(math.Abs(float64(h.bias[r])) < 1e3) {
			return nil, fmt.Errorf("bias %v", h.bias[r])
		}
		b = b[4:]
	}
	h.scale, b = math.Float32frombits(binary.LittleEndian.Uint32(b)), b[4:]
	if !(h.scale >= 0 && h.scale < 1e3) {
		return nil, fmt.Errorf("scale %v", h.scale)
	}
	if err := checkSteps(b); err != nil {
		return nil, err
	}
	steps := func() []roleSteps {
		out := make([]roleSteps, 1<<hintBits)
		for i := range out {
			for r := range out[i] {
				out[i][r] = int8(b[r])
			}
			b = b[k:]
		}
		return out
	}
	h.attr = steps()
	h.words = steps()
	return h, nil
}

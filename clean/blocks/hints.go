package blocks

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"chaffinch/page"
)

// hints is a linear model of the roles over hashed tokens: those of the class and id
// attributes around a block, and its first and last words.
type hints struct {
	bias        [page.RoleCount]float32
	scale       float32 // of a step
	shift       uint    // of a slot to a row
	attr, words []roleSteps
}

// hintBits is the number of rows of each table of a model that is trained, as a
// power of two: few, so that both stay in the cache of the processor.
const hintBits = 14

// roleSteps are the weights of a token in steps, by role: a byte each, plus
// middle, eight in a word.
type roleSteps [2]uint64

const (
	middle   = 128
	perWord  = 8   // roles
	maxAdded = 256 // tokens, whose bytes fit into 16 bits
	evens    = 0x00ff00ff00ff00ff
)

// packSteps packs the weights of a token.
func packSteps(steps *[page.RoleCount]int8) (w roleSteps) {
	for r, v := range steps {
		w[r/perWord] |= uint64(int(v)+middle) << (8 * (r % perWord))
	}
	return w
}

// of returns the weight of role r.
func (w roleSteps) of(r int) int8 { return int8(int(w[r/perWord]>>(8*(r%perWord))&0xff) - middle) }

// roleSums are sums of weights, by role.
type roleSums [page.RoleCount]int32

// add adds the weights of slots in a table. One addition adds those of four roles:
// the bytes of a word are taken apart into even and odd ones, with 16 bits for each.
func (h *hints) add(z *roleSums, table []roleSteps, slots []uint32) {
	shift := h.shift & 31
	for len(slots) > 0 {
		part := slots[:min(len(slots), maxAdded)]
		slots = slots[len(part):]
		var even, odd, even8, odd8 uint64
		for _, k := range part {
			w := &table[k>>shift]
			even += w[0] & evens
			odd += w[0] >> 8 & evens
			even8 += w[1] & evens
			odd8 += w[1] >> 8 & evens
		}
		less := int32(len(part)) * middle
		for r := 0; r+1 < perWord; r += 2 {
			z[r] += int32(even&0xffff) - less
			z[r+1] += int32(odd&0xffff) - less
			even, odd = even>>16, odd>>16
		}
		for r := perWord; r < len(z); r++ {
			z[r] += int32(even8&0xffff) - less
			even8, odd8 = odd8, even8>>16
		}
	}
}

// plus adds other sums.
func (z *roleSums) plus(y *roleSums) {
	for r := range z {
		z[r] += y[r]
	}
}

// hint returns the column of the hints of a role.
func hint(r page.Role) column { return colHints + column(r) - 1 }

// elementHints are the sums of the weights of an element's tokens: for all
// that stands in it and in the elements around it, and for what it is near to.
type elementHints struct{ any, near roleSums }

// hintElement sets the sums of element e, whose slots are any and near.
func (s *sheet) hintElement(h *hints, e int32, any, near []uint32) {
	if h == nil {
		return
	}
	x := &s.hints[e]
	x.any, x.near = s.hints[s.elems[e].parent].any, roleSums{}
	h.add(&x.any, h.attr, any)
	h.add(&x.near, h.attr, near)
}

// hintBlock sets the columns of the hints for block i, by the slots of the names
// around it and of its words.
func (s *sheet) hintBlock(h *hints, i int, names, words []uint32) {
	e := s.blocks[i].element
	z := s.hints[e].any
	for k, x := 0, e; k < maxNear && x > 0; k, x = k+1, s.elems[x].parent {
		z.plus(&s.hints[x].near)
	}
	h.add(&z, h.attr, names)
	h.add(&z, h.words, words)
	for r, v := range z {
		s.set(colHints+column(r), i, float64(h.bias[r]+float32(v)*h.scale))
	}
}

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
	h := &hints{bias: startBias(examples), shift: uint(slabBits - hintBits)}
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
		for r, v := range attr[k>>h.shift].w {
			z[r] += v
		}
	}
	for _, k := range w {
		for r, v := range words[k>>h.shift].w {
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
		known += z[r] * l[r]
	}
	if known <= 0 {
		return
	}
	var g [page.RoleCount]float32
	var square float32
	for r, p := range z {
		g[r] = weight * (p/all - p*l[r]/known)
		square += g[r] * g[r]
	}
	if square < 1e-8 {
		return
	}
	for _, k := range a {
		attr[k>>h.shift].step(&g, square, rate)
	}
	for _, k := range w {
		words[k>>h.shift].step(&g, square, rate)
	}
}

// step moves the weights against the gradient.
func (w *hintWeights) step(g *[page.RoleCount]float32, square, rate float32) {
	w.square += square
	f := rate / float32(math.Sqrt(float64(w.square)+1))
	for r := range w.w {
		w.w[r] -= f * g[r]
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
		h.scale = quantile(sizes, 1-over) / 127
	}
	steps := func(t []hintWeights) []roleSteps {
		out := make([]roleSteps, len(t))
		for k := range t {
			var steps [page.RoleCount]int8
			for r, v := range t[k].w {
				if h.scale > 0 {
					steps[r] = int8(max(-127, min(127, math.RoundToEven(float64(v/h.scale)))))
				}
			}
			out[k] = packSteps(&steps)
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
		for _, w := range table {
			for r := range page.RoleCount {
				b = append(b, byte(w.of(r)))
			}
		}
	}
	return b
}

// readHints reads what append wrote.
func readHints(b []byte) (*hints, error) {
	const k, head = page.RoleCount, 4 * (page.RoleCount + 1)
	rows := (len(b) - head) / (2 * k)
	if rows < 1 || rows > 1<<slabBits || rows&(rows-1) != 0 || len(b) != head+rows*2*k {
		return nil, fmt.Errorf("%d bytes, wanted %d and two tables of 2^n rows of %d, n at most %d", len(b), head, k, slabBits)
	}
	h := &hints{shift: uint(slabBits - bits.Len(uint(rows)) + 1)}
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
	steps := func() []roleSteps {
		out := make([]roleSteps, rows)
		for i := range out {
			var steps [k]int8
			for r := range steps {
				steps[r] = int8(b[r])
			}
			out[i] = packSteps(&steps)
			b = b[k:]
		}
		return out
	}
	h.attr = steps()
	h.words = steps()
	return h, nil
}

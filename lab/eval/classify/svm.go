package classify

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"chaffinch/internal/parallel"
)

const (
	// bias is the index of the constant feature in the weights.
	bias = 1 << bits
	// tolerance is the maximum violation of the optimality conditions of a trained support vector
	// machine.
	tolerance = .01
	// passes is the maximum number of passes over the documents, as in LIBLINEAR.
	passes = 1000
)

// linear trains a linear support vector machine for each class against the rest. Classes are
// trained independently, so that the result does not depend on the number of cores.
func linear(ctx context.Context, cfg Config, x Vectors, labels [][]int, train []int) (func([]feature) []float64, error) {
	models := make([][]float64, cfg.Classes)
	weight := weights(cfg, labels, train)
	parallel.Each(0, cfg.Classes, func(c int) {
		docs := make([]example, len(train))
		for n, i := range train {
			docs[n] = example{x[i], -1, cfg.Cost}
			if slices.Contains(labels[i], c) {
				docs[n].sign, docs[n].cost = 1, cfg.Cost*weight[c]
			}
		}
		models[c] = machine(ctx, docs, rand.New(rand.NewPCG(cfg.Seed, uint64(c))))
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return func(v []feature) []float64 {
		out := make([]float64, cfg.Classes)
		for c, w := range models {
			out[c] = dot(w, v)
		}
		return out
	}, nil
}

// example is a document of a two-class problem. sign is 1 or -1; cost is the weight of its loss.
type example struct {
	v          []feature
	sign, cost float64
}

// machine trains a support vector machine with squared hinge loss and L2 regularisation by dual
// coordinate descent (Hsieh, Chang, Lin, Keerthi and Sundararajan, A Dual Coordinate Descent Method
// for Large-scale Linear SVM, ICML 2008, algorithm 3: documents whose multiplier stays 0 are
// skipped). It returns the weights, with the weight of a constant feature at [bias].
func machine(ctx context.Context, docs []example, rng *rand.Rand) []float64 {
	w := make([]float64, bias+1)
	alpha := make([]float64, len(docs)) // multipliers
	diagonal := make([]float64, len(docs))
	active := make([]int, len(docs))
	for i, d := range docs {
		active[i] = i
		diagonal[i] = 1 + 1/(2*d.cost)
		for _, f := range d.v {
			diagonal[i] += float64(float64(f.value) * float64(f.value))
		}
	}
	bound := math.Inf(1) // the largest gradient of the last pass: multipliers at 0 with a larger gradient are skipped
	for range passes {
		if ctx.Err() != nil {
			return w
		}
		rng.Shuffle(len(active), func(i, j int) { active[i], active[j] = active[j], active[i] })
		highest, lowest := math.Inf(-1), math.Inf(1)
		kept := active[:0]
		for _, i := range active {
			d := &docs[i]
			gradient := float64(d.sign*dot(w, d.v)) - 1 + alpha[i]/(2*d.cost)
			projected := gradient
			if alpha[i] == 0 {
				if gradient > bound {
					continue
				}
				projected = min(gradient, 0)
			}
			kept = append(kept, i)
			highest, lowest = max(highest, projected), min(lowest, projected)
			if projected == 0 {
				continue
			}
			before := alpha[i]
			alpha[i] = max(before-gradient/diagonal[i], 0)
			step := float64((alpha[i] - before) * d.sign)
			w[bias] += step
			for _, f := range d.v {
				w[f.id] += float64(step * float64(f.value))
			}
		}
		whole := len(kept) == len(docs)
		active = kept
		if highest-lowest > tolerance {
			if bound = highest; bound <= 0 {
				bound = math.Inf(1)
			}
			continue
		}
		if whole {
			break
		}
		// Converged on the active documents: a pass over all documents decides.
		active, bound = active[:0], math.Inf(1)
		for i := range docs {
			active = append(active, i)
		}
	}
	return w
}

func dot(w []float64, v []feature) float64 {
	sum := w[bias]
	for _, f := range v {
		sum += float64(w[f.id] * float64(f.value))
	}
	return sum
}

package labels

import (
	"context"
	"math"
	"math/rand/v2"
)

const (
	// tolerance is the maximum violation of the optimality conditions of a trained machine.
	tolerance = .05
	// passes is the maximum number of passes over the documents.
	passes = 300
)

// example is a document of a problem of two classes. sign is 1 or -1; cost is the weight of its
// loss.
type example struct {
	v          []feature
	sign, cost float64
}

// machine trains a linear support vector machine with squared hinge loss and returns its weights
// by row, followed by the constant.
//
// It minimizes half the squared norm of the weights plus the sum of cost times
// max(0, 1 - sign score)^2 by dual coordinate descent with shrinking: Hsieh et al., A Dual
// Coordinate Descent Method for Large-scale Linear SVM, ICML 2008, algorithm 3.
func machine(ctx context.Context, size int, docs []example, rng *rand.Rand) []float32 {
	w := make([]float32, size+1)
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
	bound := math.Inf(1) // largest gradient of the last pass: multipliers at 0 with a larger gradient are skipped
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
			step := float32((alpha[i] - before) * d.sign)
			w[size] += step
			for _, f := range d.v {
				w[f.row] += float32(step * f.value)
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

// dot returns the score of a vector.
func dot(w []float32, v []feature) float64 {
	sum := float64(w[len(w)-1])
	for _, f := range v {
		sum += float64(float32(w[f.row] * f.value))
	}
	return sum
}

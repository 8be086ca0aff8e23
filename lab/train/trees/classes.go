package trees

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"chaffinch/internal/boost"
)

// Evidence is the evidence for the class of a row: element k is the likelihood of the observation
// if the row is of class k, 0 to 1. A row with a known class has 1 for it and 0 for others; a row
// without evidence has equal values.
type Evidence []float32

// Tasks lists the binary tasks for which the levels of trees are chosen: element k of each reports
// whether class k is positive.
type Tasks [][]bool

// TrainClasses fits a forest for the probabilities of classes. The class of a row need not be
// known: evidence[of[i]] is the evidence for row i.
//
// With z the scores of a row, p = softmax(z) and L its evidence, the loss of a row of weight w is
// -w ln(sum p L). Its negative gradient is g = w(q-p), where q, proportional to pL, is the
// posterior of the class: the expectation step of expectation maximisation, repeated for each tree.
// Its second derivative is w(p(1-p) - q(1-q)).
//
// A tree has one value for each leaf and class. Its levels are those of a binary tree for one of
// the tasks, a class or a set of classes against the others, drawn at random. With a separate tree
// for each class, as is usual, scoring would take several times longer (compare Iosipoi and
// Vakhrushev, SketchBoost, NeurIPS 2022, where the levels are found from a projection of the
// gradients).
//
// gain holds the total gain of the splits on each column, including shifted ones.
func TrainClasses(ctx context.Context, cfg Config, m *boost.Matrix, features []boost.Feature, of []uint32, evidence []Evidence, weight []float32, tasks Tasks, progress func(done, total int)) (f *boost.Classes, gain []float64, err error) {
	t, err := newClassTrainer(m, features, of, evidence, weight, tasks, cfg)
	if err != nil {
		return nil, nil, err
	}
	for n := range cfg.Trees {
		if err := ctx.Err(); err != nil {
			return nil, nil, fmt.Errorf("trees: after %d of %d trees: %w", n, cfg.Trees, err)
		}
		t.grow(n)
		if progress != nil {
			progress(n+1, cfg.Trees)
		}
	}
	gain = make([]float64, len(m.Cols))
	for i, x := range t.features {
		gain[x.Col] += t.gain[i]
	}
	return boost.NewClasses(t.classes, t.features, t.trees, t.prior), gain, nil
}

// classTrainer is the state between trees.
type classTrainer struct {
	*trainer
	classes  int
	of       []uint32
	evidence []Evidence
	tasks    Tasks
	prior    []float32
	p        []float32 // probabilities by row and class before the last tree
	belief   []float32 // posteriors by row and class
	moved    []float32 // e to the power of the values of the last tree, nil before the first
}

func newClassTrainer(m *boost.Matrix, features []boost.Feature, of []uint32, evidence []Evidence, weight []float32, tasks Tasks, cfg Config) (*classTrainer, error) {
	if len(of) != m.Rows {
		return nil, fmt.Errorf("trees: %d rows with evidence for %d: wanted as many", m.Rows, len(of))
	}
	if len(evidence) == 0 || len(tasks) == 0 {
		return nil, errors.New("trees: classes without evidence or without tasks")
	}
	k := len(evidence[0])
	if k < 2 || k > boost.MaxClasses {
		return nil, fmt.Errorf("trees: %d classes, wanted 2 to %d", k, boost.MaxClasses)
	}
	for i, e := range evidence {
		var sum float32
		for _, l := range e {
			if !(l >= 0 && l <= 1) {
				return nil, fmt.Errorf("trees: evidence %d: likelihood %v, wanted 0 to 1", i, l)
			}
			sum += l
		}
		if len(e) != k || sum == 0 {
			return nil, fmt.Errorf("trees: evidence %d: %d likelihoods with sum %v, wanted %d and above 0", i, len(e), sum, k)
		}
	}
	for i, task := range tasks {
		if len(task) != k {
			return nil, fmt.Errorf("trees: task %d: %d classes, wanted %d", i, len(task), k)
		}
	}
	for i, e := range of {
		if int(e) >= len(evidence) {
			return nil, fmt.Errorf("trees: row %d: evidence %d of %d", i, e, len(evidence))
		}
	}
	inner, err := newTrainer(m, features, make([]float32, m.Rows), weight, nil, cfg)
	if err != nil {
		return nil, err
	}
	t := &classTrainer{trainer: inner, classes: k, of: of, evidence: evidence, tasks: tasks,
		p: make([]float32, m.Rows*k), belief: make([]float32, m.Rows*k)}
	t.start()
	return t, nil
}

// start sets the initial scores to the class frequencies, estimated by a few rounds of expectation
// maximisation on the evidence.
func (t *classTrainer) start() {
	k := t.classes
	weight := make([]float64, len(t.evidence))
	for i, e := range t.of {
		weight[e] += float64(t.weight[i])
	}
	share := make([]float64, k)
	for c := range share {
		share[c] = 1 / float64(k)
	}
	const rounds = 20
	for range rounds {
		next := make([]float64, k)
		for e, w := range weight {
			var sum float64
			for c, l := range t.evidence[e] {
				sum += float64(share[c] * float64(l))
			}
			for c, l := range t.evidence[e] {
				if sum > 0 {
					next[c] += w * share[c] * float64(l) / sum
				}
			}
		}
		var all float64
		for _, w := range next {
			all += w
		}
		for c := range share {
			share[c] = max(next[c]/all, 1e-4)
		}
	}
	t.prior = make([]float32, k)
	for c, s := range share {
		t.prior[c] = float32(math.Log(s))
	}
	p := make([]float32, k)
	boost.Softmax(p, t.prior)
	for i := range t.m.Rows {
		copy(t.p[i*k:], p)
	}
}

// grow adds a tree.
func (t *classTrainer) grow(n int) {
	t.derive(t.tasks[rand.New(rand.NewPCG(t.cfg.Seed, 1<<40+uint64(n))).IntN(len(t.tasks))])
	t.sample(n)
	levels := t.splits(t.choose(n))
	t.trees = append(t.trees, boost.Tree{Levels: levels, Values: t.leafValues(levels)})
}

// derive updates the probabilities with the last tree, and computes posteriors and the derivatives
// of a task. Adding v to a score multiplies its probability by e^v before normalisation, so a tree
// costs one exponential for each leaf and class, not for each row and class.
func (t *classTrainer) derive(task []bool) {
	k := t.classes
	chunks(t.cfg.Workers, t.m.Rows, func(_, from, to int) {
		for i := from; i < to; i++ {
			w := t.weight[i]
			if w == 0 {
				continue // remains 0
			}
			p, q := t.p[i*k:(i+1)*k], t.belief[i*k:(i+1)*k]
			if t.moved != nil {
				move(p, t.moved[int(t.leaves[i])*k:])
			}
			yes, believed := posterior(q, p, t.evidence[t.of[i]], task)
			t.g[i] = w * (believed - yes)
			t.h[i] = w * max(curvature(yes, believed), 1e-6)
		}
	})
}

// move multiplies probabilities by factors and normalises them. None becomes 0, from which it could
// not recover.
func move(p, factors []float32) {
	const least = 1e-9
	factors = factors[:len(p)]
	var sum float32
	for c, f := range factors {
		v := float32(p[c]*f) + least
		p[c] = v
		sum += v
	}
	scale := 1 / sum
	for c := range p {
		p[c] *= scale
	}
}

// posterior sets q to the posterior of the class, and returns the prior and posterior probability of
// the positive classes.
func posterior(q, p []float32, evidence Evidence, task []bool) (yes, believed float32) {
	q, evidence, task = q[:len(p)], evidence[:len(p)], task[:len(p)]
	var sum float32
	for c, v := range p {
		b := float32(v * evidence[c])
		q[c] = b
		sum += b
	}
	scale := 1 / sum
	for c, b := range q {
		b = float32(b * scale)
		q[c] = b
		if task[c] {
			yes += p[c]
			believed += b
		}
	}
	return yes, believed
}

// curvature returns the second derivative of the loss for a class of probability p and posterior q.
// It is 0 if the evidence does not change p, and is limited to at least a fraction of the value for
// a known class.
func curvature(p, q float32) float32 {
	const floor = .3
	known := float32(p * (1 - p))
	if left := known - float32(q*(1-q)); left > floor*known {
		return left
	}
	return floor * known
}

// leafValues returns the values of the leaves of a new tree, by leaf and class, from all rows, and
// stores their effect on the probabilities.
func (t *classTrainer) leafValues(levels []boost.Split) []float64 {
	k, n := t.classes, 1<<len(levels)
	parts := make([][]leafSum, chunkCount(t.m.Rows))
	chunks(t.cfg.Workers, t.m.Rows, func(c, from, to int) {
		t.find(levels, from, to)
		sums := make([]leafSum, n*k)
		for i := from; i < to; i++ {
			if w := t.weight[i]; w > 0 {
				addLeaf(sums[int(t.leaves[i])*k:][:k], t.p[i*k:], t.belief[i*k:], w)
			}
		}
		parts[c] = sums
	})
	const farthest = 60 // more than from the lowest probability to 1
	values := make([]float64, n*k)
	t.moved = make([]float32, n*k)
	for l := range values {
		var all leafSum
		for _, sums := range parts {
			all.g += sums[l].g
			all.h += sums[l].h
		}
		values[l] = t.cfg.Rate * all.g / (all.h + t.cfg.Lambda)
		t.moved[l] = float32(math.Exp(min(max(values[l], -farthest), farthest)))
	}
	return values
}

// addLeaf adds the derivatives of a row of weight w to the sums of its leaf.
func addLeaf(leaf []leafSum, p, belief []float32, w float32) {
	p, belief = p[:len(leaf)], belief[:len(leaf)]
	for c := range leaf {
		s := &leaf[c]
		s.g += float64(w * (belief[c] - p[c]))
		s.h += float64(w * curvature(p[c], belief[c]))
	}
}

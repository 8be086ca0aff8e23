// Package classify measures how well texts are sorted into classes: what the
// cleaning of pages does to classification. Learners are linear and take seconds.
//
// The model of package filter/nontext is linear on hashed n-grams too, but made for
// two classes, of windows, with steps of statistics and a limit: nothing of it but
// the idea fits here.
package classify

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/parallel"
	"chaffinch/token"
)

// Doc is a text with its classes.
type Doc struct {
	Text string
	// Labels are the numbers of its classes, in order; one unless the task has several.
	Labels []int
}

// Split parts documents into those to learn from and those to measure with.
type Split struct {
	Name        string
	Train, Test []int
}

// bits is the size of the table of hashed n-grams.
const bits = 18

// feature is an n-gram with its weight in a text.
type feature struct {
	id    uint32
	value float32
}

// Vectors are texts as the learners see them: words and pairs of words in lower case,
// hashed, with 1 + log of their counts; linear weighs them by their rarity and makes
// the vectors one long.
type Vectors [][]feature

// Vectorize makes vectors of texts, on all cores.
func Vectorize(texts []string) Vectors {
	out := make(Vectors, len(texts))
	parallel.Each(0, len(texts), func(i int) { out[i] = vector(texts[i]) })
	return out
}

func vector(text string) []feature {
	var ids []uint32
	var buf []byte
	before := uint64(0)
	for _, w := range token.Words(text, nil) {
		buf = append(buf[:0], text[w.Start:w.End]...)
		for i, c := range buf {
			if 'A' <= c && c <= 'Z' {
				buf[i] = c + 'a' - 'A'
			}
		}
		h := xxh3.Hash(buf)
		ids = append(ids, uint32(h>>(64-bits)))
		if before != 0 {
			ids = append(ids, uint32((h*0x9e3779b97f4a7c15^before)>>(64-bits)))
		}
		before = h | 1
	}
	slices.Sort(ids)
	var out []feature
	for i := 0; i < len(ids); {
		j := i
		for j < len(ids) && ids[j] == ids[i] {
			j++
		}
		out = append(out, feature{ids[i], float32(1 + math.Log(float64(j-i)))})
		i = j
	}
	return out
}

// Learners are the names of the learners.
var Learners = []string{"linear", "bayes"}

// Config says how a learner learns.
type Config struct {
	// Learner is one of [Learners]: "linear" is logistic regression, a class against the
	// others, "bayes" multinomial naive Bayes.
	Learner string
	// Classes is the number of classes; Several tells that a document may have more
	// than one, or none.
	Classes int
	Several bool
	// Weigh weighs the classes by their rarity.
	Weigh bool
	// Epochs is the number of passes of linear, Rate its step, L2 the pull towards 0.
	Epochs int
	Rate   float64
	L2     float64
	// Seed is that of the order of the documents.
	Seed uint64
}

// Default is the setting for a learner. No value was searched for; what was changed
// after figures had been seen is told in docs/eval/classify.md.
var Default = Config{Learner: "linear", Weigh: true, Epochs: 10, Rate: .5, L2: 1e-6, Seed: 1}

// Predict learns from the documents of a split and returns the classes of those to
// measure with, in their order.
func Predict(ctx context.Context, cfg Config, x Vectors, labels [][]int, s Split) ([][]int, error) {
	var scores func(v []feature) []float64
	var err error
	switch cfg.Learner {
	case "linear":
		x = weighted(x, s.Train)
		scores, err = linear(ctx, cfg, x, labels, s.Train)
	case "bayes":
		scores = bayes(cfg, x, labels, s.Train)
	default:
		err = fmt.Errorf("learner %q: wanted one of %s", cfg.Learner, strings.Join(Learners, ", "))
	}
	if err != nil {
		return nil, err
	}
	out := make([][]int, len(s.Test))
	parallel.Each(0, len(s.Test), func(i int) {
		v := scores(x[s.Test[i]])
		best := 0
		for c := range v {
			if v[c] > v[best] {
				best = c
			}
			if cfg.Several && v[c] > 0 {
				out[i] = append(out[i], c)
			}
		}
		if !cfg.Several {
			out[i] = []int{best}
		}
	})
	return out, nil
}

// weighted weighs n-grams by their rarity in the texts to learn from and makes the
// vectors one long.
func weighted(x Vectors, train []int) Vectors {
	df := make([]float64, 1<<bits)
	for _, i := range train {
		for _, f := range x[i] {
			df[f.id]++
		}
	}
	for id := range df {
		df[id] = math.Log((1 + float64(len(train))) / (1 + df[id]))
	}
	out := make(Vectors, len(x))
	parallel.Each(0, len(x), func(i int) {
		v := slices.Clone(x[i])
		sum := 0.0
		for k := range v {
			v[k].value *= float32(df[v[k].id])
			sum += float64(v[k].value) * float64(v[k].value)
		}
		if sum > 0 {
			for k := range v {
				v[k].value /= float32(math.Sqrt(sum))
			}
		}
		out[i] = v
	})
	return out
}

// weights returns how much a document of a class counts where the class is learned,
// others counting 1: as much together as all others if classes are weighed.
func weights(cfg Config, labels [][]int, train []int) []float64 {
	n := make([]float64, cfg.Classes)
	for _, i := range train {
		for _, c := range labels[i] {
			n[c]++
		}
	}
	for c := range n {
		if !cfg.Weigh || n[c] == 0 {
			n[c] = 1
		} else {
			n[c] = (float64(len(train)) - n[c]) / n[c]
		}
	}
	return n
}

// linear trains a logistic regression for each class by AdaGrad (Duchi, Hazan and
// Singer 2011). Each class is learned by itself, so that cores share the work and the
// result is the same for any number of them.
func linear(ctx context.Context, cfg Config, x Vectors, labels [][]int, train []int) (func([]feature) []float64, error) {
	models := make([][]float32, cfg.Classes)
	weight := weights(cfg, labels, train)
	parallel.Each(0, cfg.Classes, func(c int) {
		w, g := make([]float32, 1<<bits+1), make([]float32, 1<<bits+1) // the last is the bias
		order := slices.Clone(train)
		rng := rand.New(rand.NewPCG(cfg.Seed, uint64(c)))
		for range cfg.Epochs {
			if ctx.Err() != nil {
				return
			}
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			for _, i := range order {
				y, counts := 0.0, 1.0
				if slices.Contains(labels[i], c) {
					y, counts = 1, weight[c]
				}
				d := float32(counts * (1/(1+math.Exp(-dot(w, x[i]))) - y))
				step(w, g, 1<<bits, d, cfg)
				for _, f := range x[i] {
					step(w, g, f.id, d*f.value, cfg)
				}
			}
		}
		models[c] = w
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

func dot(w []float32, v []feature) float64 {
	sum := float64(w[1<<bits])
	for _, f := range v {
		sum += float64(w[f.id] * f.value)
	}
	return sum
}

func step(w, g []float32, i uint32, d float32, cfg Config) {
	d += float32(cfg.L2) * w[i]
	g[i] += d * d
	if g[i] > 0 {
		w[i] -= float32(cfg.Rate) * d / float32(math.Sqrt(float64(g[i])))
	}
}

// smoothing is what bayes adds to the count of each n-gram: little, since most of the
// table is empty for a small class.
const smoothing = .01

// bayes is multinomial naive Bayes; with several classes to a document each class is
// held against the rest.
func bayes(cfg Config, x Vectors, labels [][]int, train []int) func([]feature) []float64 {
	counts := func(is func(i int) bool) (logs []float32, docs float64) {
		sums := make([]float64, 1<<bits)
		total := smoothing * float64(len(sums))
		for _, i := range train {
			if !is(i) {
				continue
			}
			docs++
			for _, f := range x[i] {
				sums[f.id] += float64(f.value)
				total += float64(f.value)
			}
		}
		logs = make([]float32, len(sums))
		for id, s := range sums {
			logs[id] = float32(math.Log((s + smoothing) / total))
		}
		return logs, docs
	}
	yes, no := make([][]float32, cfg.Classes), make([][]float32, cfg.Classes)
	prior := make([]float64, cfg.Classes)
	parallel.Each(0, cfg.Classes, func(c int) {
		in := func(i int) bool { return slices.Contains(labels[i], c) }
		var n float64
		yes[c], n = counts(in)
		if cfg.Several {
			no[c], _ = counts(func(i int) bool { return !in(i) })
		}
		if !cfg.Weigh {
			prior[c] = math.Log((n + 1) / (float64(len(train)) - n + 1))
		}
	})
	return func(v []feature) []float64 {
		out := slices.Clone(prior)
		for c := range out {
			for _, f := range v {
				out[c] += float64(f.value * yes[c][f.id])
				if cfg.Several {
					out[c] -= float64(f.value * no[c][f.id])
				}
			}
		}
		return out
	}
}

// Counts are right and wrong decisions on a class.
type Counts struct{ TP, FP, FN int }

// F1 is the harmonic mean of precision and recall, 0 if nothing was found.
func (c Counts) F1() float64 {
	if c.TP == 0 {
		return 0
	}
	return 2 * float64(c.TP) / float64(2*c.TP+c.FP+c.FN)
}

// Score counts the decisions of all splits by class: got are the classes of the
// documents of each split's Test.
func Score(classes int, labels [][]int, splits []Split, got [][][]int) []Counts {
	out := make([]Counts, classes)
	for k, s := range splits {
		for i, d := range s.Test {
			for c := range out {
				is, said := slices.Contains(labels[d], c), slices.Contains(got[k][i], c)
				switch {
				case is && said:
					out[c].TP++
				case said:
					out[c].FP++
				case is:
					out[c].FN++
				}
			}
		}
	}
	return out
}

// Macro is the mean of the F1 of the classes that occur.
func Macro(counts []Counts) float64 {
	sum, n := 0.0, 0.0
	for _, c := range counts {
		if c.TP+c.FN > 0 {
			sum += c.F1()
			n++
		}
	}
	return sum / max(1, n)
}

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

	"chaffinch/eval/stats"
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

// Vectors are texts as the learners see them.
type Vectors [][]feature

// Vectorize makes vectors of texts, on all cores: words and pairs of words in lower
// case, hashed, with 1 + log of their counts; linear weighs them by their rarity and
// makes the vectors one long.
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

// Learners are the names of the learners of hashed n-grams.
var Learners = []string{"linear", "bayes"}

// Dense is the learner of vectors that something else made, see [ReadVectors]: that
// of "linear", on values brought to mean 0 and deviation 1.
const Dense = "vectors"

// Config says how a learner learns.
type Config struct {
	// Learner is one of [Learners] or [Dense]: "linear" is logistic regression, a class
	// against the others, "bayes" multinomial naive Bayes.
	Learner string
	// Classes is the number of classes; Several tells that a document may have more
	// than one, or none.
	Classes int
	Several bool
	// Weigh is the power of a class's rarity that its documents count by: 0 for all
	// alike, 1 for as much together as all others.
	Weigh float64
	// Epochs is the number of passes of linear, Rate its step, L2 the pull towards 0.
	Epochs int
	Rate   float64
	L2     float64
	// Smoothing is what bayes adds to the count of each n-gram.
	Smoothing float64
	// Seed is that of the order of the documents.
	Seed uint64
}

// Default is the setting for a learner, chosen on the pages of WebKB that are never
// reported ([WebKBOthers]); docs/eval/classify.md has what was tried.
var Default = Config{Learner: "linear", Weigh: .5, Epochs: 20, Rate: .5, L2: 1e-5, Smoothing: .1, Seed: 1}

// Check tells what is wrong with a setting.
func (c Config) Check() error {
	switch {
	case !(c.Weigh >= 0 && c.Weigh <= 2):
		return fmt.Errorf("weigh %v: wanted 0 to 2", c.Weigh)
	case c.Epochs < 1:
		return fmt.Errorf("epochs %d: wanted at least 1", c.Epochs)
	case !(c.Rate > 0) || !(c.L2 >= 0) || !(c.Smoothing > 0):
		return fmt.Errorf("rate %v, l2 %v, smoothing %v: wanted more than 0, and l2 of at least 0", c.Rate, c.L2, c.Smoothing)
	}
	return nil
}

// Predict learns from the documents of a split and returns the classes of those to
// measure with, in their order.
func Predict(ctx context.Context, cfg Config, x Vectors, labels [][]int, s Split) ([][]int, error) {
	var scores func(v []feature) []float64
	var err error
	switch cfg.Learner {
	case "linear":
		x = weighted(x, s.Train)
		scores, err = linear(ctx, cfg, x, labels, s.Train)
	case Dense:
		x = standardized(x, s.Train)
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

// PredictAll predicts the classes of what each split of a task measures with.
func PredictAll(ctx context.Context, cfg Config, x Vectors, t *Task) ([][][]int, error) {
	got := make([][][]int, len(t.Splits))
	for k, s := range t.Splits {
		var err error
		if got[k], err = Predict(ctx, cfg, x, t.Labels, s); err != nil {
			return nil, err
		}
	}
	return got, nil
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
			sum += float64(float64(v[k].value) * float64(v[k].value))
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

// standardized brings the values of dense vectors to mean 0 and deviation 1 in those
// to learn from.
func standardized(x Vectors, train []int) Vectors {
	width := len(x[train[0]])
	means, factors, column := make([]float64, width), make([]float64, width), make([]float64, len(train))
	for k := range width {
		for n, i := range train {
			column[n] = float64(x[i][k].value)
		}
		means[k], factors[k] = stats.Mean(column), 1
		if d := stats.Deviation(column); d > 0 {
			factors[k] = 1 / d
		}
	}
	out := make(Vectors, len(x))
	parallel.Each(0, len(x), func(i int) {
		out[i] = slices.Clone(x[i])
		for k := range out[i] {
			out[i][k].value = float32((float64(out[i][k].value) - means[k]) * factors[k])
		}
	})
	return out
}

// weights returns how much a document of a class counts where the class is learned,
// others counting 1.
func weights(cfg Config, labels [][]int, train []int) []float64 {
	n := make([]float64, cfg.Classes)
	for _, i := range train {
		for _, c := range labels[i] {
			n[c]++
		}
	}
	for c := range n {
		if n[c] == 0 {
			n[c] = 1
		} else {
			n[c] = math.Pow((float64(len(train))-n[c])/n[c], cfg.Weigh)
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
	d += float32(float32(cfg.L2) * w[i])
	g[i] += float32(d * d)
	if g[i] > 0 {
		w[i] -= float32(cfg.Rate) * d / float32(math.Sqrt(float64(g[i])))
	}
}

// bayes is multinomial naive Bayes; with several classes to a document each class is
// held against the rest.
func bayes(cfg Config, x Vectors, labels [][]int, train []int) func([]feature) []float64 {
	counts := func(is func(i int) bool) (logs []float32, docs float64) {
		sums := make([]float64, 1<<bits)
		total := cfg.Smoothing * float64(len(sums))
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
			logs[id] = float32(math.Log((s + cfg.Smoothing) / total))
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
		prior[c] = (1 - cfg.Weigh) * math.Log((n+1)/(float64(len(train))-n+1))
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

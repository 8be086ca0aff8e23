// Package classify measures how well texts are classified, and thus the effect of cleaning on
// classification. [Vectorize] makes vectors, [Predict] trains a learner and predicts, and [Score]
// counts the decisions. Learners are linear and take seconds.
//
// The model of package filter/nontext is also linear on hashed n-grams, but its two classes,
// windows and limit do not fit here.
package classify

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/parallel"
	"chaffinch/lab/eval/stats"
	"chaffinch/text/token"
)

// Doc is a text with its labels.
type Doc struct {
	Text string
	// Labels holds the numbers of its classes in ascending order; exactly one unless the task
	// allows several.
	Labels []int
}

// Split divides documents into training and test documents.
type Split struct {
	Name        string
	Train, Test []int
}

// bits is the binary logarithm of the size of the table of hashed n-grams.
const bits = 18

// feature is an n-gram with its weight in a text.
type feature struct {
	id    uint32
	value float32
}

// Vectors holds the feature vector of each text.
type Vectors [][]feature

// Vectorize returns the vectors of texts, using all cores. Features are words and pairs of words in
// lower case, hashed, with the value 1 + log of their counts. The learner "linear" weights them by
// inverse document frequency and normalises the vectors to length 1.
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

// Learners lists the names of the learners of hashed n-grams.
var Learners = []string{"linear", "bayes"}

// Dense is the name of the learner of vectors from another program, see [ReadVectors]: linear on
// standardised values.
const Dense = "vectors"

// Config configures a learner.
type Config struct {
	// Learner is one of [Learners] or [Dense]. "linear" is a linear support vector machine, one
	// class against the rest; "bayes" is multinomial naive Bayes.
	Learner string
	// Classes is the number of classes. Several is set if a document may have any number of
	// classes. A class is then assigned from a limit of its score, which is chosen on parts of the
	// training documents, see [Predict].
	Classes int
	Several bool
	// Weigh is the exponent of the class weights: 0 weights all documents equally, 1 gives each
	// class the total weight of all other classes.
	Weigh float64
	// Cost is the weight of the loss of linear relative to the norm of its weights, C in LIBLINEAR.
	Cost float64
	// Smoothing is added by bayes to the count of each n-gram.
	Smoothing float64
	// Seed seeds the order of the documents.
	Seed uint64
}

// Default is the configuration of the learners. It was chosen on pages of WebKB that are never
// reported ([WebKBOthers]); lab/results/classify.md lists the experiments.
var Default = Config{Learner: "linear", Cost: 1, Smoothing: .1, Seed: 1}

// Check returns an error if a setting is out of range.
func (c Config) Check() error {
	switch {
	case !(c.Weigh >= 0 && c.Weigh <= 2):
		return fmt.Errorf("weigh %v: wanted 0 to 2", c.Weigh)
	case !(c.Cost > 0) || !(c.Cost <= 1e6):
		return fmt.Errorf("cost %v: wanted more than 0 and at most 1e6", c.Cost)
	case !(c.Smoothing > 0):
		return fmt.Errorf("smoothing %v: wanted more than 0", c.Smoothing)
	}
	return nil
}

// parts is the number of parts of the training documents that are used to choose the limits of the
// classes.
const parts = 5

// Predict trains on a split and returns the predicted classes of its test documents in order.
// Without [Config.Several] a document gets the class with the highest score. Otherwise it gets each
// class whose score reaches the limit of the class. For the limits, the training documents are
// divided into parts and each part is scored by a model of the others. The limit is the one with
// the highest F1 (SCut: Yang, A Study on Thresholding Strategies for Text Categorization, SIGIR
// 2001).
func Predict(ctx context.Context, cfg Config, x Vectors, labels [][]int, s Split) ([][]int, error) {
	scores, err := learn(ctx, cfg, x, labels, s)
	if err != nil {
		return nil, err
	}
	out := make([][]int, len(s.Test))
	if !cfg.Several {
		for i, v := range scores {
			out[i] = []int{slices.Index(v, slices.Max(v))}
		}
		return out, nil
	}
	limits, err := limits(ctx, cfg, x, labels, s.Train)
	if err != nil {
		return nil, err
	}
	for i, v := range scores {
		for c := range v {
			if v[c] >= limits[c] {
				out[i] = append(out[i], c)
			}
		}
	}
	return out, nil
}

// learn trains on a split and returns the scores of its test documents, one per class.
func learn(ctx context.Context, cfg Config, x Vectors, labels [][]int, s Split) ([][]float64, error) {
	var score func(v []feature) []float64
	var err error
	switch cfg.Learner {
	case "linear":
		x = weighted(x, s.Train)
		score, err = linear(ctx, cfg, x, labels, s.Train)
	case Dense:
		x = standardized(x, s.Train)
		score, err = linear(ctx, cfg, x, labels, s.Train)
	case "bayes":
		score = bayes(cfg, x, labels, s.Train)
	default:
		err = fmt.Errorf("learner %q: wanted one of %s", cfg.Learner, strings.Join(Learners, ", "))
	}
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(s.Test))
	parallel.Each(0, len(s.Test), func(i int) { out[i] = score(x[s.Test[i]]) })
	return out, nil
}

// limits returns the minimum score of each class.
func limits(ctx context.Context, cfg Config, x Vectors, labels [][]int, train []int) ([]float64, error) {
	var docs []int
	var scores [][]float64
	for k := range parts {
		var s Split
		for n, i := range train {
			if n%parts == k {
				s.Test = append(s.Test, i)
			} else {
				s.Train = append(s.Train, i)
			}
		}
		if len(s.Train) == 0 || len(s.Test) == 0 {
			continue
		}
		got, err := learn(ctx, cfg, x, labels, s)
		if err != nil {
			return nil, err
		}
		docs, scores = append(docs, s.Test...), append(scores, got...)
	}
	out := make([]float64, cfg.Classes)
	for c := range out {
		examples := make([]scored, len(docs))
		for n, i := range docs {
			examples[n] = scored{scores[n][c], slices.Contains(labels[i], c)}
		}
		out[c] = limit(examples)
	}
	return out, nil
}

// scored is the score of a document for a class, and whether the document has the class.
type scored struct {
	score float64
	is    bool
}

// limit returns the minimum score with the highest F1, midway to the next lower score, or +Inf if
// no document has the class.
func limit(docs []scored) float64 {
	slices.SortStableFunc(docs, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var n Counts
	for _, d := range docs {
		if d.is {
			n.FN++
		}
	}
	at, best := math.Inf(1), 0.0
	for i, d := range docs {
		if d.is {
			n.TP, n.FN = n.TP+1, n.FN-1
		} else {
			n.FP++
		}
		next := math.Inf(-1)
		if i+1 < len(docs) {
			next = docs[i+1].score
		}
		if f := n.F1(); f > best && next < d.score {
			at, best = d.score, f
			if !math.IsInf(next, -1) {
				at = (d.score + next) / 2
			}
		}
	}
	return at
}

// PredictAll returns the predictions for the test documents of each split of a task.
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

// weighted weights n-grams by their inverse frequency in the training texts and normalises the
// vectors to length 1.
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

// standardized scales dense vectors to mean 0 and equal deviations, and to a mean squared length of
// 1, on the training vectors.
func standardized(x Vectors, train []int) Vectors {
	width := len(x[train[0]])
	means, factors, column := make([]float64, width), make([]float64, width), make([]float64, len(train))
	for k := range width {
		for n, i := range train {
			column[n] = float64(x[i][k].value)
		}
		means[k], factors[k] = stats.Mean(column), 1/math.Sqrt(float64(width))
		if d := stats.Deviation(column); d > 0 {
			factors[k] = 1 / (d * math.Sqrt(float64(width)))
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

// weights returns for each class the weight of its documents when the class is learned; other
// documents have weight 1.
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

// bayes trains multinomial naive Bayes. If documents may have several classes, each class is
// compared with the rest.
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

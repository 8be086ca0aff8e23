// Package classify measures how well texts are sorted into classes: what the
// cleaning of pages does to classification. Learners are linear and take seconds.
//
// The model of package filter/nontext is linear on hashed n-grams too, but made for
// two classes, of windows, with steps of statistics and a limit: nothing of it but
// the idea fits here.
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

// Dense is the learner of vectors that another program made, see [ReadVectors]: linear
// on standardized values.
const Dense = "vectors"

// Config configures a learner.
type Config struct {
	// Learner is one of [Learners] or [Dense]: "linear" is a linear support vector
	// machine, a class against the others, "bayes" multinomial naive Bayes.
	Learner string
	// Classes is the number of classes. Several is set if a document may have more than
	// one class, or none: a class is then assigned from a score on that is chosen on
	// parts of the documents to learn from, see [Predict].
	Classes int
	Several bool
	// Weigh is the power of a class's rarity that its documents count by: 0 weighs all
	// documents equally, 1 gives a class the weight of all other classes together.
	Weigh float64
	// Cost is the weight of the loss of linear against the length of its weights, C in
	// LIBLINEAR.
	Cost float64
	// Smoothing is what bayes adds to the count of each n-gram.
	Smoothing float64
	// Seed is the seed of the order of the documents.
	Seed uint64
}

// Default is the setting of the learners, chosen on pages of WebKB that are never
// reported ([WebKBOthers]); lab/results/classify.md lists what was tried.
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

// parts is the number of parts of the documents to learn from on which the scores are
// chosen from which on a document has a class.
const parts = 5

// Predict learns from the documents of a split and returns the classes of its test
// documents, in their order. Without [Config.Several] a document has the class with the
// highest score. Otherwise it has each class whose score reaches the class's limit:
// the documents to learn from are divided into parts, each is scored by what is learned
// from the others, and the limit is the one with the highest F1 (SCut: Yang, A Study on
// Thresholding Strategies for Text Categorization, SIGIR 2001).
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

// learn learns from the documents of a split and returns the scores of its test
// documents, one a class.
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

// limits returns the score of each class from which on a document has it.
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

// scored is the score of a document for a class, and whether the document has it.
type scored struct {
	score float64
	is    bool
}

// limit returns the lower bound of scores with the highest F1, halfway to the next
// lower score, and +Inf if no document has the class.
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

// standardized brings the values of dense vectors to mean 0 and equal deviations, and the
// mean square of their lengths to 1, in the vectors to learn from.
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

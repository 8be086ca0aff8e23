package labels

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"chaffinch/internal/parallel"
	"chaffinch/text/label"
)

// fitted is a model before calibration.
type fitted struct {
	space   *space
	weights [][]float32 // by class and row, then the constant
}

// fit trains a machine for each class against the rest. Documents of which a class is unknown are
// not used for it.
func fit(ctx context.Context, cfg *Config, rows []int32, docs []*extracted, truths []truth) (*fitted, error) {
	f := &fitted{space: newSpace(docs, cfg, rows)}
	vectors := make([][]feature, len(docs))
	parallel.Each(0, len(docs), func(i int) { vectors[i] = f.space.vector(docs[i]) })
	f.space.release()
	f.weights = make([][]float32, len(truths[0]))
	parallel.Each(0, len(f.weights), func(c int) {
		f.weights[c] = machine(ctx, f.space.size, cfg.examples(vectors, docs, truths, c), rand.New(rand.NewPCG(cfg.Seed, uint64(c))))
	})
	return f, ctx.Err()
}

// examples returns the documents of a class and of the rest.
func (c *Config) examples(vectors [][]feature, docs []*extracted, truths []truth, class int) (list []example) {
	var positive, negative float64
	for i, v := range vectors {
		switch w := docs[i].weight; truths[i][class] {
		case 1:
			positive += w
			list = append(list, example{v, 1, c.Cost * w})
		case 0:
			negative += w
			list = append(list, example{v, -1, c.Cost * w})
		}
	}
	if positive == 0 || negative == 0 { // a weight of 0 is no cost
		return list
	}
	weight := math.Pow(negative/positive, c.Balance)
	for i := range list {
		if list[i].sign > 0 {
			list[i].cost *= weight
		}
	}
	return list
}

// clipped is the fraction of the largest weights of a class that quantization clips.
const clipped = 1e-4

// pack converts weights to steps.
func (f *fitted) pack(w *label.Weights, steps int) {
	k := len(f.weights)
	w.IDs, w.IDF, w.Cuts = f.space.ids, f.space.idf, f.space.cuts
	w.Grams = make([]int8, f.space.size*k)
	w.Unit, w.Bias = make([]float32, k), make([]float32, k)
	for c, list := range f.weights {
		w.Bias[c] = list[f.space.size]
		sizes := make([]float32, f.space.size)
		for r := range sizes {
			sizes[r] = float32(math.Abs(float64(list[r])))
		}
		slices.Sort(sizes)
		high := cmp.Or(sizes[len(sizes)-1-int(clipped*float64(len(sizes)))], 1)
		w.Unit[c] = high / float32(steps)
		for r, v := range list[:f.space.size] {
			q := math.Round(float64(v / w.Unit[c]))
			w.Grams[r*k+c] = int8(max(-float64(steps), min(float64(steps), q)))
		}
	}
}

package lines

import (
	"math"
	"math/rand/v2"
	"slices"

	"chaffinch/clean/lines"
)

// NGramConfig configures the training of the regression over n-grams.
type NGramConfig struct {
	// Epochs is the number of passes over the lines, 0 for no regression.
	Epochs int `json:"epochs"`
	// Rate is the initial learning rate. Decay is the weight decay, times the rate.
	Rate  float64 `json:"rate"`
	Decay float64 `json:"decay"`
}

// sample is a training line.
type sample struct {
	ids            []uint32
	target, weight float32
}

// fitNGrams trains a regression by stochastic gradient descent on the log loss with a learning rate
// for each weight (AdaGrad: Duchi, Hazan and Singer, JMLR 12, 2011). from, if not nil, holds the
// initial weights.
func fitNGrams(samples []sample, cfg NGramConfig, seed uint64, from *lines.NGrams) *lines.NGrams {
	w, squares := make([]float32, len(lines.Weights{})), make([]float32, len(lines.Weights{}))
	var bias float32
	if from != nil {
		for i, v := range from.Weights {
			w[i] = float32(v) * from.Scale
		}
		bias = from.Bias
	}
	rng := rand.New(rand.NewPCG(seed, 0x6772616d))
	order := make([]int, len(samples))
	for i := range order {
		order[i] = i
	}
	for e := range cfg.Epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		rate := float32(cfg.Rate / math.Sqrt(float64(e+1)))
		decay := rate * float32(cfg.Decay)
		for _, k := range order {
			s := &samples[k]
			if len(s.ids) == 0 {
				continue
			}
			var z float32
			for _, id := range s.ids {
				z += w[id]
			}
			value := 1 / float32(math.Sqrt(float64(len(s.ids))))
			g := s.weight * (sigmoid(bias+float32(z*value)) - s.target)
			bias -= float32(.02 * rate * g)
			g *= value
			g2 := float32(g * g)
			for _, id := range s.ids {
				squares[id] += g2
				w[id] -= float32(rate*g)/float32(math.Sqrt(float64(squares[id])+.01)) + float32(decay*w[id])
			}
		}
	}
	return packNGrams(bias, w)
}

// packNGrams quantizes weights to -127..127 steps. The largest two thousandths of the nonzero
// weights are clipped.
func packNGrams(bias float32, w []float32) *lines.NGrams {
	g := &lines.NGrams{Bias: bias}
	var sizes []float32
	for _, v := range w {
		if v != 0 {
			sizes = append(sizes, float32(math.Abs(float64(v))))
		}
	}
	if len(sizes) > 0 {
		slices.Sort(sizes)
		g.Scale = sizes[len(sizes)*998/1000] / 127
		for i, v := range w {
			if g.Scale > 0 {
				g.Weights[i] = int8(max(-127, min(127, math.RoundToEven(float64(v/g.Scale)))))
			}
		}
	}
	return g
}

func sigmoid(z float32) float32 { return float32(1 / (1 + math.Exp(-float64(z)))) }

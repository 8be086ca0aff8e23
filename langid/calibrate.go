package langid

import (
	"math"
	"math/rand/v2"
	"strings"
)

// heldShare says that one line in so many is kept from training, for the
// calibration of probabilities and for the figures of the model card.
const heldShare = 16

// outcome is the scores of a held-out piece.
type outcome struct {
	behind []float64 // distances to the true language's score, true one left out
	rows   float64
}

// loss is the mean of -log P(truth) where scores are softened by a and b.
func loss(outcomes []outcome, a, b float64) float64 {
	sum := 0.0
	for _, o := range outcomes {
		scale, z := math.Exp(a)*math.Pow(o.rows, b), 1.0
		for _, d := range o.behind {
			z += math.Exp(max(-60, min(60, d*scale)))
		}
		sum += math.Log(z)
	}
	return sum / float64(max(1, len(outcomes)))
}

// soften finds the a and b of least loss by search on ever finer grids.
func soften(outcomes []outcome) (a, b float64) {
	best := loss(outcomes, a, b)
	for step := 0.8; step > 0.02; step /= 2 {
		for moved := true; moved; {
			moved = false
			for _, d := range [][2]float64{{step, 0}, {-step, 0}, {0, step / 2}, {0, -step / 2}} {
				if l := loss(outcomes, a+d[0], b+d[1]); l < best-1e-9 {
					a, b, best, moved = a+d[0], b+d[1], l, true
				}
			}
		}
	}
	return a, b
}

// heldPieces calls fn with pieces of the held-out lines of a text.
func (t *text) heldPieces(rng *rand.Rand, n int, fn func(piece string)) {
	if len(t.held) == 0 {
		return
	}
	for range n {
		fn(cut(t.held[rng.IntN(len(t.held))], rng))
	}
}

// calibrate sets the softness of the probabilities and the weights of the
// signs of noise, on held-out lines.
func (m *Model) calibrate(texts, small []*text, cfg TrainConfig) {
	rng := rand.New(rand.NewPCG(3, 4))
	var plain, grouped []outcome
	var quiet [][signs]float64
	var words []string
	for i, t := range texts {
		var g *group
		if k := m.groupOf[i]; k != 0 {
			g = &m.groups[k-1]
		}
		t.heldPieces(rng, 60, func(piece string) {
			var y tally
			m.read(piece, &y, false)
			if y.letters[t.script] == 0 {
				return
			}
			quiet = append(quiet, m.signs(piece, &y, t.script))
			if t.script == 1 {
				words = append(words, asciiWords(piece)...)
			}
			if m.told[t.script] && y.rows > 0 {
				plain = append(plain, m.outcome(&y, m.byScript[t.script], uint8(i)))
			}
			if g != nil {
				y = tally{}
				m.readGroup(g, piece, &y)
				for k, l := range g.langs {
					if int(l) == i && y.rows > 0 {
						grouped = append(grouped, m.outcome(&y, g.classes, g.classes[k]))
					}
				}
			}
		})
	}
	for _, t := range small { // languages that the model does not know are no noise
		for _, lines := range t.sets {
			for range 60 {
				piece := cut(lines[rng.IntN(len(lines))], rng)
				var y tally
				m.read(piece, &y, false)
				quiet = append(quiet, m.signs(piece, &y, t.script))
			}
		}
	}
	m.settings.SoftnessA, m.settings.SoftnessB = soften(plain)
	m.settings.GroupSoftnessA, m.settings.GroupSoftnessB = soften(grouped)
	m.settings.SoftnessA += math.Log(cfg.Caution)
	m.settings.GroupSoftnessA += math.Log(cfg.Caution)
	m.soften()
	if len(words) > 0 {
		m.settings.Noise = m.learnNoise(quiet, words, cfg)
	}
}

func (m *Model) outcome(y *tally, classes []uint8, truth uint8) outcome {
	o := outcome{rows: float64(y.rows)}
	for _, c := range classes {
		if c != truth {
			o.behind = append(o.behind, float64(y.score[c]-y.score[truth])*m.settings.Unit)
		}
	}
	return o
}

// learnNoise trains a logistic regression that tells made noise from held-out
// pieces of language, with as many of the one as of the other.
func (m *Model) learnNoise(quiet [][signs]float64, words []string, cfg TrainConfig) []float64 {
	rng := rand.New(rand.NewPCG(5, 6))
	maker := noiseMaker{rng, func() string { return words[rng.IntN(len(words))] }}
	type example struct {
		x     [signs]float64
		noise float64
	}
	var all []example
	for _, x := range quiet {
		all = append(all, example{x, 0})
		piece := maker.text()
		var y tally
		m.read(piece, &y, false)
		all = append(all, example{m.signs(piece, &y, 1), 1})
	}
	w := make([]float64, signs)
	var square [signs]float64
	for range 30 {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, e := range all {
			sum := 0.0
			for i, v := range e.x {
				sum += w[i] * v
			}
			g := 1/(1+math.Exp(-sum)) - e.noise
			for i, v := range e.x {
				d := g*v + 1e-5*w[i]
				square[i] += d * d
				w[i] -= 0.5 * d / math.Sqrt(square[i]+1)
			}
		}
	}
	w[signBias] += math.Log(cfg.NoiseOdds)
	return w
}

// signs is signsOf with the score of the best language of script s.
func (m *Model) signs(piece string, y *tally, s script) (x [signs]float64) {
	best := int32(math.MinInt32)
	for _, c := range m.byScript[s] {
		best = max(best, y.score[c])
	}
	signsOf(&x, piece, y, max(best, 0), m.settings.Unit)
	return x
}

// asciiWords returns the words of a piece that are plain letters, in small.
func asciiWords(piece string) (words []string) {
	for _, w := range strings.Fields(strings.ToLower(piece)) {
		w = strings.Trim(w, ".,!?:;\"'()")
		ok := len(w) > 2
		for _, c := range w {
			ok = ok && c >= 'a' && c <= 'z'
		}
		if ok {
			words = append(words, w)
		}
	}
	return words
}

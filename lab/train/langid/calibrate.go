package langid

import (
	"math"
	"math/rand/v2"
	"strings"

	"chaffinch/text/langid/evidence"
)

// heldShare is the sampling rate of held-out lines, for the calibration of probabilities and the
// figures of the model card: one in heldShare.
const heldShare = 16

// outcome holds the scores of a held-out piece.
type outcome struct {
	behind []float64 // distances to the score of the true language, without the true one
	rows   float64
}

// loss returns the mean of -log P(truth) for scores softened by a and b.
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

// soften returns the a and b with the lowest loss, by search on successively finer grids.
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

// calibrate sets the softness of the probabilities and the weights of the Signs of noise on
// held-out lines.
func calibrate(m *evidence.Model, texts, small []*text, cfg Config) {
	rng := rand.New(rand.NewPCG(3, 4))
	var plain, grouped []outcome
	var quiet [][evidence.Signs]float64
	var words []string
	for i, t := range texts {
		var g *evidence.Group
		if k := m.GroupOf[i]; k != 0 {
			g = &m.Groups[k-1]
		}
		t.heldPieces(rng, 60, func(piece string) {
			var y evidence.Tally
			m.Read(piece, &y, false)
			if y.Letters[t.script] == 0 {
				return
			}
			quiet = append(quiet, m.Signs(piece, &y, t.script))
			if t.script == 1 {
				words = append(words, asciiWords(piece)...)
			}
			if m.Told[t.script] && y.Rows > 0 {
				plain = append(plain, outcomeOf(m, &y, m.ByScript[t.script], uint16(i)))
			}
			if g != nil {
				y = evidence.Tally{}
				m.ReadGroup(g, piece, &y)
				for k, l := range g.Langs {
					if int(l) == i && y.Rows > 0 {
						grouped = append(grouped, outcomeOf(m, &y, g.Classes, g.Classes[k]))
					}
				}
			}
		})
	}
	for _, t := range small { // languages unknown to the model are not noise
		for _, lines := range t.sets {
			for range 60 {
				piece := cut(lines[rng.IntN(len(lines))], rng)
				var y evidence.Tally
				m.Read(piece, &y, false)
				quiet = append(quiet, m.Signs(piece, &y, t.script))
			}
		}
	}
	m.Settings.SoftnessA, m.Settings.SoftnessB = soften(plain)
	m.Settings.GroupSoftnessA, m.Settings.GroupSoftnessB = soften(grouped)
	m.Settings.SoftnessA += math.Log(cfg.Caution)
	m.Settings.GroupSoftnessA += math.Log(cfg.Caution)
	m.Soften()
	if len(words) > 0 {
		m.Settings.Noise = learnNoise(m, quiet, words, cfg)
	}
}

func outcomeOf(m *evidence.Model, y *evidence.Tally, classes []uint16, truth uint16) outcome {
	o := outcome{rows: float64(y.Rows)}
	for _, c := range classes {
		if c != truth {
			o.behind = append(o.behind, float64(y.Score[c]-y.Score[truth])*m.Settings.Unit)
		}
	}
	return o
}

// learnNoise trains a logistic regression that separates generated noise from held-out pieces of
// language, with equal numbers of both.
func learnNoise(m *evidence.Model, quiet [][evidence.Signs]float64, words []string, cfg Config) []float64 {
	rng := rand.New(rand.NewPCG(5, 6))
	maker := noiseMaker{rng, func() string { return words[rng.IntN(len(words))] }}
	type example struct {
		x     [evidence.Signs]float64
		noise float64
	}
	var all []example
	for _, x := range quiet {
		all = append(all, example{x, 0})
		piece := maker.text()
		var y evidence.Tally
		m.Read(piece, &y, false)
		all = append(all, example{m.Signs(piece, &y, 1), 1})
	}
	w := make([]float64, evidence.Signs)
	var square [evidence.Signs]float64
	for range 30 {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, e := range all {
			sum := 0.0
			for i, v := range e.x {
				sum += float64(w[i] * v)
			}
			g := 1/(1+math.Exp(-sum)) - e.noise
			for i, v := range e.x {
				d := float64(g*v) + float64(1e-5*w[i])
				square[i] += float64(d * d)
				w[i] -= 0.5 * d / math.Sqrt(square[i]+1)
			}
		}
	}
	w[evidence.SignBias] += math.Log(cfg.NoiseOdds)
	return w
}

// asciiWords returns the words of a piece that consist of ASCII letters, in lower case.
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

package langid

import (
	"math"
	"math/rand/v2"
	"slices"
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

// pieces is the number of held-out pieces of a language that calibrate reads.
const pieces = 60

// calibrate sets the softness of the probabilities, the means of the classes and the weights of
// the Signs of noise and of unknown languages on held-out lines.
func calibrate(m *evidence.Model, texts, small []*text, cfg Config) {
	rng := rand.New(rand.NewPCG(3, 4))
	var plain []outcome
	var words, lines []string
	for i, t := range texts {
		var fit, unknown, n float64
		t.heldPieces(rng, pieces, func(piece string) {
			var y evidence.Tally
			m.Read(piece, &y, false)
			if y.Letters[t.script] == 0 {
				return
			}
			lines = append(lines, piece)
			if t.script == 1 {
				words = append(words, asciiWords(piece)...)
			}
			if e, u, ok := m.Fit(&y, i); ok {
				fit, unknown, n = fit+e, unknown+u, n+1
			}
			if m.Told[t.script] && y.Rows > 0 {
				plain = append(plain, outcomeOf(m, &y, m.ByScript[t.script], uint16(i)))
			}
		})
		if c := &m.Settings.Classes[i]; n > 0 {
			c.Evidence, c.Unknown = math.Round(fit/n*1000)/1000, math.Round(unknown/n*1000)/1000
		}
	}
	limitMeans(m.Settings.Classes)
	m.Settings.SoftnessA, m.Settings.SoftnessB = soften(plain)
	m.Settings.SoftnessA += math.Log(cfg.Caution)
	m.Soften()
	if len(words) == 0 {
		return
	}
	var known, strange, noise []signs
	for _, t := range texts {
		t.heldPieces(rng, pieces, func(piece string) {
			known = append(known, signsOf(m, piece))
			if r := romanize(piece, rng); r != "" {
				strange = append(strange, signsOf(m, r))
			}
		})
	}
	for _, t := range small {
		for _, lines := range t.sets {
			for range pieces {
				strange = append(strange, signsOf(m, cut(lines[rng.IntN(len(lines))], rng)))
			}
		}
	}
	maker := noiseMaker{rng, func() string { return words[rng.IntN(len(words))] }, func() string { return lines[rng.IntN(len(lines))] }}
	quiet := append(slices.Clone(known), strange...) // a language that is unknown to the model is not noise
	for range quiet {
		noise = append(noise, signsOf(m, maker.text()))
	}
	m.Settings.Noise = separate(quiet, noise, cfg.NoiseOdds)
	if len(strange) > 0 {
		m.Settings.Strange = separate(known, strange, cfg.StrangeOdds)
	}
}

// limitMeans limits the means of classes to the medians of all classes. The evidence of languages
// with text from few sources is too strong, since held-out lines are from the same sources.
func limitMeans(classes []evidence.ClassSettings) {
	var fits, unknowns []float64
	for _, c := range classes {
		if c.Evidence > 0 {
			fits, unknowns = append(fits, c.Evidence), append(unknowns, c.Unknown)
		}
	}
	if len(fits) == 0 {
		return
	}
	slices.Sort(fits)
	slices.Sort(unknowns)
	for i := range classes {
		if c := &classes[i]; c.Evidence > 0 {
			c.Evidence, c.Unknown = min(c.Evidence, fits[len(fits)/2]), max(c.Unknown, unknowns[len(unknowns)/2])
		}
	}
}

// signs holds the Signs of a piece.
type signs [evidence.Signs]float64

// signsOf returns the signs of a piece in the script of most of its letters.
func signsOf(m *evidence.Model, piece string) signs {
	var y evidence.Tally
	m.Read(piece, &y, false)
	s, ok := y.Script()
	if !ok {
		s = 1
	}
	return m.Signs(piece, &y, s)
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

// separate trains a logistic regression of the odds of b against a, whose examples count as much
// in total. odds are the prior odds of b.
func separate(a, b []signs, odds float64) []float64 {
	rng := rand.New(rand.NewPCG(5, 6))
	type example struct {
		x             signs
		class, weight float64
	}
	var all []example
	for _, x := range a {
		all = append(all, example{x, 0, 1})
	}
	for _, x := range b {
		all = append(all, example{x, 1, float64(len(a)) / float64(len(b))})
	}
	w := make([]float64, evidence.Signs)
	var square signs
	for range 30 {
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, e := range all {
			sum := 0.0
			for i, v := range e.x {
				sum += float64(w[i] * v)
			}
			g := e.weight * (1/(1+math.Exp(-sum)) - e.class)
			for i, v := range e.x {
				d := float64(g*v) + float64(1e-5*w[i])
				square[i] += float64(d * d)
				w[i] -= 0.5 * d / math.Sqrt(square[i]+1)
			}
		}
	}
	w[evidence.SignBias] += math.Log(odds)
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

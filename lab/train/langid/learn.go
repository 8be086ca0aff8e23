package langid

import (
	"math"
	"math/rand/v2"
	"strings"

	"chaffinch/text/langid/evidence"
)

// learner trains the rows of the languages of a script by multinomial logistic
// regression on pieces of lines, the same number for each language.
type learner struct {
	cfg   Config
	inv   *inventory
	first int // number of the first class
	rows  map[uint64]*row
	rng   *rand.Rand
}

// fires appends the rows of the features in text.
func (l *learner) fires(dst []*row, text string) []*row {
	var w evidence.Word
	for i := 0; ; {
		i = w.Next(text, i)
		if w.N == 0 {
			return dst
		}
		if w.Script == l.inv.script {
			dst = l.firesWord(dst, &w)
		}
	}
}

// firesWord is a simple version of Model.add.
func (l *learner) firesWord(dst []*row, w *evidence.Word) []*row {
	if r := l.rows[evidence.WordKey(w.Hash, l.inv.salt)]; r != nil && w.Script != evidence.Hani {
		return append(dst, r)
	}
	var found *row
	evidence.EachGram(w.Script, l.inv.salt, w.Code[:w.N], func(key, _ uint64, order int) {
		if r := l.rows[key]; r != nil {
			found = r
		}
	}, func(int) {
		if found != nil {
			dst = append(dst, found)
		}
		found = nil
	})
	return dst
}

// cut returns a random piece of a line: a third of them with one to five words, the others with up
// to 40.
func cut(line string, rng *rand.Rand) string {
	words := strings.Fields(line)
	most := 40
	if rng.IntN(3) == 0 {
		most = 1 + rng.IntN(5)
	}
	if len(words) > most {
		from := rng.IntN(len(words) - most + 1)
		words = words[from : from+most]
		return strings.Join(words, " ")
	}
	return line
}

// sample returns a random line of a text. Sources are weighted by the square root of their size.
func (l *learner) sample(t *text) string {
	total := 0.0
	for _, s := range t.sets {
		total += math.Sqrt(float64(len(s)))
	}
	x := l.rng.Float64() * total
	for _, s := range t.sets {
		x -= math.Sqrt(float64(len(s)))
		if x <= 0 && len(s) > 0 {
			return s[l.rng.IntN(len(s))]
		}
	}
	return ""
}

// epoch trains on n pieces of each text and returns the accuracy on them before training.
func (l *learner) epoch(n int) float64 {
	right, total := 0, 0
	var fired []*row
	texts := l.inv.texts
	score, p := make([]float64, len(texts)), make([]float64, len(texts))
	order := make([]int, 0, n*len(texts))
	for i := range texts {
		for range n {
			order = append(order, i)
		}
	}
	l.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, truth := range order {
		fired = l.fires(fired[:0], cut(l.sample(texts[truth]), l.rng))
		if len(fired) == 0 {
			continue
		}
		clear(score)
		for _, r := range fired {
			for k, c := range r.classes {
				score[int(c)-l.first] += float64(r.weights[k])
			}
		}
		if softmax(score, p) == truth {
			right++
		}
		total++
		p[truth]--
		l.update(fired, p)
	}
	return float64(right) / float64(max(1, total))
}

// update moves the weights of the fired rows against the gradient (AdaGrad; Duchi, Hazan and Singer
// 2011), and slightly towards their initial values.
func (l *learner) update(fired []*row, gradient []float64) {
	for _, r := range fired {
		for k, c := range r.classes {
			g := float32(gradient[int(c)-l.first]) + float32(float32(l.cfg.Hold)*(r.weights[k]-r.start[k]))
			r.step[k] += float32(g * g)
			r.weights[k] -= float32(l.cfg.Rate) * g / float32(math.Sqrt(float64(r.step[k])+1e-2))
		}
	}
}

// softmax sets p to the probabilities of the scores and returns the index of the best.
func softmax(score, p []float64) (best int) {
	for c, s := range score {
		if s > score[best] {
			best = c
		}
	}
	sum := 0.0
	for c, s := range score {
		p[c] = math.Exp(s - score[best])
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return best
}

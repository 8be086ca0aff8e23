package langid

import (
	"math"
	"math/rand/v2"
	"strings"
)

// learner trains the rows by multinomial logistic regression over the classes
// of a script, on pieces of lines, as many from each language.
type learner struct {
	cfg     TrainConfig
	rows    map[uint64]*row
	classes []class
	script  [maxScripts][]uint8
	rng     *rand.Rand
}

// fires returns the rows that text fires in script s.
func (l *learner) fires(dst []*row, text string, s script) []*row {
	var w word
	for i := 0; ; {
		i = w.next(text, i)
		if w.n == 0 {
			return dst
		}
		if w.script != s {
			continue
		}
		if r := l.rows[w.wordKey()]; r != nil && s != hani {
			dst = append(dst, r)
			continue
		}
		var found *row
		at := 0
		eachGram(s, w.code[:w.n], func(key, _ uint64, order int) {
			if order <= at && found != nil {
				dst = append(dst, found)
				found = nil
			}
			at = order
			if r := l.rows[key]; r != nil {
				found = r
			}
		})
		if found != nil {
			dst = append(dst, found)
		}
	}
}

// piece cuts a random piece out of a line: a third of them of one to five
// words, the others of up to 40.
func (l *learner) piece(line string) string {
	words := strings.Fields(line)
	most := 40
	if l.rng.IntN(3) == 0 {
		most = 1 + l.rng.IntN(5)
	}
	if len(words) > most {
		from := l.rng.IntN(len(words) - most + 1)
		words = words[from : from+most]
		return strings.Join(words, " ")
	}
	return line
}

// sample draws a line of a text: each source by the root of its size.
func (l *learner) sample(t *text) string {
	total := 0.0
	for _, s := range t.lines {
		total += math.Sqrt(float64(len(s)))
	}
	x := l.rng.Float64() * total
	for _, s := range t.lines {
		x -= math.Sqrt(float64(len(s)))
		if x <= 0 && len(s) > 0 {
			return s[l.rng.IntN(len(s))]
		}
	}
	return ""
}

// epoch trains on n pieces of each text and returns the share that was right
// before they were learned from.
func (l *learner) epoch(texts []*text, first []int, n int) float64 {
	right, total := 0, 0
	var fired []*row
	var score, p [maxClasses]float64
	order := make([]int, 0, n*len(texts))
	for i := range texts {
		for range n {
			order = append(order, i)
		}
	}
	l.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for _, i := range order {
		t := texts[i]
		classes := l.script[t.script]
		if len(classes) < 2 {
			continue
		}
		fired = l.fires(fired[:0], l.piece(l.sample(t)), t.script)
		if len(fired) == 0 {
			continue
		}
		for _, c := range classes {
			score[c] = 0
		}
		for _, r := range fired {
			for k, c := range r.classes {
				score[c] += float64(r.weights[k])
			}
		}
		truth := uint8(first[i])
		if softmax(classes, &score, &p) == truth {
			right++
		}
		total++
		p[truth]--
		l.update(fired, &p)
	}
	return float64(right) / float64(max(1, total))
}

// update moves the weights of the fired rows against the gradient (AdaGrad;
// Duchi, Hazan and Singer 2011), and a little towards where they started.
func (l *learner) update(fired []*row, gradient *[maxClasses]float64) {
	for _, r := range fired {
		for k, c := range r.classes {
			g := float32(gradient[c]) + float32(l.cfg.Hold)*(r.weights[k]-r.start[k])
			r.step[k] += g * g
			r.weights[k] -= float32(l.cfg.Rate) * g / float32(math.Sqrt(float64(r.step[k])+1e-2))
		}
	}
}

// softmax fills p with the probabilities of the classes and returns the best.
func softmax(classes []uint8, score, p *[maxClasses]float64) (best uint8) {
	best = classes[0]
	for _, c := range classes {
		if score[c] > score[best] {
			best = c
		}
	}
	sum := 0.0
	for _, c := range classes {
		p[c] = math.Exp(score[c] - score[best])
		sum += p[c]
	}
	for _, c := range classes {
		p[c] /= sum
	}
	return best
}

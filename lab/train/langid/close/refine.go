package close

import (
	"math"
	"math/rand/v2"
	"slices"
)

// example is a document with the weight of its loss, and its source.
type example struct {
	d    *doc
	cost float64
	s    *source
}

// examples returns the documents of the sources in use. The members of a source have the same total
// weight.
func (t *trainer) examples(use []bool) (all []example) {
	sum := 0.0
	for i, s := range t.sources {
		n := make([]int, t.members)
		have := 0
		for j := range s.docs {
			if n[s.docs[j].member]++; n[s.docs[j].member] == 1 {
				have++
			}
		}
		if !use[i] || have < 2 {
			continue
		}
		for j := range s.docs {
			cost := 1 / float64(n[s.docs[j].member])
			all = append(all, example{&s.docs[j], cost, s})
			sum += cost
		}
	}
	for i := range all {
		all[i].cost *= float64(len(all)) / sum
	}
	return all
}

// Numbers of features of a piece of a document in training.
const (
	longPiece  = 150
	shortPiece = 50
)

// piece returns the features of a random piece of a document: a third of the pieces are short.
func piece(ids []int32, rng *rand.Rand) []int32 {
	n := longPiece
	if rng.IntN(3) == 0 {
		n = shortPiece
	}
	if len(ids) <= n {
		return ids
	}
	from := rng.IntN(len(ids) - n)
	return ids[from : from+n]
}

// refine trains the weights further by multinomial logistic regression with AdaGrad (Duchi, Hazan
// and Singer 2011) on the sources in use. A penalty holds the weights near their start.
func (t *trainer) refine(w []float32, use []bool) {
	k := t.members
	start := slices.Clone(w)
	step := make([]float32, len(w))
	all := t.examples(use)
	rng := rand.New(rand.NewPCG(3, 4))
	sum, p := make([]float64, k), make([]float64, k)
	keep := make([]bool, len(t.hashes))
	for f := range keep {
		for m := range k {
			keep[f] = keep[f] || start[f*k+m] != 0
		}
	}
	for range t.cfg.Epochs {
		rng.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
		for _, e := range all {
			ids := piece(e.d.ids, rng)
			rows := t.score(w, ids, sum)
			if rows == 0 {
				continue
			}
			scale := 1 / math.Sqrt(float64(rows))
			for m, c := range e.s.counts { // the source says nothing about a member that it lacks
				if c == nil {
					sum[m] = math.Inf(-1)
				}
			}
			softmax(sum, scale, p)
			p[e.d.member]--
			for _, f := range ids {
				if !keep[f] {
					continue
				}
				for m := range k {
					at := int(f)*k + m
					g := float32(e.cost*scale*p[m]) + float32(t.cfg.Hold)*(w[at]-start[at])
					step[at] += g * g
					w[at] -= float32(t.cfg.Rate) * g / float32(math.Sqrt(float64(step[at])+1e-2))
				}
			}
		}
	}
}

// softmax sets p to the probabilities of the scores times scale.
func softmax(score []float64, scale float64, p []float64) {
	top, z := slices.Max(score), 0.0
	for m, x := range score {
		p[m] = math.Exp((x - top) * scale)
		z += p[m]
	}
	for m := range p {
		p[m] /= z
	}
}

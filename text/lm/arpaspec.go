package lm

import (
	"cmp"
	"fmt"
	"slices"
)

// spec sorts the n-grams that were read. Words are sorted by descending probability, so that
// frequent words share cache lines, and n-grams as a model stores them.
func (a *arpaReader) spec() (*Spec, error) {
	prob := make([]float32, len(a.words))
	bow := make([]float32, len(a.words))
	prob[Unknown], prob[Begin], prob[End] = -100, -99, -99
	for _, g := range a.grams[0] {
		prob[g.Words[0]], bow[g.Words[0]] = g.Prob, g.Backoff
	}
	order := make([]uint32, len(a.words)) // new id -> old id
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order[Special:], func(x, y uint32) int {
		return cmp.Or(cmp.Compare(prob[y], prob[x]), cmp.Compare(a.words[x], a.words[y]))
	})
	order = slices.DeleteFunc(order, func(old uint32) bool { return len(a.words[old]) > maxTokenBytes })
	fresh := make([]uint32, len(a.words))
	s := &Spec{Estimator: KneserNey, Bits: 32, Words: make([]string, len(order))}
	unigrams := make(Slice, len(order))
	for id, old := range order {
		fresh[old] = uint32(id)
		s.Words[id] = a.words[old]
		unigrams[id] = Gram{Prob: prob[old], Backoff: bow[old]}
		unigrams[id].Words[0] = uint32(id)
	}
	grams := []Slice{unigrams}
	for k, gs := range a.grams[1:] {
		for i := range gs {
			for j := range k + 2 {
				gs[i].Words[j] = fresh[gs[i].Words[j]]
			}
		}
		k += 2
		slices.SortFunc(gs, func(x, y Gram) int {
			return cmp.Or(compare(&x.Words, &y.Words, k, len(s.Words)), cmp.Compare(x.Count, y.Count))
		})
		for i := 1; i < len(gs); i++ {
			if gs[i].Words == gs[i-1].Words {
				return nil, fmt.Errorf("line %d: the %d-gram occurs in line %d already", gs[i].Count, k, gs[i-1].Count)
			}
		}
		grams = append(grams, gs)
	}
	close := closer{grams: grams, n: len(s.Words)}
	close.run()
	for _, g := range close.grams {
		for i := range g {
			g[i].Count = 0
		}
		s.Grams = append(s.Grams, g)
	}
	return s, nil
}

// closer adds the suffixes of n-grams that the file omits.
type closer struct {
	grams []Slice
	n     int // size of the vocabulary
}

func (c *closer) run() {
	missing := make([][]Gram, len(c.grams))
	for k := len(c.grams); k > 2; k-- { // order k requires order k-1
		var add []Gram
		for _, from := range [][]Gram{c.grams[k-1], missing[k-1]} {
			for _, g := range from {
				var end Gram
				copy(end.Words[:k-1], g.Words[:k-1])
				if c.find(end.Words, k-1) == nil {
					add = append(add, end)
				}
			}
		}
		slices.SortFunc(add, func(x, y Gram) int { return compare(&x.Words, &y.Words, k-1, c.n) })
		missing[k-2] = slices.CompactFunc(add, func(x, y Gram) bool { return x.Words == y.Words })
	}
	for i, add := range missing {
		k := i + 1
		if len(add) == 0 {
			continue
		}
		for j := range add {
			add[j].Prob = c.prob(add[j].Words, k)
		}
		c.grams[i] = append(c.grams[i], add...)
		slices.SortFunc(c.grams[i], func(x, y Gram) int { return compare(&x.Words, &y.Words, k, c.n) })
	}
}

// prob returns the log10 probability of an n-gram of k words, by backing off if it is missing.
func (c *closer) prob(words [MaxOrder]uint32, k int) float32 {
	if g := c.find(words, k); g != nil {
		return g.Prob
	}
	var context [MaxOrder]uint32
	copy(context[:k-1], words[1:k])
	p := float32(0)
	if g := c.find(context, k-1); g != nil {
		p = g.Backoff
	}
	words[k-1] = 0
	return max(p+c.prob(words, k-1), -99)
}

func (c *closer) find(words [MaxOrder]uint32, k int) *Gram {
	gs := c.grams[k-1]
	i, ok := slices.BinarySearchFunc(gs, words, func(g Gram, w [MaxOrder]uint32) int { return compare(&g.Words, &w, k, c.n) })
	if !ok {
		return nil
	}
	return &gs[i]
}

package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"chaffinch/text/lm"
)

// oracle is modified Kneser-Ney as it is written in the papers: maps from
// n-grams (words joined by blanks) to numbers, every probability by recursion.
type oracle struct {
	order    int
	prune    func(k int) uint64
	keep     map[string]bool
	vocab    []string
	raw      []map[string]uint64  // occurrences, of order k at k
	mass     []map[string]float64 // weighted
	adjusted []map[string]uint64
	adjMass  []map[string]float64
	d        [][3]float64
	fallback []bool
}

type sentence struct {
	words  []string
	weight float64
}

func ngrams(s sentence, k int) (out []string) {
	w := append([]string{"<s>"}, s.words...)
	w = append(w, "</s>")
	for i := 0; i+k <= len(w); i++ {
		out = append(out, strings.Join(w[i:i+k], " "))
	}
	return out
}

func newOracle(cfg Config, text []sentence) *oracle {
	o := &oracle{order: cfg.Order, prune: cfg.prune, keep: map[string]bool{}}
	n := cfg.Order
	for range n + 1 {
		o.raw = append(o.raw, map[string]uint64{})
		o.mass = append(o.mass, map[string]float64{})
		o.adjusted = append(o.adjusted, map[string]uint64{})
		o.adjMass = append(o.adjMass, map[string]float64{})
	}
	var seen []string
	for _, s := range text {
		for k := 1; k <= n; k++ {
			for _, g := range ngrams(s, k) {
				o.raw[k][g]++
				o.mass[k][g] += s.weight
			}
		}
		for _, w := range s.words {
			if !slices.Contains(seen, w) {
				seen = append(seen, w)
			}
		}
	}
	slices.SortStableFunc(seen, func(a, b string) int { return int(o.raw[1][b]) - int(o.raw[1][a]) })
	if cfg.Words > 0 {
		seen = seen[:min(len(seen), max(cfg.Words-lm.Special, 0))]
	}
	o.vocab = []string{"<unk>", "</s>"}
	for _, w := range seen {
		if o.raw[1][w] > cfg.prune(1) {
			o.vocab = append(o.vocab, w)
		}
	}
	for _, w := range append(o.vocab, "<s>") {
		o.keep[w] = true
	}
	delete(o.raw[1], "<s>")
	for k := n; k >= 1; k-- {
		for g, c := range o.raw[k] {
			if k == n || strings.HasPrefix(g, "<s>") {
				o.adjusted[k][g], o.adjMass[k][g] = c, o.mass[k][g]
			}
		}
		if k < n {
			for g, c := range o.adjusted[k+1] {
				_, end, _ := strings.Cut(g, " ")
				o.adjusted[k][end]++
				o.adjMass[k][end] += o.adjMass[k+1][g] / float64(c)
			}
		}
	}
	for k := 1; k <= n; k++ {
		var cc [5]uint64
		for _, c := range o.adjusted[k] {
			if c < 5 {
				cc[c]++
			}
		}
		d, ok := discounts(cc)
		if !ok {
			d = cfg.Fallback
		}
		o.d, o.fallback = append(o.d, d), append(o.fallback, !ok)
	}
	return o
}

// kept reports whether the model has this n-gram.
func (o *oracle) kept(g string) bool {
	f := strings.Fields(g)
	for _, w := range f {
		if !o.keep[w] {
			return false
		}
	}
	return len(f) == 1 || o.raw[len(f)][g] > o.prune(len(f))
}

// p is the interpolated probability of w after the words h.
func (o *oracle) p(w string, h []string) float64 {
	k := len(h) + 1
	var den, gamma, u float64
	prefix := strings.Join(append(slices.Clone(h), ""), " ")
	for g, c := range o.adjusted[k] {
		if !strings.HasPrefix(g, prefix) || strings.Count(g, " ") != k-1 {
			continue
		}
		m := o.adjMass[k][g]
		den += m
		x := m / float64(c)
		d := o.d[k-1][min(c, 3)-1]
		if !o.kept(g) {
			gamma += m
			continue
		}
		gamma += x * d
		if g == prefix+w {
			u = x * (float64(c) - d)
		}
	}
	if k == 1 {
		return (u + gamma/float64(len(o.vocab))) / den
	}
	lower := o.p(w, h[1:])
	if den == 0 {
		return lower
	}
	return u/den + gamma/den*lower
}

// mle is equation 2.
func (o *oracle) mle(w string, h []string) float64 {
	g := strings.Join(append(slices.Clone(h), w), " ")
	c, context := o.mass[len(h)+1][g], 0.0
	if !o.kept(g) {
		c = 0
	}
	if len(h) == 0 {
		for w, m := range o.mass[1] {
			if w != "<s>" {
				context += m
			}
		}
	} else if hs := strings.Join(h, " "); hs == "<s>" || o.kept(hs) {
		context = o.mass[len(h)][hs]
	}
	if c == 0 || context == 0 {
		return lm.Floor
	}
	return max(c/context, lm.Floor)
}

// score is the log10 of a sentence, by words that the model knows or <unk>.
func (o *oracle) score(words []string, p func(string, []string) float64) (sum float64) {
	h := []string{"<s>"}
	for _, w := range append(slices.Clone(words), "</s>") {
		if !o.keep[w] {
			w = "<unk>"
		}
		h = h[max(0, len(h)-o.order+1):]
		sum += math.Log10(p(w, h))
		h = append(h, w)
	}
	return sum
}

func (o *oracle) String() string {
	return fmt.Sprintf("vocabulary %v, discounts %v, adjusted %v", o.vocab, o.d, o.adjusted)
}

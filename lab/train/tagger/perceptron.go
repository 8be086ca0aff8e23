package tagger

import (
	"context"
	"math"
	"math/rand/v2"

	"chaffinch/text/tag"
)

// perceptron learns weights.
type perceptron struct {
	m         *tag.Model
	bits      int
	margin    int32
	sentences [][]*tag.Analysis
	gold      [][]uint16 // index of the right candidate
	table     []int32
	sums      []int64 // of updates multiplied by their time
	time      int64
	features  []uint64
	scores    []int32
}

func newPerceptron(m *tag.Model, v *vocabulary, list []sentence, cfg Config) *perceptron {
	p := &perceptron{m: m, bits: cfg.Bits, margin: int32(cfg.Margin), table: make([]int32, 1<<cfg.Bits), sums: make([]int64, 1<<cfg.Bits)}
	type key struct {
		form string
		opt  tag.Options
	}
	cache := map[key]*tag.Analysis{}
	for _, s := range list {
		start := true
		var line []*tag.Analysis
		var gold []uint16
		for _, w := range s.words {
			k := key{w.form, tag.Options{Start: start}}
			t := v.tags[w.Tag]
			if v.words[v.cfg.Normalize(w.form)].count == 1 {
				k.opt.Unseen, k.opt.Gold = true, t
			}
			a := cache[k]
			if a == nil {
				a = m.Analyze(w.form, k.opt)
				cache[k] = a
			}
			line, gold = append(line, a), append(gold, nearest(m, a, t))
			start = start && !tag.HasWord(w.form)
		}
		p.sentences, p.gold = append(p.sentences, line), append(p.gold, gold)
	}
	return p
}

// nearest returns the index of the candidate that is most similar to a tag.
func nearest(m *tag.Model, a *tag.Analysis, t uint16) uint16 {
	best, at := -1, 0
	want := m.Tags()[t]
	for i, c := range a.Tags {
		got := m.Tags()[c]
		n := 0
		if c == t {
			n += 8
		}
		if got.UPOS == want.UPOS {
			n += 4
		}
		if got.Feats == want.Feats {
			n += 2
		}
		if got.XPOS == want.XPOS {
			n++
		}
		if n > best {
			best, at = n, i
		}
	}
	return uint16(at)
}

// learn passes over the sentences in random order, from weights of 0.
func (p *perceptron) learn(ctx context.Context, cfg Config, run int, progress func(done int)) error {
	clear(p.table)
	clear(p.sums)
	p.time = 0
	r := rand.New(rand.NewPCG(cfg.Seed, uint64(run)))
	for pass := range cfg.Passes {
		for _, i := range r.Perm(len(p.sentences)) {
			p.sentence(p.sentences[i], p.gold[i])
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		progress(pass + 1)
	}
	return nil
}

// sentence learns from a sentence.
func (p *perceptron) sentence(s []*tag.Analysis, gold []uint16) {
	titles := tag.Titles(s)
	tag1, tag2 := uint16(tag.None), uint16(tag.None)
	for i, a := range s {
		best := 0
		p.time++
		if len(a.Tags) > 1 {
			p.features = append(p.features[:0], a.Static...)
			p.features = tag.Context(p.features, s, titles, i)
			p.features = p.m.History(p.features, s, i, tag1, tag2)
			if cap(p.scores) < len(a.Parts) {
				p.scores = make([]int32, len(a.Parts))
			}
			p.scores = p.scores[:len(a.Parts)]
			clear(p.scores)
			tag.Add(p.scores, p.table, p.features, a.Parts, p.bits)
			best = a.Best(p.scores)
			if want := int(gold[i]); best != want {
				p.update(a, want, 1)
				p.update(a, best, -1)
			} else if other, gap := a.Second(p.scores, want); gap < p.margin {
				p.update(a, want, 1)
				p.update(a, other, -1)
			}
		}
		tag1, tag2 = a.Tags[best], tag1
	}
}

// update adds d to the weights of the features and the parts of a candidate.
func (p *perceptron) update(a *tag.Analysis, candidate int, d int32) {
	from := uint16(0)
	if candidate > 0 {
		from = a.Ends[candidate-1]
	}
	for _, part := range a.Of[from:a.Ends[candidate]] {
		h := a.Parts[part]
		for _, f := range p.features {
			i := tag.Index(f, h, p.bits)
			p.table[i] += d
			p.sums[i] += int64(d) * p.time
		}
	}
}

// addTo adds the averaged weights to sum.
func (p *perceptron) addTo(sum []float64) { addAverage(sum, p.table, p.sums, p.time) }

// addAverage adds averaged weights to sum. sums are the updates multiplied by their time, of times up
// to end.
func addAverage(sum []float64, table []int32, sums []int64, end int64) {
	for i, w := range table {
		sum[i] += float64(w) - float64(sums[i])/float64(end+1)
	}
}

// quantize returns weights as bytes: their square roots, relative to the largest one.
func quantize(weights []float64) []int8 {
	most := 0.
	for _, x := range weights {
		most = max(most, math.Abs(x))
	}
	out := make([]int8, len(weights))
	if most == 0 {
		return out
	}
	for i, x := range weights {
		q := math.Round(127 * math.Sqrt(math.Abs(x)/most))
		if x < 0 {
			q = -q
		}
		out[i] = int8(q)
	}
	return out
}

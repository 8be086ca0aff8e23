package close

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"chaffinch/text/langid/close"
	"chaffinch/text/langid/evidence"
)

// text is text of a member of a group from one source.
type text struct {
	member int
	source string
	lines  []string
}

// doc is a line as the numbers of its features.
type doc struct {
	member int
	ids    []int32
}

// source holds the documents of a source and the counts of their features.
type source struct {
	name   string
	docs   []doc
	lines  [][]string  // by member
	counts [][]float32 // by member and feature, scaled to the same number of features for each member; nil = no text
}

// trainer holds the text of a group.
type trainer struct {
	cfg     Config
	script  evidence.Script
	members int
	sources []*source
	hashes  []uint32 // by feature
	number  []int32  // by hash: number of the feature + 1
}

// newTrainer counts the features of the texts.
func newTrainer(cfg Config, script evidence.Script, members int, texts []text) *trainer {
	t := &trainer{cfg: cfg, script: script, members: members, number: make([]int32, 1<<close.HashBits)}
	seen := make([]uint8, 1<<close.HashBits)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range texts {
		x := &texts[i]
		if len(x.lines) > cfg.Lines {
			x.lines = slices.Clone(x.lines)
			rng.Shuffle(len(x.lines), func(a, b int) { x.lines[a], x.lines[b] = x.lines[b], x.lines[a] })
			x.lines = x.lines[:cfg.Lines]
		}
		for _, l := range x.lines {
			close.Features(script, l, func(h uint32) {
				if seen[h] < math.MaxUint8 {
					seen[h]++
				}
			})
		}
	}
	for _, x := range texts {
		i := slices.IndexFunc(t.sources, func(s *source) bool { return s.name == x.source })
		if i < 0 {
			i = len(t.sources)
			t.sources = append(t.sources, &source{name: x.source, lines: make([][]string, members)})
		}
		s := t.sources[i]
		s.lines[x.member] = append(s.lines[x.member], x.lines...)
		for _, l := range x.lines {
			d := doc{member: x.member}
			close.Features(script, l, func(h uint32) {
				if int(seen[h]) < cfg.MinCount {
					return
				}
				if t.number[h] == 0 {
					t.hashes = append(t.hashes, h)
					t.number[h] = int32(len(t.hashes))
				}
				d.ids = append(d.ids, t.number[h]-1)
			})
			s.docs = append(s.docs, d)
		}
	}
	for _, s := range t.sources {
		s.count(members, len(t.hashes))
	}
	return t
}

// maxScale is the maximum factor by which the counts of a member with less text are scaled.
const maxScale = 8

// count counts the features of a source.
func (s *source) count(members, features int) {
	s.counts = make([][]float32, members)
	total := make([]float64, members)
	for _, d := range s.docs {
		if s.counts[d.member] == nil {
			s.counts[d.member] = make([]float32, features)
		}
		for _, id := range d.ids {
			s.counts[d.member][id]++
		}
		total[d.member] += float64(len(d.ids))
	}
	largest := slices.Max(total)
	for m, c := range s.counts {
		f := float32(min(largest/max(total[m], 1), maxScale))
		for i := range c {
			c[i] *= f
		}
	}
}

// weights returns the weights of the features by feature and member, from the sources in use. The
// weight is the logarithm of the relative frequency in the text of the member over the mean of the
// members. A source without text of a member does not affect the weight of the member.
func (t *trainer) weights(use []bool) []float32 {
	out := make([]float32, len(t.hashes)*t.members)
	pooled := make([]float64, t.members)
	for f := range t.hashes {
		clear(pooled)
		total := 0.0
		for i, s := range t.sources {
			sum, n := 0.0, 0.0
			for _, c := range s.counts {
				if c != nil {
					sum += float64(c[f])
					n++
				}
			}
			if !use[i] || n < 2 || sum == 0 {
				continue
			}
			for m, c := range s.counts {
				x := sum / n
				if c != nil {
					x = float64(c[f])
				}
				pooled[m] += x
				total += x
			}
		}
		mean := total / float64(t.members)
		for m, x := range pooled {
			out[f*t.members+m] = float32(math.Log((x + t.cfg.Smoothing) / (mean + t.cfg.Smoothing)))
		}
	}
	return out
}

// value returns the worth of a feature: the square root of its count times the sum of its squared
// weights.
func (t *trainer) value(w []float32, f int) float64 {
	count := 0.0
	for _, s := range t.sources {
		for _, c := range s.counts {
			if c != nil {
				count += float64(c[f])
			}
		}
	}
	sum := 0.0
	for m := range t.members {
		x := float64(w[f*t.members+m])
		sum += x * x
	}
	return math.Sqrt(count) * sum
}

// prune sets all but the cfg.Features features of the largest worth to 0.
func (t *trainer) prune(w []float32) {
	order, values := make([]int32, len(t.hashes)), make([]float64, len(t.hashes))
	for i := range order {
		order[i], values[i] = int32(i), t.value(w, i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(values[b], values[a]), cmp.Compare(t.hashes[a], t.hashes[b]))
	})
	for _, f := range order[min(t.cfg.Features, len(order)):] {
		clear(w[int(f)*t.members:][:t.members])
	}
}

// score adds the weights of the features of a document and returns the number with a weight.
func (t *trainer) score(w []float32, ids []int32, sum []float64) (rows int) {
	clear(sum)
	for _, f := range ids {
		row := w[int(f)*t.members:][:t.members]
		any := false
		for m, x := range row {
			sum[m] += float64(x)
			any = any || x != 0
		}
		if any {
			rows++
		}
	}
	return rows
}

// ids returns the features of a text.
func (t *trainer) ids(text string) (list []int32) {
	close.Features(t.script, text, func(h uint32) {
		if n := t.number[h]; n > 0 {
			list = append(list, n-1)
		}
	})
	return list
}

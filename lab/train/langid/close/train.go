// Package close trains groups of close languages and of varieties, for package text/langid/close.
//
// A model learns the languages only if every source has text of several members of a group: otherwise
// it learns the sources. Therefore [Train] measures each source with a model of other sources, and
// calibrates the confidences on the same results.
package close

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"chaffinch/model"
	"chaffinch/text/langid/close"
	"chaffinch/text/langid/evidence"
)

// Config configures the training.
type Config struct {
	// Groups lists the groups. Default: defaultGroups, and a group of each language with text of
	// two or more regions.
	Groups []Group `json:"groups"`
	// Lines is the maximum number of lines of a source and member.
	Lines int `json:"lines"`
	// MinCount is the minimum count of a feature.
	MinCount int `json:"min_count"`
	// Features is the number of features of a group that sets none.
	Features int `json:"features"`
	// Smoothing is added to the counts of a feature.
	Smoothing float64 `json:"smoothing"`
	// Epochs is the number of passes of the regression, Rate its initial learning rate, Hold the
	// strength of the penalty for distance from the initial weights.
	Epochs int     `json:"epochs"`
	Rate   float64 `json:"rate"`
	Hold   float64 `json:"hold"`
	// Folds is the number of parts of the sources for the results on unseen sources.
	Folds int `json:"folds"`
}

// Default is the configuration of the embedded model.
var Default = Config{Lines: 4000, MinCount: 4, Features: 20_000, Smoothing: 1, Epochs: 3, Rate: 0.05, Hold: 0.002, Folds: 4}

// Check returns an error if the settings are invalid.
func (c Config) Check() error {
	if c.Lines < 1 || c.MinCount < 1 || c.Features < 1 || c.Epochs < 0 || c.Folds < 2 || c.Smoothing <= 0 {
		return fmt.Errorf("langid/close: lines %d, min_count %d, features %d, epochs %d, folds %d, smoothing %v: wanted 1, 1, 1, 0, 2 or more, and a positive smoothing",
			c.Lines, c.MinCount, c.Features, c.Epochs, c.Folds, c.Smoothing)
	}
	return nil
}

// unit is the weight of one step of a quantized weight.
const unit = 1.0 / 8

// Unseen holds the results on a source of a model that was trained on other sources.
type Unseen struct {
	Group  string `json:"group"`
	Source string `json:"source"`
	// Line, Five and Ten are the macro F1 of lines, of the first five words of lines and of ten lines
	// joined.
	Line float64 `json:"line"`
	Five float64 `json:"five"`
	Ten  float64 `json:"ten"`
	// Recall holds the fraction of the lines of each member with the right answer.
	Recall map[string]float64 `json:"recall"`
}

// Trained is a trained model that can be saved.
type Trained struct {
	Groups []close.Settings
	Unseen []Unseen
	rows   []close.Rows
	cfg    Config
}

// Train trains the groups of which two or more members have text. progress, if not nil, is called
// with a description of each step.
func Train(ctx context.Context, cfg Config, c *Corpus, progress func(string)) (*Trained, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	t := &Trained{cfg: cfg}
	for _, g := range c.groups(cfg.Groups) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		texts := c.texts(&g)
		own := cfg
		own.Features = cmp.Or(g.Features, cfg.Features)
		tr := newTrainer(own, script(texts), len(g.Members), texts)
		s := close.Settings{Name: g.Name, Script: evidence.Scripts[tr.script].Name, Members: g.Members, Parts: g.Parts, Variety: g.Variety, Unit: unit}
		unseen, outcomes := tr.unseen(&g)
		s.SoftnessA, s.SoftnessB = soften(outcomes)
		use := make([]bool, len(tr.sources))
		for i := range use {
			use[i] = true
		}
		rows := tr.pack(tr.train(use))
		s.Features = len(rows.Hashes)
		if s.Features == 0 {
			return nil, fmt.Errorf("langid/close: group %s: no feature in the text", g.Name)
		}
		t.Groups, t.rows, t.Unseen = append(t.Groups, s), append(t.rows, rows), append(t.Unseen, unseen...)
		if progress != nil {
			figure := "no figures, which need two sources"
			if len(unseen) > 0 {
				line := 0.0
				for _, u := range unseen {
					line += u.Line
				}
				figure = fmt.Sprintf("mean macro F1 of lines of unseen sources %.3f", line/float64(len(unseen)))
			}
			progress(fmt.Sprintf("group %s: %s; sources: %d, features: %d, %s", g.Name, strings.Join(g.Members, " "), len(tr.sources), s.Features, figure))
		}
	}
	if len(t.Groups) == 0 {
		return nil, fmt.Errorf("langid/close: no group with text of two members: wanted text of close languages such as nb and nn, or of regions such as pt-PT and pt-BR; the text is in %s", c.tags())
	}
	return t, nil
}

// train returns the weights from the sources in use.
func (t *trainer) train(use []bool) []float32 {
	w := t.weights(use)
	t.prune(w)
	t.refine(w, use)
	return w
}

// script returns the most frequent script of the texts.
func script(texts []text) evidence.Script {
	var y evidence.Tally
	var w evidence.Word
	for _, x := range texts {
		for _, l := range x.lines[:min(20, len(x.lines))] {
			for i := 0; ; {
				i = w.Next(l, i)
				if w.N == 0 {
					break
				}
				y.Letters[w.Script] += int32(w.N)
			}
		}
	}
	s, _ := y.Script()
	return s
}

// pack returns the quantized rows.
func (t *trainer) pack(w []float32) (r close.Rows) {
	var kept []int
	for f := range t.hashes {
		row := w[f*t.members:][:t.members]
		if slices.ContainsFunc(row, func(x float32) bool { return step(x) != 0 }) {
			kept = append(kept, f)
		}
	}
	slices.SortFunc(kept, func(a, b int) int { return cmp.Compare(t.hashes[a], t.hashes[b]) })
	r.Weights = make([]int8, len(kept)*t.members)
	for i, f := range kept {
		r.Hashes = append(r.Hashes, t.hashes[f])
		for m := range t.members {
			r.Weights[m*len(kept)+i] = step(w[f*t.members+m])
		}
	}
	return r
}

// step quantizes a weight.
func step(x float32) int8 { return int8(max(-127, min(127, math.Round(float64(x)/unit)))) }

// outcome holds the result of a piece of text: the distances of the other members from the score of
// the right one.
type outcome struct {
	behind []float64
	rows   float64
}

// unseenLines is the number of lines of a source and member for the results on unseen sources.
const unseenLines = 400

// unseen measures each source with a model of other sources.
func (t *trainer) unseen(g *Group) (results []Unseen, outcomes []outcome) {
	use := make([]bool, len(t.sources))
	folds := min(t.cfg.Folds, len(t.sources))
	for fold := range folds {
		if folds < 2 {
			break // the only source
		}
		for i := range use {
			use[i] = i%folds != fold
		}
		w := t.train(use)
		for i, s := range t.sources {
			have := 0
			for _, c := range s.counts {
				if c != nil {
					have++
				}
			}
			if use[i] || have < 2 {
				continue
			}
			u := Unseen{Group: g.Name, Source: s.name, Recall: map[string]float64{}}
			line := t.measure(w, s, &outcomes, func(l []string) []string { return l })
			u.Line = line.macroF1()
			u.Five = t.measure(w, s, &outcomes, firstFive).macroF1()
			u.Ten = t.measure(w, s, &outcomes, joinTen).macroF1()
			for m := range line {
				if r, ok := line.recall(m); ok {
					u.Recall[g.Members[m]] = r
				}
			}
			results = append(results, u)
		}
	}
	return results, outcomes
}

func firstFive(lines []string) (out []string) {
	for _, l := range lines {
		f := strings.Fields(l)
		out = append(out, strings.Join(f[:min(5, len(f))], " "))
	}
	return out
}

func joinTen(lines []string) (out []string) {
	for i := 0; i+10 <= len(lines); i += 10 {
		out = append(out, strings.Join(lines[i:i+10], "\n"))
	}
	return out
}

// confusion counts the answers by right member and answer.
type confusion [][]int

// measure scores pieces of the lines of a source among the members that it has text of.
func (t *trainer) measure(w []float32, s *source, outcomes *[]outcome, cut func([]string) []string) confusion {
	c := make(confusion, t.members)
	sum := make([]float64, t.members)
	for m := range c {
		c[m] = make([]int, t.members)
		for _, piece := range cut(s.lines[m][:min(unseenLines, len(s.lines[m]))]) {
			rows := t.score(w, t.ids(piece), sum)
			best := m
			o := outcome{rows: float64(max(rows, 1))}
			for k, x := range sum {
				if s.counts[k] == nil {
					continue
				}
				if k != m {
					o.behind = append(o.behind, x-sum[m])
				}
				if x > sum[best] {
					best = k
				}
			}
			c[m][best]++
			*outcomes = append(*outcomes, o)
		}
	}
	return c
}

// recall returns the fraction of right answers for a member. ok reports whether it has text.
func (c confusion) recall(m int) (r float64, ok bool) {
	n := 0
	for _, x := range c[m] {
		n += x
	}
	return float64(c[m][m]) / float64(max(n, 1)), n > 0
}

// macroF1 returns the mean F1 of the members with text.
func (c confusion) macroF1() float64 {
	sum, n := 0.0, 0.0
	for m := range c {
		gold, answered := 0, 0
		for k := range c {
			gold += c[m][k]
			answered += c[k][m]
		}
		if gold > 0 {
			sum += 2 * float64(c[m][m]) / float64(gold+answered)
			n++
		}
	}
	return sum / max(n, 1)
}

// soften returns the a and b of [close.Settings] with the lowest log loss, on a grid.
func soften(outcomes []outcome) (a, b float64) {
	best := math.Inf(1)
	stride := 1 + len(outcomes)/8000
	for x := -4.0; x <= 1; x += 0.25 {
		for y := -1.0; y <= 0; y += 0.1 {
			loss := 0.0
			for i := 0; i < len(outcomes); i += stride {
				o := &outcomes[i]
				scale, z := math.Exp(x)*math.Pow(o.rows, y), 1.0
				for _, d := range o.behind {
					z += math.Exp(max(-60, min(60, d*scale)))
				}
				loss += math.Log(z)
			}
			if loss < best-1e-9 {
				best, a, b = loss, x, y
			}
		}
	}
	return a, b
}

// Save writes the model file at path.
func (t *Trained) Save(path string, h model.Header) (err error) {
	h.Kind, h.Behaviour = close.Kind, close.Behaviour
	if h.Config, err = json.Marshal(t.cfg); err != nil {
		return err
	}
	w, err := model.Create(path, h)
	if err != nil {
		return err
	}
	if err := close.Write(w, t.Groups, t.rows); err != nil {
		w.Abort()
		return err
	}
	return w.Close()
}

// Package nontext trains models of non-text (filter/nontext) from good and bad documents with
// [Train] or [TrainFrom]. Package generate generates bad documents from good ones.
package nontext

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/zeebo/xxh3"

	"chaffinch/filter/nontext"
)

// Doc is a training document.
type Doc struct {
	Text string
	// Site groups documents that are held out together. Default: each document is separate.
	Site string
	// Kind is the kind of bad text, for the report.
	Kind string
}

// Report describes a training.
type Report struct {
	// Good and Bad are the numbers of training documents, HeldOutGood and HeldOutBad the numbers of
	// held-out documents.
	Good        int `json:"good"`
	Bad         int `json:"bad"`
	HeldOutGood int `json:"held_out_good"`
	HeldOutBad  int `json:"held_out_bad"`
	// Short is the number of documents omitted because they cannot be judged: they have too few
	// words, or no words of scripts without spaces.
	Short int `json:"short,omitempty"`
	// Limit is the maximum probability of kept documents. Kept is the fraction of held-out good
	// documents that are kept, Found the fraction of held-out bad documents that are dropped, also
	// by kind.
	Limit float64            `json:"limit"`
	Kept  float64            `json:"kept"`
	Found float64            `json:"found"`
	Kinds map[string]float64 `json:"kinds,omitempty"`
	// LimitDocs is the number of documents on which the limit was chosen, if they are not the
	// held-out ones.
	LimitDocs int `json:"limit_docs,omitempty"`
	// DataSHA256 is the SHA-256 of all documents in their order.
	DataSHA256 string `json:"-"`
}

// minHeldOut is the minimum number of held-out good and bad documents.
const minHeldOut = 10

// Config configures the training of a model.
type Config nontext.Config

// DefaultWords and DefaultShapes are the configurations of the embedded models: for one language,
// and for all others.
var (
	DefaultWords  = Config{Words: true, Recall: 0.97, Bits: 18, Epochs: 4, Rate: 0.1, L1: 0.02, L2: 0.1, HeldOut: 5}
	DefaultShapes = Config{Recall: 0.97, Bits: 16, Epochs: 4, Rate: 0.1, L1: 0.02, L2: 0.1, HeldOut: 5}
)

// Check returns an error if the settings are invalid.
func (c *Config) Check() error {
	switch {
	case !(c.Recall > 0.5 && c.Recall < 1):
		return fmt.Errorf("recall %v: wanted a share above 0.5 and below 1", c.Recall)
	case c.Bits < 8 || c.Bits > nontext.MaxBits:
		return fmt.Errorf("a table of %d bits: wanted 8 to %d", c.Bits, nontext.MaxBits)
	case c.Epochs < 1 || c.Epochs > 100:
		return fmt.Errorf("%d epochs: wanted 1 to 100", c.Epochs)
	case c.HeldOut < 2:
		return fmt.Errorf("one document in %d held out: wanted one in 2 or more", c.HeldOut)
	case !(c.Rate > 0) || !(c.L1 >= 0) || !(c.L2 >= 0):
		return fmt.Errorf("rate %v, pulls %v and %v: wanted a rate above 0 and no pull below", c.Rate, c.L1, c.L2)
	}
	return nil
}

// Data holds the training documents of a model.
type Data struct {
	Good, Bad []Doc
	// Limit holds good documents on which the limit is chosen, of the kind that the model is for.
	// Default: held-out good documents.
	Limit []Doc
}

// Train trains a model on documents. The result depends only on the documents, their order and the
// configuration.
func Train(ctx context.Context, cfg Config, data Data) (*nontext.Model, *Report, error) {
	if err := cfg.Check(); err != nil {
		return nil, nil, err
	}
	sum := sha256.New()
	for _, d := range slices.Concat(data.Good, data.Bad, data.Limit) {
		io.WriteString(sum, d.Text+"\x00")
	}
	t := &trainer{cfg: nontext.Config(cfg), features: nontext.NewFeatures(), w: nontext.Weights{Slope: 1}, rep: &Report{Kinds: map[string]float64{}, DataSHA256: hex.EncodeToString(sum.Sum(nil))}}
	g, heldGood := t.split(data.Good)
	b, heldBad := t.split(data.Bad)
	t.rep.Good, t.rep.Bad, t.rep.HeldOutGood, t.rep.HeldOutBad = len(g), len(b), len(heldGood), len(heldBad)
	if len(heldGood) < minHeldOut || len(heldBad) < minHeldOut {
		return nil, nil, fmt.Errorf("found %d good and %d bad documents of at least %d words to hold out, one of %d each: wanted at least %d of both: add documents", len(heldGood), len(heldBad), nontext.MinWords, cfg.HeldOut, minHeldOut)
	}
	if len(g) == 0 || len(b) == 0 {
		return nil, nil, fmt.Errorf("found %d good and %d bad documents to learn from, all others are held out by their site: wanted both: add documents of other sites", len(g), len(b))
	}
	t.cut(g, 0)
	t.cut(b, 1)
	t.steps()
	if n := len(data.Limit); n > 0 && n < minHeldOut {
		return nil, nil, fmt.Errorf("found %d documents to choose the limit on, wanted at least %d", n, minHeldOut)
	}
	if err := t.learn(ctx); err != nil {
		return nil, nil, err
	}
	t.quantize()
	m, err := t.calibrate(heldGood, heldBad, data.Limit)
	return m, t.rep, err
}

type trainer struct {
	cfg      nontext.Config
	features *nontext.Features
	w        nontext.Weights
	rep      *Report
	samples  []sample
	grams    []float32 // weights of the n-grams before quantization
}

// sample is a training window.
type sample struct {
	doc    *Doc
	at     int // its start
	bad    float32
	weight float32
	stats  []float32
}

// split holds out documents and omits documents that are too short.
func (t *trainer) split(docs []Doc) (train, held []*Doc) {
	for i := range docs {
		d := &docs[i]
		if t.features.Scan(d.Text, 0); !t.features.Suffices(&t.cfg) {
			t.rep.Short++
			continue
		}
		if xxh3.HashString(cmp.Or(d.Site, d.Text))%uint64(t.cfg.HeldOut) == 0 {
			held = append(held, d)
		} else {
			train = append(train, d)
		}
	}
	return train, held
}

// cut divides documents into windows and computes their statistics. Good and bad documents have the
// same total weight.
func (t *trainer) cut(docs []*Doc, bad float32) {
	first := len(t.samples)
	for _, d := range docs {
		for at := 0; at < len(d.Text); {
			s := sample{doc: d, at: at, bad: bad}
			if at = t.features.Scan(d.Text, at); t.features.Words() < nontext.MinWords {
				continue
			}
			s.stats = t.features.Statistics(nil)
			t.samples = append(t.samples, s)
		}
	}
	for i := range t.samples[first:] {
		t.samples[first+i].weight = 1000 / float32(len(t.samples)-first)
	}
}

// steps chooses the cuts of the statistics: quantiles over good and bad documents.
func (t *trainer) steps() {
	values := make([]float32, len(t.samples))
	for c := range t.samples[0].stats {
		for i := range t.samples {
			values[i] = t.samples[i].stats[c]
		}
		slices.Sort(values)
		cuts := make([]float32, nontext.Steps-1)
		for k := range cuts {
			cuts[k] = values[len(values)*(k+1)/nontext.Steps]
		}
		t.w.Cuts = append(t.w.Cuts, cuts)
	}
}

// step returns the index of the interval of a value.
func step(cuts []float32, v float32) (k int) {
	for _, c := range cuts {
		if v >= c {
			k++
		}
	}
	return k
}

// weight is a weight trained with follow-the-regularized-leader (McMahan et al. 2013), which keeps
// useless weights at zero.
type weight struct{ z, n, w float32 }

func (w *weight) update(g float32, cfg *nontext.Config) {
	next := w.n + float32(g*g)
	root := sqrt(next)
	w.z += g - float32((root-sqrt(w.n))/float32(cfg.Rate)*w.w)
	w.n = next
	if l1 := float32(cfg.L1); w.z > l1 {
		w.w = (l1 - w.z) / (root/float32(cfg.Rate) + float32(cfg.L2))
	} else if w.z < -l1 {
		w.w = (-l1 - w.z) / (root/float32(cfg.Rate) + float32(cfg.L2))
	} else {
		w.w = 0
	}
}

func sqrt(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// learn makes passes over the windows in random order.
func (t *trainer) learn(ctx context.Context) error {
	cfg := &t.cfg
	grams := make([]weight, 1<<cfg.Bits)
	stats := make([][nontext.Steps]weight, len(t.w.Cuts))
	var bias weight
	rnd := rand.New(rand.NewPCG(1, 1))
	mean := 2000 / float32(len(t.samples)) // mean of the weights
	for range cfg.Epochs {
		for _, i := range rnd.Perm(len(t.samples)) {
			if err := ctx.Err(); err != nil {
				return err
			}
			s := &t.samples[i]
			t.features.Scan(s.doc.Text, s.at)
			found := t.features.NGrams(s.doc.Text, cfg)
			x := 1 / sqrt(float32(max(1, len(found))))
			score := float32(0)
			for _, g := range found {
				score += grams[g].w
			}
			score = float32(score*x) + bias.w
			for c, v := range s.stats {
				score += stats[c][step(t.w.Cuts[c], v)].w
			}
			g := (float32(1/(1+math.Exp(-float64(score)))) - s.bad) * s.weight / mean
			for _, k := range found {
				grams[k].update(g*x, cfg)
			}
			for c, v := range s.stats {
				stats[c][step(t.w.Cuts[c], v)].update(g, cfg)
			}
			bias.update(g, cfg)
		}
	}
	t.w.Bias = bias.w
	for c := range stats {
		list := make([]float32, nontext.Steps)
		for k := range list {
			list[k] = stats[c][k].w
		}
		t.w.Stats = append(t.w.Stats, list)
	}
	t.grams = make([]float32, len(grams))
	for i := range grams {
		t.grams[i] = grams[i].w
	}
	return nil
}

// clipped is the fraction of the largest weights that are clipped by quantization.
const clipped = 1e-4

// quantize converts the weights of n-grams to bytes.
func (t *trainer) quantize() {
	sizes := make([]float64, len(t.grams))
	for i, w := range t.grams {
		sizes[i] = math.Abs(float64(w))
	}
	slices.Sort(sizes)
	most := sizes[len(sizes)-1-int(clipped*float64(len(sizes)))]
	if most == 0 {
		most = 1
	}
	t.w.Unit = float32(most / math.MaxInt8)
	t.w.NGrams = make([]int8, len(t.grams))
	for i, w := range t.grams {
		t.w.NGrams[i] = int8(max(-math.MaxInt8, min(math.MaxInt8, math.Round(float64(w/t.w.Unit)))))
	}
}

// calibrate fits the probabilities to scores and chooses the limit on held-out documents.
func (t *trainer) calibrate(good, bad []*Doc, limit []Doc) (*nontext.Model, error) {
	m, err := nontext.NewModel(t.cfg, t.w)
	if err != nil {
		return nil, err
	}
	scorer := nontext.NewScorer()
	scores := func(docs []*Doc) []float64 {
		list := make([]float64, len(docs))
		for i, d := range docs {
			list[i], _ = scorer.LogOdds(m, d.Text)
		}
		return list
	}
	g, b := scores(good), scores(bad)
	t.w.Slope, t.w.Offset = platt(g, b)
	probability := func(score float64) float64 { return 1 / (1 + math.Exp(-(float64(t.w.Slope*score) + t.w.Offset))) }
	keep := slices.Clone(g)
	if len(limit) > 0 {
		keep = keep[:0]
		for i := range limit {
			if s, ok := scorer.LogOdds(m, limit[i].Text); ok {
				keep = append(keep, s)
			}
		}
		t.rep.LimitDocs = len(keep)
	}
	slices.Sort(keep)
	t.w.Limit = 1
	if n := len(keep); n > 0 {
		t.w.Limit = probability(keep[min(n-1, int(math.Ceil(t.cfg.Recall*float64(n)))-1)])
	}
	over := func(list []float64) (n int) {
		for _, v := range list {
			if probability(v) > t.w.Limit {
				n++
			}
		}
		return n
	}
	t.rep.Limit = t.w.Limit
	t.rep.Kept = 1 - float64(over(g))/float64(len(g))
	t.rep.Found = float64(over(b)) / float64(len(b))
	kinds := map[string][]float64{}
	for i, d := range bad {
		if d.Kind != "" {
			kinds[d.Kind] = append(kinds[d.Kind], b[i])
		}
	}
	for kind, list := range kinds {
		t.rep.Kinds[kind] = float64(over(list)) / float64(len(list))
	}
	return nontext.NewModel(t.cfg, t.w)
}

// platt fits a logistic curve to scores by Newton's method, with the same weight for good and bad
// (Platt 1999).
func platt(good, bad []float64) (slope, offset float64) {
	slope = 1
	for range 50 {
		var g0, g1, h00, h01, h11 float64
		add := func(list []float64, y float64) {
			w := 1 / float64(len(list))
			// smoothed as if there were one more document of the other kind, so that the slope is
			// finite
			y = (float64(y*float64(len(list))) + 0.5) / (float64(len(list)) + 1)
			for _, s := range list {
				p := 1 / (1 + math.Exp(-(float64(slope*s) + offset)))
				d, v := w*(p-y), w*p*(1-p)
				g0, g1 = g0+d, g1+float64(d*s)
				h00, h01, h11 = h00+v, h01+float64(v*s), h11+float64(v*s*s)
			}
		}
		add(good, 0)
		add(bad, 1)
		h00, h11 = h00+1e-9, h11+1e-9
		det := float64(h00*h11) - float64(h01*h01)
		if det <= 0 {
			break
		}
		d0, d1 := (float64(h11*g0)-float64(h01*g1))/det, (float64(h00*g1)-float64(h01*g0))/det
		offset, slope = offset-d0, slope-d1
		if math.Abs(d0)+math.Abs(d1) < 1e-9 {
			break
		}
	}
	return slope, offset
}

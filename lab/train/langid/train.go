// Package langid trains models of package langid with [Train]: it counts the words and n-grams of a
// [Corpus], selects the informative ones, computes their weights, and calibrates the confidences on
// held-out lines (docs/explanation/langid.md).
package langid

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"chaffinch/model"
	"chaffinch/text/langid"
	"chaffinch/text/langid/evidence"
)

// Trained is a trained model that can be saved.
type Trained struct {
	// HeldOut holds the results on held-out lines by language.
	HeldOut  []HeldOut
	cfg      Config
	settings evidence.Settings
	rows     []*row
}

// Train trains a model on the corpus. progress, if not nil, is called with a description of each
// step.
func Train(ctx context.Context, cfg Config, c *Corpus, progress func(string)) (*Trained, error) {
	say := func(format string, a ...any) {
		if progress != nil {
			progress(fmt.Sprintf(format, a...))
		}
	}
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	texts, small := c.texts(cfg)
	if len(texts) < 2 {
		return nil, tooFew(texts, small, cfg)
	}
	if len(texts) > evidence.MaxClasses {
		return nil, fmt.Errorf("langid: text for %d languages, at most %d", len(texts), evidence.MaxClasses)
	}
	slices.SortStableFunc(texts, func(a, b *text) int { return cmp.Compare(a.script, b.script) })
	tr := &Trained{cfg: cfg}
	priors := priors(texts, cfg)
	for i, t := range texts {
		tr.settings.Classes = append(tr.settings.Classes, evidence.ClassSettings{Lang: t.lang, Script: evidence.Scripts[t.script].Name, Bytes: t.bytes, Prior: priors[i]})
	}
	say("%d languages", len(texts))
	if len(small) > 0 {
		say("%s", tooLittle(small, cfg))
	}
	var learners []*learner
	for i := 0; i < len(texts); {
		s, j := texts[i].script, i
		for j < len(texts) && texts[j].script == s {
			j++
		}
		if j > i+1 {
			inv := countFeatures(s, texts[i:j], cfg)
			say("%s: %d languages, %d features", evidence.Scripts[s].Name, j-i, len(inv.features))
			learners = append(learners, &learner{cfg: cfg, inv: inv, first: i, rng: rand.New(rand.NewPCG(1, uint64(s)))})
		}
		i = j
	}
	choose(learners, cfg)
	for _, l := range learners {
		grams := 0
		for _, r := range l.rows {
			grams += min(r.order, 1)
		}
		say("%s: %d words and %d n-grams chosen", evidence.Scripts[l.inv.script].Name, len(l.rows)-grams, grams)
	}
	for _, l := range learners {
		for i := range cfg.Epochs {
			if ctx.Err() != nil {
				break
			}
			if share := l.epoch(cfg.Pieces); i == cfg.Epochs-1 {
				say("%s: %.4f of the pieces of the last epoch right", evidence.Scripts[l.inv.script].Name, share)
			}
		}
		for _, k := range slices.Sorted(maps.Keys(l.rows)) {
			tr.rows = append(tr.rows, l.rows[k])
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	tr.settings.Unit = 1.0 / 8
	raw, err := tr.Bytes(model.Header{Name: "in training"})
	if err != nil {
		return nil, err
	}
	m, err := evidence.Parse("in training", raw)
	if err != nil {
		return nil, err
	}
	calibrate(m, texts, small, cfg)
	tr.settings = m.Settings
	if raw, err = tr.Bytes(model.Header{Name: "in training"}); err != nil {
		return nil, err
	}
	calibrated, err := langid.Parse("in training", raw)
	if err != nil {
		return nil, err
	}
	d, err := calibrated.Detector(langid.Config{})
	if err != nil {
		return nil, err
	}
	tr.HeldOut = report(d, texts)
	return tr, nil
}

// tooFew returns an error that lists the languages of a corpus that has fewer than two with enough
// text.
func tooFew(texts, small []*text, cfg Config) error {
	have := "no language"
	if len(texts) == 1 {
		have = "one language (" + texts[0].lang + ")"
	}
	less := ""
	if len(small) > 0 {
		less = "; " + tooLittle(small, cfg)
	}
	return fmt.Errorf("langid: enough text for %s, wanted two or more%s", have, less)
}

// tooLittle lists the languages that have too little text.
func tooLittle(small []*text, cfg Config) string {
	var tags []string
	for _, t := range small {
		tags = append(tags, fmt.Sprintf("%s %d bytes", t.lang, t.bytes))
	}
	return fmt.Sprintf("too little text: %s (wanted %d, or %d with a tag of two letters: min_bytes and min_bytes_two)", strings.Join(tags, ", "), cfg.MinBytes, cfg.MinBytesTwo)
}

// priors returns the prior of each language. Languages of unknown frequency have the lowest.
func priors(texts []*text, cfg Config) []float64 {
	least := cfg.Common
	for _, t := range texts {
		if t.web > 0 {
			least = min(least, t.web)
		}
	}
	out := make([]float64, len(texts))
	for i, t := range texts {
		if web := max(t.web, least); web < cfg.Common {
			out[i] = math.Round(1e3*cfg.Prior*math.Log(web/cfg.Common)) / 1e3
		}
	}
	return out
}

// choose assigns the rows of the most informative features to the learners.
func choose(learners []*learner, cfg Config) {
	type owned struct {
		e     *estimator
		l     *learner
		f     *feature
		first bool // one of the MinRows of its script
	}
	var all []owned
	for _, l := range learners {
		l.rows = map[uint64]*row{}
		e := &estimator{inv: l.inv, cfg: l.cfg, base: l.first, grams: map[uint64][]float32{}}
		left := [2]int{cfg.MinRows, cfg.MinRows}
		for _, f := range l.inv.features {
			kind := min(f.order, 1)
			left[kind]--
			all = append(all, owned{e, l, f, left[kind] >= 0})
		}
	}
	slices.SortStableFunc(all, func(a, b owned) int {
		if a.first != b.first {
			if a.first {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.f.value, a.f.value)
	})
	chosen := all[:0]
	left := [2]int{cfg.Words, cfg.Grams}
	for _, o := range all {
		if kind := min(o.f.order, 1); left[kind] > 0 {
			left[kind]--
			chosen = append(chosen, o)
			o.f.chosen = true
		}
	}
	// The suffix of an n-gram must also be chosen: the search proceeds from short to long.
	slices.SortStableFunc(chosen, func(a, b owned) int { return cmp.Compare(a.f.order, b.f.order) })
	chosen = slices.DeleteFunc(chosen, func(o owned) bool {
		if p := o.l.inv.byKey[o.f.parent]; o.f.order > 1 && (p == nil || !p.chosen) {
			o.f.chosen = false
		}
		return !o.f.chosen
	})
	// Find the worth at which the rows have that many pairs.
	low, high := math.Log(1e-12), math.Log(1.0)
	for range 12 {
		middle, n := (low+high)/2, 0
		for i := 0; i < len(chosen); i += 16 {
			o := chosen[i]
			n += 16 * o.e.countWorth(o.f, o.e.values(o.f), math.Exp(middle))
		}
		if n > cfg.Pairs {
			low = middle
		} else {
			high = middle
		}
	}
	for _, o := range chosen {
		r := o.e.row(o.f, math.Exp(high))
		if p := o.l.rows[o.f.parent]; o.f.order > 1 && p != nil {
			p.longer = true
		}
		o.l.rows[r.key] = r
	}
}

// header returns h with kind and configuration.
func (tr *Trained) header(h model.Header) (model.Header, error) {
	h.Kind, h.Behaviour = evidence.Kind, evidence.Behaviour
	var err error
	h.Config, err = json.Marshal(tr.cfg)
	return h, err
}

// Save writes the model file at path.
func (tr *Trained) Save(path string, h model.Header) error {
	h, err := tr.header(h)
	if err != nil {
		return err
	}
	w, err := model.Create(path, h)
	if err != nil {
		return err
	}
	if err := tr.write(w); err != nil {
		w.Abort()
		return err
	}
	return w.Close()
}

// Bytes returns the model file.
func (tr *Trained) Bytes(h model.Header) ([]byte, error) {
	h, err := tr.header(h)
	if err != nil {
		return nil, err
	}
	w := model.Memory(h)
	if err := tr.write(w); err != nil {
		return nil, err
	}
	return w.Bytes()
}

func (tr *Trained) write(w *model.Writer) error {
	raw, err := json.Marshal(tr.settings)
	if err != nil {
		return err
	}
	w.Section("settings")
	w.Write(raw)
	hash := func(r *row) uint32 { return uint32(evidence.Mix(r.key) >> 32) }
	rows := slices.SortedStableFunc(slices.Values(tr.rows), func(a, b *row) int { return cmp.Compare(hash(a), hash(b)) })
	features := make([]evidence.Feature, 0, len(rows))
	for i, r := range rows {
		if i > 0 && hash(r) == hash(rows[i-1]) {
			continue // one of about ten pairs in a model
		}
		f := evidence.Feature{Hash: hash(r), Short: r.order > 0 && r.order <= 3, Longer: r.longer}
		for k, c := range r.classes {
			if level := evidence.Level(float64(r.weights[k]) / tr.settings.Unit); level != 0 && len(f.Classes) < evidence.MaxPairs {
				f.Classes, f.Levels = append(f.Classes, c), append(f.Levels, level)
			}
		}
		if len(f.Classes) == 0 { // no weight, but needed for the search
			f.Classes, f.Levels = r.classes[:1], []uint8{0}
		}
		features = append(features, f)
	}
	made, err := evidence.NewRows(features)
	if err != nil {
		return err
	}
	return made.Write(w)
}

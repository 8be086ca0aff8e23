package langid

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"chaffinch/model"
)

// Trained is a model that can be written.
type Trained struct {
	cfg      TrainConfig
	settings settings
	rows     []*row
}

// Train trains a model on the corpus. progress, if not nil, is told what is
// being done.
func Train(c *Corpus, cfg TrainConfig, progress func(string)) (*Trained, error) {
	say := func(format string, a ...any) {
		if progress != nil {
			progress(fmt.Sprintf(format, a...))
		}
	}
	texts := c.texts(cfg)
	if len(texts) < 2 {
		return nil, fmt.Errorf("langid: text for %d languages, wanted 2 or more", len(texts))
	}
	if len(texts) > maxClasses {
		return nil, fmt.Errorf("langid: text for %d languages, at most %d", len(texts), maxClasses)
	}
	slices.SortStableFunc(texts, func(a, b *text) int { return cmp.Compare(a.script, b.script) })
	tr := &Trained{cfg: cfg}
	l := &learner{cfg: cfg, rows: map[uint64]*row{}, rng: rand.New(rand.NewPCG(1, 2))}
	first := make([]int, len(texts))
	for i, t := range texts {
		first[i] = i
		l.classes = append(l.classes, class{t.lang, t.script})
		l.script[t.script] = append(l.script[t.script], uint8(i))
		tr.settings.Classes = append(tr.settings.Classes, classSettings{t.lang, scripts[t.script].name, t.bytes})
	}
	say("%d languages", len(texts))
	type owned struct {
		e *estimator
		f *feature
	}
	var words, grams []owned
	for s := range scripts {
		ids := l.script[s]
		if len(ids) < 2 {
			continue
		}
		inv := countFeatures(script(s), texts[ids[0]:int(ids[0])+len(ids)], cfg.MinCount)
		e := &estimator{inv: inv, cfg: cfg, base: int(ids[0]), grams: map[uint64][]float64{}}
		say("%s: %d languages, %d features", scripts[s].name, len(ids), len(inv.features))
		for _, f := range inv.features {
			if f.order == 0 {
				words = append(words, owned{e, f})
			} else {
				grams = append(grams, owned{e, f})
			}
		}
	}
	best := func(all []owned, n int) {
		slices.SortStableFunc(all, func(a, b owned) int { return cmp.Compare(b.f.value, a.f.value) })
		for _, o := range all[:min(n, len(all))] {
			r := o.e.row(o.f)
			l.rows[r.key] = r
		}
	}
	best(words, cfg.Words)
	best(grams, cfg.Grams)
	for i := range cfg.Epochs {
		share := l.epoch(texts, first, cfg.Pieces)
		say("epoch %d: %.4f of the pieces right", i+1, share)
	}
	for _, k := range sortedKeys(l.rows) {
		tr.rows = append(tr.rows, l.rows[k])
	}
	tr.settings.Unit = 1.0 / 16
	tr.settings.SoftnessB = -0.2
	return tr, nil
}

// header returns h with kind and configuration.
func (tr *Trained) header(h model.Header) (model.Header, error) {
	h.Kind, h.Behaviour = Kind, Behaviour
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
	hash := func(r *row) uint64 { return mix(r.key) >> 32 }
	rows := slices.SortedStableFunc(slices.Values(tr.rows), func(a, b *row) int { return cmp.Compare(hash(a), hash(b)) })
	var keys, bytes []byte
	last := uint64(0)
	for i, r := range rows {
		if i > 0 && hash(r) == hash(rows[i-1]) {
			continue // one of some ten pairs in a model
		}
		var classes, weights []byte
		for k, c := range r.classes {
			q := math.Round(float64(r.weights[k]) / tr.settings.Unit)
			if q = max(-128, min(127, q)); q != 0 {
				classes = append(classes, c)
				weights = append(weights, byte(int8(q)))
			}
		}
		if len(classes) == 0 {
			continue
		}
		keys = binary.AppendUvarint(keys, hash(r)-last)
		last = hash(r)
		bytes = append(append(append(bytes, byte(len(classes))), classes...), weights...)
	}
	w.Section("keys")
	w.Write(keys)
	w.Section("rows")
	_, err = w.Write(bytes)
	return err
}

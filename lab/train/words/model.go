package words

import (
	"chaffinch/model"
	"chaffinch/text/lm"
)

// newSpec returns a specification without n-grams.
func (b *Builder) newSpec(f *final) *lm.Spec {
	return &lm.Spec{Estimator: b.cfg.Estimator, Tokeniser: b.cfg.Tokeniser, Words: f.words, Bits: b.cfg.Bits}
}

// spec ends the counting and estimates the model.
func (b *Builder) spec() (*lm.Spec, error) {
	b.counts.tally()
	f := b.vocab.final(&b.cfg)
	b.stats.Types = uint64(len(f.old) - lm.Special)
	if b.fits() {
		if uint(b.cfg.Order-1)*newPacking(b.vocab.len()).bits <= 32 {
			return trieSpec[uint32](b, f)
		}
		return trieSpec[uint64](b, f)
	}
	a, sorted, err := b.adjust(f)
	if err != nil {
		return nil, err
	}
	s := b.newSpec(f)
	if b.cfg.Estimator == lm.KneserNey {
		e, err := b.kneserNey(f, a, sorted)
		if err != nil {
			return nil, err
		}
		for k := range b.cfg.Order {
			s.Grams = append(s.Grams, &knGrams{e: e, k: k + 1})
		}
		return s, nil
	}
	unit := uint64(ticksPerWeight)
	if b.fraction {
		unit = 1
	}
	s.Unit = float64(unit) / ticksPerWeight
	for id, c := range b.vocab.counts {
		if uint32(id) != lm.Begin {
			s.Total += c.mass / unit
		}
	}
	for k := range b.cfg.Order {
		s.Grams = append(s.Grams, countGrams{b: b, f: f, k: k + 1, grams: sorted[k+1], unit: unit, ends: a.ends})
	}
	return s, nil
}

// Model ends the training and returns the model in memory, for small models. No sentence can be
// added afterwards.
func (b *Builder) Model(name string) (*lm.Model, error) {
	s, err := b.spec()
	if err != nil {
		return nil, err
	}
	return lm.Memory(model.Header{Name: name}, s)
}

// Write ends the training and writes the sections of the model to w. No sentence can be added
// afterwards.
func (b *Builder) Write(w *model.Writer) error {
	s, err := b.spec()
	if err != nil {
		return err
	}
	return lm.Write(w, s)
}

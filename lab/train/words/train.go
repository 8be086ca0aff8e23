package words

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"chaffinch/internal/disk"
	"chaffinch/internal/panics"
	"chaffinch/model"
	"chaffinch/text/lm"
)

// Options configures [Train] in addition to Config.
type Options struct {
	// Out is the path of the model.
	Out string
	// Name is the name of the model, Tool the program and version.
	Name, Tool string
	// About and Licences are fields of the model card.
	About    string
	Licences []string
	Split    Split
	// Exclude lists files of folders and archives to skip, by their path inside.
	Exclude []string
	// Progress is called occasionally with the number of bytes read.
	Progress func(bytes int64)
}

// batch is a group of sentences that the reader sends to the builder.
type batch struct {
	text   []string
	source []int
	bytes  int
}

const batchBytes = 1 << 18

// Train reads the inputs, trains the model and writes it with its card. The output does not depend
// on the memory limit, the machine or the time.
func Train(ctx context.Context, cfg Config, inputs []Input, opt Options) (*Card, Stats, error) {
	b, err := New(cfg)
	if err != nil {
		return nil, Stats{}, err
	}
	card, err := b.train(ctx, inputs, opt)
	return card, b.Stats(), errors.Join(err, b.Close())
}

func (b *Builder) train(ctx context.Context, inputs []Input, opt Options) (*Card, error) {
	r := &reader{split: opt.Split, exclude: opt.Exclude}
	if err := b.readAll(ctx, r, inputs, opt.Progress); err != nil {
		return nil, err
	}
	if b.stats.Sentences == 0 {
		return nil, fmt.Errorf("build: no sentence to train on in %d files", len(r.files))
	}
	part := opt.Out + ".part"
	w, err := model.Create(part, model.Header{Kind: lm.Kind, Behaviour: lm.Behaviour, Name: opt.Name})
	if err != nil {
		return nil, err
	}
	defer disk.Remove(part)
	if err := b.Write(w); err != nil {
		w.Abort()
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	card := b.card(r, inputs, opt)
	m, err := lm.Load(part)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if card.HeldOut != nil {
		measure(m, b.held, inputs, card)
	}
	return card, finish(m, b.cfg, card, r, opt)
}

// readAll reads the inputs concurrently with counting.
func (b *Builder) readAll(ctx context.Context, r *reader, inputs []Input, progress func(int64)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	batches := make(chan batch, 4)
	var now batch
	send := func() error {
		select {
		case batches <- now:
			now = batch{}
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r.done = func(n int) { now.bytes += n }
	r.yield = func(s string, source int) error {
		now.text, now.source = append(now.text, s), append(now.source, source)
		if now.bytes >= batchBytes {
			return send()
		}
		return nil
	}
	failed := make(chan error, 1)
	go func() {
		defer close(batches)
		failed <- panics.Catch(func() error {
			if err := r.read(ctx, inputs); err != nil {
				return err
			}
			return send()
		})
	}()
	total := int64(0)
	for x := range batches {
		for i, s := range x.text {
			if err := b.Add(s, inputs[x.source[i]].Weight, x.source[i]); err != nil {
				cancel()
				for range batches {
				}
				return errors.Join(err, drop(<-failed))
			}
		}
		if total += int64(x.bytes); progress != nil {
			progress(total)
		}
	}
	return <-failed
}

// drop ignores the error of a cancelled reader.
func drop(err error) error {
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func (b *Builder) card(r *reader, inputs []Input, opt Options) *Card {
	s := b.stats
	c := &Card{
		About: opt.About, Licences: opt.Licences, Split: opt.Split,
		Sentences: s.Sentences, Tokens: s.Tokens, Types: s.Types, Ngrams: s.Ngrams, Kept: s.Kept,
		Discounts: s.Discounts, Paper: Paper{8000, lm.MLE},
	}
	for i, f := range s.Fallback {
		if f {
			c.Fallback = append(c.Fallback, i+1)
		}
	}
	for i, in := range inputs {
		c.Data = append(c.Data, Source{
			Name: filepath.Base(in.Path), Files: in.Files, Weight: in.Weight,
			FileCount: r.files[i], Bytes: r.bytes[i], SHA256: r.sums[i],
		})
	}
	if b.cfg.HeldOut > 0 {
		c.HeldOut = &HeldOut{Every: b.cfg.HeldOut}
	}
	return c
}

// finish writes the model to its destination with its card.
func finish(m *lm.Model, cfg Config, card *Card, r *reader, opt Options) error {
	h := model.Header{Kind: lm.Kind, Behaviour: lm.Behaviour, Name: opt.Name, Tool: opt.Tool}
	var err1, err2 error
	h.Card, err1 = json.Marshal(card)
	h.Config, err2 = json.Marshal(struct {
		Config
		Exclude []string `json:"exclude,omitempty"`
	}{cfg, opt.Exclude})
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	sum := sha256.New()
	for _, s := range r.sums {
		sum.Write([]byte(s))
	}
	h.DataSHA256 = hex.EncodeToString(sum.Sum(nil))
	var sections []model.Section
	for _, name := range m.File.Sections() {
		b, _ := m.File.Section(name)
		sections = append(sections, model.Section{Name: name, Bytes: b})
	}
	return model.Save(opt.Out, h, sections...)
}

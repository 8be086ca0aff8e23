package lines

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"chaffinch/clean"
	"chaffinch/page"
)

// Config configures a [Labeller].
type Config struct {
	// Model is the path of a model file or the name of an embedded model: "best", or "fast"
	// for the same model without its networks. Default: "best".
	Model string `json:"model,omitempty"`
	// Threshold is the probability from which a line is kept, above 0 and below 1. Lower
	// values keep more. Default: 0, the threshold found in training.
	Threshold float64 `json:"threshold,omitempty"`
	// Lang is the language of all documents as a BCP 47 tag. Default: the language stated by
	// the user for the page, else detected for each document.
	Lang string `json:"lang,omitempty"`
}

// Default configures the embedded model with its own threshold.
var Default Config

// Labeller labels the lines of documents. It is safe for concurrent use.
type Labeller struct {
	model     func() (*Model, error) // does not fail for embedded models, which it decodes at its first call
	threshold float64                // 0 for the threshold of the model
	lang      string
	pool      sync.Pool // holds *[]string
}

// New returns a labeller with the model that cfg names. An embedded model is decoded when the first
// document is labelled: most pages need none.
func New(cfg Config) (*Labeller, error) {
	if load := embeddedModel(cfg.Model); load != nil {
		return newLabeller(load, cfg)
	}
	m, err := Load(cfg.Model)
	if err != nil {
		return nil, err
	}
	return NewWith(m, cfg)
}

// NewWith returns a labeller with the model m.
func NewWith(m *Model, cfg Config) (*Labeller, error) {
	return newLabeller(func() (*Model, error) { return m, nil }, cfg)
}

func newLabeller(load func() (*Model, error), cfg Config) (*Labeller, error) {
	if !(cfg.Threshold >= 0 && cfg.Threshold < 1) {
		return nil, fmt.Errorf("lines: threshold %v: wanted a probability between 0 and 1, or 0 for the threshold of the model", cfg.Threshold)
	}
	l := &Labeller{model: load, threshold: cfg.Threshold, lang: primary(cfg.Lang)}
	l.pool.New = func() any { return new([]string) }
	return l, nil
}

// Name returns the method's name and behaviour version.
func (l *Labeller) Name() string { return name }

const name = "lines/1"

// Cards returns the model card.
func (l *Labeller) Cards() []json.RawMessage {
	m, err := l.model()
	if err != nil {
		return nil
	}
	return []json.RawMessage{m.Card()}
}

// IgnoresLang reports whether the method ignores the language of a page: always true. The
// method detects the language itself, from less text.
func (l *Labeller) IgnoresLang() bool { return true }

// Label labels the blocks of p, each as one line. The score is the probability that the line
// is text.
func (l *Labeller) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	if len(p.Blocks) == 0 {
		return nil, nil
	}
	m, err := l.model()
	if err != nil {
		return nil, err
	}
	threshold := cmp.Or(l.threshold, m.Threshold())
	lines := l.pool.Get().(*[]string)
	defer l.pool.Put(lines)
	*lines = slices.Grow((*lines)[:0], len(p.Blocks))
	for i := range p.Blocks {
		*lines = append(*lines, p.Blocks[i].Text)
	}
	s := m.scratch()
	defer m.pool.Put(s)
	out := make([]page.Verdict, len(p.Blocks))
	err = m.score(ctx, s, l.language(p), *lines, func(i, row int, score float32) {
		v := &out[i]
		v.By, v.Label, v.Score = name, page.Bad, float64(score)
		if v.Score >= threshold {
			v.Label = page.Good
		}
		v.Reason = s.sheet.reason(row, v.Label.Keep())
	}, func(i, like int) { out[i] = out[like] })
	for _, i := range codeIn(p, *lines) {
		out[i].Label, out[i].Score, out[i].Reason = page.Bad, 0, whyCode
	}
	clear(*lines) // do not retain the page in the pool
	if err != nil {
		return nil, err
	}
	return out, nil
}

// language returns the language stated by the user, or "" to detect it. A detected language,
// which comes with a confidence, is ignored, so that labels do not depend on whether the
// output has languages. The page's own declaration is ignored too.
func (l *Labeller) language(p *page.Page) string {
	if l.lang == "" && p.LangConfidence == 0 && p.Meta.Lang == "" {
		return primary(p.KnownLang())
	}
	return l.lang
}

// primary returns the language of a tag without its region. Script subtags stay.
func primary(tag string) string {
	lang, rest, _ := strings.Cut(tag, "-")
	if len(rest) == 4 {
		return tag
	}
	return lang
}

// Threshold returns the probability from which lines are kept. It implements clean.Scored.
func (l *Labeller) Threshold([]page.Verdict) clean.Threshold {
	value := l.threshold
	if m, err := l.model(); err == nil {
		value = cmp.Or(value, m.Threshold())
	}
	return clean.Threshold{Name: "threshold", Help: "probability that the line is text: kept from", Value: value}
}

// ByScore reports whether the model labelled the line.
func (l *Labeller) ByScore(_ *page.Page, _ int, v *page.Verdict) bool { return v.By == name }

package ncleaner

import (
	"context"
	"fmt"
	"strings"

	"chaffinch/page"
)

// Config says what the labeller works with.
type Config struct {
	// Model is the name of an embedded pair ("en", "nonlexical"), the path of a
	// model file, or "auto": "en" for pages in English or of unknown language
	// whose letters are ASCII (more than nine in ten), "nonlexical" for all
	// others.
	Model string `json:"model"`
	// Threshold is the least score, in bits per character, of what is kept. 0
	// is the paper's rule: out goes what the dirty model gives the higher
	// probability. Less keeps more.
	Threshold float64 `json:"threshold"`
	// Bars labels navigation bars ("Home | News | Contact") bad whatever the
	// models say.
	Bars bool `json:"bars"`
}

// Default is the paper's system with the embedded pairs.
var Default = Config{Model: "auto", Bars: true}

// Labeller labels blocks by the difference of two character models. It
// satisfies clean.Labeller.
type Labeller struct {
	cfg   Config
	model *Model // for English, and for all if other is nil
	other *Model // for other languages
}

// New loads the models of cfg.
func New(cfg Config) (*Labeller, error) {
	if cfg.Model != "auto" {
		m, err := open(cfg.Model)
		if err != nil {
			return nil, err
		}
		return WithModel(cfg, m), nil
	}
	en, err := open("en")
	if err != nil {
		return nil, err
	}
	other, err := open("nonlexical")
	if err != nil {
		return nil, err
	}
	return &Labeller{cfg, en, other}, nil
}

// WithModel is New for a model that is loaded already; cfg.Model is not read.
func WithModel(cfg Config, m *Model) *Labeller { return &Labeller{cfg, m, nil} }

// modelFor returns the model for a page.
func (l *Labeller) modelFor(p *page.Page) *Model {
	lang, _, _ := strings.Cut(p.Lang, "-")
	if l.other == nil || (lang == "" || strings.EqualFold(lang, "en")) && !isForeign(p.Blocks) {
		return l.model
	}
	return l.other
}

// Name returns "ncleaner/1".
func (l *Labeller) Name() string { return fmt.Sprintf("ncleaner/%d", Behaviour) }

// The reasons in Verdict.Why.
const (
	whyClean = "the clean model is more likely"
	whyDirty = "the dirty model is more likely"
	whyBar   = "navigation bar"
	whyEmpty = "no characters"
	whySome  = "some segments are clean"
)

// Label gives each block its score, log2 Pr_clean - log2 Pr_dirty in bits per
// character: the greater, the more it looks like text. Blocks that still have
// their lines, those of plain text and of pre elements, are cut into segments
// first (text mode, see Segments) and judged segment by segment: where the
// labels differ, Verdict.Sentences holds the segments. The score of such a
// block is that of all its segments together.
func (l *Labeller) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	name := l.Name()
	verdicts := make([]page.Verdict, len(p.Blocks))
	m := l.modelFor(p)
	width := -1
	for i := range p.Blocks {
		b := &p.Blocks[i]
		v := &verdicts[i]
		v.By = name
		if hasLines(b) {
			if width < 0 {
				width = widthOf(p.Blocks)
			}
			l.lines(m, b.Text, width, v)
			continue
		}
		bits, chars := m.Score(b.Text)
		v.Label, v.Why, v.Score = l.judge(b.Text, bits, chars, b.Kind)
	}
	return verdicts, nil
}

func hasLines(b *page.Block) bool {
	return (b.Kind == page.Line || b.Kind == page.Code) && strings.Contains(b.Text, "\n")
}

// widthOf returns the width of the wrapped lines of all blocks that have them.
func widthOf(blocks []page.Block) int {
	w := wrap{}
	for i := range blocks {
		if hasLines(&blocks[i]) {
			w.add(blocks[i].Text)
		}
	}
	return w.width()
}

// judge labels a segment by its score.
func (l *Labeller) judge(text string, bits float64, chars int, kind page.Kind) (page.Label, string, float64) {
	if chars == 0 {
		return page.Bad, whyEmpty, 0
	}
	score := bits / float64(chars)
	switch {
	case l.cfg.Bars && kind != page.Code && isBar(text):
		return page.Bad, whyBar, score
	case score < l.cfg.Threshold:
		return page.Bad, whyDirty, score
	}
	return page.Good, whyClean, score
}

// lines judges the segments of a block with lines.
func (l *Labeller) lines(m *Model, text string, width int, v *page.Verdict) {
	segs := segments(text, width)
	good := 0
	var sumBits float64
	var sumChars int
	v.Sentences = make([]page.Sentence, len(segs))
	for i := range segs {
		s := &segs[i]
		bits, chars := m.Score(s.Text)
		label, why, score := l.judge(s.Text, bits, chars, s.Kind)
		v.Sentences[i] = page.Sentence{Start: s.Start, End: s.End, Label: label, Score: score}
		v.Why = why
		sumBits += bits
		sumChars += chars
		if label == page.Good {
			good++
		}
	}
	if sumChars > 0 {
		v.Score = sumBits / float64(sumChars)
	}
	switch {
	case len(segs) == 0:
		v.Label, v.Why, v.Sentences = page.Bad, whyEmpty, nil
	case good == 0:
		v.Label, v.Sentences = page.Bad, nil
	case good == len(segs):
		v.Label, v.Why, v.Sentences = page.Good, whyClean, nil
	default:
		v.Label, v.Why = page.Good, whySome
	}
}

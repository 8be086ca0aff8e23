package ncleaner

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"chaffinch/internal/timecheck"
	"chaffinch/page"
)

// Config configures a [Labeller].
type Config struct {
	// Model is the name of an embedded pair ("en", "nonlexical"), the path of a model file,
	// or "auto". "auto" is "en" for pages in English, and for pages in an unknown language
	// with more than nine in ten ASCII letters; it is "nonlexical" for all others. Default:
	// "auto".
	Model string `json:"model"`
	// Threshold is the minimum score of kept text, in bits per character. Lower values keep
	// more. Default: 0, the paper's rule, which drops text that is more probable under the
	// dirty model.
	Threshold float64 `json:"threshold"`
	// Bars labels navigation bars ("Home | News | Contact") bad regardless of the models.
	// Default: true.
	Bars bool `json:"bars"`
}

// Default is the paper's system with the embedded pairs.
var Default = Config{Model: "auto", Bars: true}

// Labeller labels blocks by the difference of two character models. It implements
// clean.Labeller.
type Labeller struct {
	cfg   Config
	model *Model // for English, and for all if other is nil
	other *Model // for other languages
}

// New returns a labeller with the models of cfg.
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

// WithModel is [New] with a loaded model. It ignores cfg.Model.
func WithModel(cfg Config, m *Model) *Labeller { return &Labeller{cfg, m, nil} }

// Cards returns the model cards of the models.
func (l *Labeller) Cards() (cards []json.RawMessage) {
	for _, m := range []*Model{l.model, l.other} {
		if m != nil && m.Card != nil {
			cards = append(cards, m.Card)
		}
	}
	return cards
}

// modelFor returns the model for a page.
func (l *Labeller) modelFor(p *page.Page) *Model {
	lang, _, _ := strings.Cut(p.KnownLang(), "-")
	if l.other == nil || (lang == "" || strings.EqualFold(lang, "en")) && !isForeign(p.Blocks) {
		return l.model
	}
	return l.other
}

// Name returns "ncleaner/1".
func (l *Labeller) Name() string { return fmt.Sprintf("ncleaner/%d", behaviour) }

// Values of Verdict.Reason.
const (
	whyClean = "the clean model is more likely"
	whyDirty = "the dirty model is more likely"
	whyBar   = "navigation bar"
	whyEmpty = "no characters"
	whySome  = "some segments are clean"
)

// Label scores each block by log2 Pr_clean - log2 Pr_dirty in bits per character. Higher
// scores are more like text. Plain text and blocks of several lines are split into segments
// first (text mode, see Segments):
//
//   - A block of plain text gets the score of the segment around it, or of all
//     segments inside it together.
//   - The segments of a pre element are labelled separately. If the labels differ,
//     Verdict.Sentences holds the segments. The score is for all segments together.
func (l *Labeller) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	verdicts := make([]page.Verdict, len(p.Blocks))
	m := l.modelFor(p)
	judge := l.blocks
	if isDump(p) {
		judge = l.dump
	}
	if err := judge(timecheck.New(ctx), m, p, verdicts); err != nil {
		return nil, err
	}
	name := l.Name()
	for i := range verdicts {
		verdicts[i].By = name
	}
	return verdicts, nil
}

// blocks labels the blocks of a page one by one.
func (l *Labeller) blocks(clock timecheck.Watch, m *Model, p *page.Page, verdicts []page.Verdict) error {
	width := -1
	for i := range p.Blocks {
		b := &p.Blocks[i]
		v := &verdicts[i]
		if err := clock.Done(len(b.Text)); err != nil {
			return err
		}
		if hasLines(b) {
			if width < 0 {
				width = widthOf(p.Blocks)
			}
			if err := l.lines(&clock, m, b.Text, width, v); err != nil {
				return err
			}
			continue
		}
		bits, chars := m.Score(b.Text)
		v.Label, v.Reason, v.Score = l.judge(isBar(b.Text), bits, chars, b.Kind)
	}
	return nil
}

// isDump reports whether p is plain text.
func isDump(p *page.Page) bool { return p.MIME == "text/plain" && p.HTML != "" }

// dump labels the segments of plain text, and from them the blocks.
func (l *Labeller) dump(clock timecheck.Watch, m *Model, p *page.Page, verdicts []page.Verdict) error {
	end := 0
	for i := range p.Blocks {
		end = max(end, min(p.Blocks[i].End, len(p.HTML)))
	}
	segs := Segments(p.HTML[:end])
	bits, chars := make([]float64, len(segs)), make([]int, len(segs))
	for k := range segs {
		if err := clock.Done(len(segs[k].Text)); err != nil {
			return err
		}
		bits[k], chars[k] = m.Score(segs[k].Text)
	}
	first := 0               // first segment that may overlap the block
	looked, bars := 0, false // last segment checked for a bar, plus one
	for i := range p.Blocks {
		b := &p.Blocks[i]
		for first < len(segs) && segs[first].End <= b.Start {
			first++
		}
		var sum float64
		n := 0
		k := first
		for ; k < len(segs) && segs[k].Start < b.End; k++ {
			sum += bits[k]
			n += chars[k]
		}
		bar := false
		switch {
		case k != first+1:
			bar = isBar(b.Text)
		case k == looked: // many blocks may lie in one segment
			bar = bars
		default: // b may be only a part of the segment
			bar = isBar(segs[first].Text)
			looked, bars = k, bar
		}
		v := &verdicts[i]
		v.Label, v.Reason, v.Score = l.judge(bar, sum, n, b.Kind)
	}
	return nil
}

// hasLines reports whether b still has its line breaks.
func hasLines(b *page.Block) bool {
	return (b.Kind == page.Line || b.Kind == page.Code) && strings.Contains(b.Text, "\n")
}

// widthOf returns the width of the wrapped lines of all blocks with line breaks.
func widthOf(blocks []page.Block) int {
	w := wrap{}
	for i := range blocks {
		if hasLines(&blocks[i]) {
			w.add(blocks[i].Text)
		}
	}
	return w.width()
}

// judge labels a segment by its score, and bad if it is a bar.
func (l *Labeller) judge(bar bool, bits float64, chars int, kind page.Kind) (page.Label, string, float64) {
	if chars == 0 {
		return page.Bad, whyEmpty, 0
	}
	score := bits / float64(chars)
	switch {
	case l.cfg.Bars && kind != page.Code && bar:
		return page.Bad, whyBar, score
	case score < l.cfg.Threshold:
		return page.Bad, whyDirty, score
	}
	return page.Good, whyClean, score
}

// lines labels the segments of a block with lines.
func (l *Labeller) lines(clock *timecheck.Watch, m *Model, text string, width int, v *page.Verdict) error {
	segs := segments(text, width)
	good := 0
	var sumBits float64
	var sumChars int
	v.Sentences = make([]page.Sentence, len(segs))
	for i := range segs {
		s := &segs[i]
		if err := clock.Done(len(s.Text)); err != nil {
			return err
		}
		bits, chars := m.Score(s.Text)
		label, why, score := l.judge(isBar(s.Text), bits, chars, s.Kind)
		v.Sentences[i] = page.Sentence{Start: s.Start, End: s.End, Label: label, Score: score}
		v.Reason = why
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
		v.Label, v.Reason, v.Sentences = page.Bad, whyEmpty, nil
	case good == 0:
		v.Label, v.Sentences = page.Bad, nil
	case good == len(segs):
		v.Label, v.Reason, v.Sentences = page.Good, whyClean, nil
	default:
		v.Label, v.Reason = page.Good, whySome
	}
	return nil
}

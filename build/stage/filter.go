package stage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"

	"chaffinch/filter"
	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/token"
)

// filterName is the name and behaviour version of the stage.
const filterName = "filter/1"

// filterStage drops pages that exceed the limits of rules, and labels as bad the lines that
// rules remove.
type filterStage struct {
	set      *filter.Set
	scorers  *sync.Pool
	noScores bool
}

// FilterConfig configures the stage "filter".
type FilterConfig struct {
	filter.Config
	// NoScores stores no scores in the notes of pages, and computes no scores after the first exceeded
	// limit. Default: false, store all scores.
	NoScores bool `json:"no_scores,omitempty"`
}

func newFilter(config json.RawMessage) (pipeline.Stage, error) {
	cfg := FilterConfig{Config: filter.Config{C4: filter.DefaultC4}}
	if err := settings.Apply(config, &cfg); err != nil {
		return nil, err
	}
	set, err := filter.New(cfg.Config)
	if err != nil {
		return nil, err
	}
	return filterStage{set, &sync.Pool{New: func() any { return set.Scorer() }}, cfg.NoScores}, nil
}

// Name returns filterName.
func (filterStage) Name() string { return filterName }

// Do scores the kept text of p and applies the limits. It stores the scores in the notes of p,
// unless NoScores is set.
func (s filterStage) Do(_ context.Context, p *page.Page) error {
	if p.Drop != page.None {
		return nil
	}
	if p.Lang == "" {
		return errors.New("the page has no language: the stage language comes before the filter")
	}
	var whole strings.Builder
	text := filter.Text{Lang: p.Lang, URL: cmp.Or(p.URL, p.Meta.Canonical), License: p.Meta.License, Optout: p.Meta.Optout, Translated: p.Meta.Translated, PageType: p.Type}
	var first []int // first block of each line
	for i := 0; i < len(p.Blocks); {
		line, next := p.Line(i)
		if line != "" {
			if whole.Len() > 0 {
				whole.WriteByte('\n')
			}
			start := whole.Len()
			whole.WriteString(line)
			text.Paras = append(text.Paras, token.Span{Start: start, End: whole.Len()})
			text.Langs = append(text.Langs, p.Blocks[i].Lang)
			first = append(first, i)
		}
		i = next
	}
	text.Whole = whole.String()
	scorer := s.scorers.Get().(*filter.Scorer)
	r, d, drop := s.judge(scorer, text)
	if !s.noScores {
		for i, name := range s.set.Scores() {
			if v := r.Scores[i]; !math.IsNaN(v) {
				p.Notes = append(p.Notes, page.Note{By: filterName, What: name, Value: v})
			}
		}
	}
	for i, line := range r.Lines {
		if line.Reason != "" {
			leaveOut(p, first[i], line.Reason)
		}
	}
	if drop {
		d.Explanation = scorer.Explain(d)
	}
	edited := len(r.Lines) > 0
	s.scorers.Put(scorer) // not reused after a panic; r does not refer to it
	switch {
	case drop:
		p.Drop, p.Rule = page.Filtered, d.String()
	case edited && p.Text() == "":
		p.Drop = page.AllBad
	}
	return nil
}

// judge scores a text and applies the limits.
func (s filterStage) judge(scorer *filter.Scorer, text filter.Text) (r *filter.Result, d filter.Decision, drop bool) {
	if s.noScores {
		return scorer.Judge(text)
	}
	r = scorer.Score(text)
	d, drop = s.set.Decide(text.Lang, r.Scores)
	return r, d, drop
}

// leaveOut labels as bad the blocks of the line that starts at block i.
func leaveOut(p *page.Page, i int, why string) {
	for _, next := p.Line(i); i < next; i++ {
		if v := &p.Blocks[i].Verdict; v.Label.Keep() {
			*v = page.Verdict{By: filterName, Label: page.Bad, Reason: why}
		}
	}
}

package stage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"sync"

	"chaffinch/filter"
	"chaffinch/internal/layout"
	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
	"chaffinch/text/token"
)

// filterName is the name and behaviour version of the stage.
const filterName = "filter/1"

// filterStage drops pages that exceed the limits of rules, and labels as bad the lines that
// rules remove.
type filterStage struct {
	set     *filter.Set
	workers *sync.Pool // of *filterWorker
	nodes   bool
}

// filterWorker holds the buffers for a page.
type filterWorker struct {
	scorer *filter.Scorer
	whole  []byte
	paras  []token.Span
	langs  []string
	first  []int          // first block of each line
	nodes  []*layout.Node // of each line
}

// FilterConfig configures the stage "filter".
type FilterConfig struct {
	filter.Config
	// Nodes applies the rules like package filter/job to pages in the format json: a line is a block of
	// the top level, such as a whole list or table. It stores no scores in the notes of pages, and
	// computes none after the first exceeded limit. Default: false, the lines of [page.Page.Line].
	Nodes bool `json:"nodes,omitempty"`
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
	return filterStage{set, &sync.Pool{New: func() any { return &filterWorker{scorer: set.Scorer()} }}, cfg.Nodes}, nil
}

// Name returns filterName.
func (filterStage) Name() string { return filterName }

// Do scores the kept text of p and applies the limits. It stores the scores in the notes of p,
// unless Nodes is set.
func (s filterStage) Do(_ context.Context, p *page.Page) error {
	if p.Drop != page.None {
		return nil
	}
	if p.Lang == "" {
		return errors.New("the page has no language: the stage language comes before the filter")
	}
	w := s.workers.Get().(*filterWorker)
	text := filter.Text{Lang: p.Lang, URL: p.URL, License: p.Meta.License, Optout: p.Meta.Optout, Translated: p.Meta.Translated, PageType: p.Type}
	if s.nodes {
		w.takeNodes(p)
	} else {
		w.takeLines(p)
		text.URL, text.Langs = cmp.Or(p.URL, p.Meta.Canonical), w.langs
	}
	text.Whole, text.Paras = string(w.whole), w.paras
	if s.nodes && p.Lang == langid.Undetermined {
		d, err := langid.Standard()
		if err != nil {
			return err
		}
		text.Lang = d.Detect(text.Whole).Lang
	}
	r, d, drop := s.judge(w.scorer, text)
	if !s.nodes {
		for i, name := range s.set.Scores() {
			if v := r.Scores[i]; !math.IsNaN(v) {
				p.Notes = append(p.Notes, page.Note{By: filterName, What: name, Value: v})
			}
		}
	}
	for i, line := range r.Lines {
		switch {
		case line.Reason == "":
		case s.nodes:
			leaveOutNode(p, w.nodes[i], line.Reason)
		default:
			leaveOut(p, w.first[i], line.Reason)
		}
	}
	if drop {
		d.Explanation = w.scorer.Explain(d)
	}
	edited := len(r.Lines) > 0
	clear(w.nodes)
	s.workers.Put(w) // not reused after a panic; r does not refer to it
	switch {
	case drop:
		p.Drop, p.Rule = page.Filtered, d.String()
	case edited && p.Text() == "":
		p.Drop = page.AllBad
	}
	return nil
}

// takeLines sets the lines of [page.Page.Line].
func (w *filterWorker) takeLines(p *page.Page) {
	w.whole, w.paras, w.langs, w.first = w.whole[:0], w.paras[:0], w.langs[:0], w.first[:0]
	for i := 0; i < len(p.Blocks); {
		line, next := p.Line(i)
		if line != "" {
			start := w.begin()
			w.whole = append(w.whole, line...)
			w.paras = append(w.paras, token.Span{Start: start, End: len(w.whole)})
			w.langs, w.first = append(w.langs, p.Blocks[i].Lang), append(w.first, i)
		}
		i = next
	}
}

// begin separates the next line from the lines before it, and returns its start.
func (w *filterWorker) begin() int {
	if len(w.paras) > 0 {
		w.whole = append(w.whole, '\n')
	}
	return len(w.whole)
}

// takeNodes sets a line for each top-level node with text, as package records reads it from the format
// json.
func (w *filterWorker) takeNodes(p *page.Page) {
	w.whole, w.paras, w.nodes = w.whole[:0], w.paras[:0], w.nodes[:0]
	for _, n := range layout.Build(p, layout.Config{}) {
		before := len(w.whole)
		start := w.begin()
		if w.whole = appendNode(w.whole, p, n, start); isBlank(w.whole[start:]) {
			w.whole = w.whole[:before]
			continue
		}
		w.paras, w.nodes = append(w.paras, token.Span{Start: start, End: len(w.whole)}), append(w.nodes, n)
	}
}

// appendNode appends the text of a node to the line that begins at start: the texts of its blocks,
// separated by a blank, with blanks in place of line breaks.
func appendNode(dst []byte, p *page.Page, n *layout.Node, start int) []byte {
	text := ""
	switch n.Kind {
	case layout.Text:
		text = p.Blocks[n.Index].Kept()
	case layout.Code:
		text = n.CodeText(p, false)
	case layout.Image:
		return dst
	default:
		for _, c := range n.Nodes {
			dst = appendNode(dst, p, c, start)
		}
		return dst
	}
	if len(dst) > start {
		dst = append(dst, ' ')
	}
	at := len(dst)
	dst = append(dst, text...)
	for i := at; i < len(dst); i++ {
		if c := dst[i]; c == '\n' || c == '\r' {
			dst[i] = ' '
		}
	}
	return dst
}

// isBlank reports whether text is white space.
func isBlank(text []byte) bool {
	return !slices.ContainsFunc(text, func(c byte) bool { return c > ' ' })
}

// judge scores a text and applies the limits.
func (s filterStage) judge(scorer *filter.Scorer, text filter.Text) (r *filter.Result, d filter.Decision, drop bool) {
	if s.nodes {
		return scorer.Judge(text)
	}
	r = scorer.Score(text)
	d, drop = s.set.Decide(text.Lang, r.Scores)
	return r, d, drop
}

// leaveOutNode labels as bad the blocks of a top-level node.
func leaveOutNode(p *page.Page, n *layout.Node, why string) {
	if n.Kind == layout.Text {
		p.Blocks[n.Index].Verdict = page.Verdict{By: layout.Cut, Label: page.Bad, Reason: why}
	}
	for _, c := range n.Nodes {
		leaveOutNode(p, c, why)
	}
}

// leaveOut labels as bad the blocks of the line that starts at block i.
func leaveOut(p *page.Page, i int, why string) {
	for _, next := p.Line(i); i < next; i++ {
		if v := &p.Blocks[i].Verdict; v.Label.Keep() {
			*v = page.Verdict{By: filterName, Label: page.Bad, Reason: why}
		}
	}
}

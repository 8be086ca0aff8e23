package clean

import (
	"context"
	"slices"
	"sync"

	"chaffinch/page"
)

// Stage labels the blocks of each page with one method. It implements pipeline.Stage.
//
// Hidden blocks are labelled bad unless KeepHidden is set or the method reveals them
// ([page.Verdict.Revealed]). Only a [HiddenLabeller] sees them. Data tables and lists are kept or dropped as a whole, by the label of most of their
// text. The exceptions are EachCell and [CellLabeller].
//
// A page without kept text is dropped. The reason is [page.NoText] if it has no visible
// block, [page.NoModel] if the method labelled no block, and [page.AllBad] otherwise. An
// [Estimator] sets the type and the confidence of the page. A page of a type that is not in
// Types is dropped as [page.OtherType]. A page whose confidence is below MinConfidence is
// dropped as [page.LowConfidence], with a note of the minimum.
type Stage struct {
	Labeller   Labeller
	KeepHidden bool
	// EachCell keeps the label of every table cell and list item, as for a [CellLabeller].
	// Default: tables and lists are decided as a whole.
	EachCell bool
	// MinConfidence is the minimum confidence of a page. Pages with a lower known confidence
	// are dropped. Default: 0, no page is dropped.
	MinConfidence float64
	// Types are the page types to keep, some of [page.Types]. Pages of another known type are
	// dropped. Default: all types.
	Types []string

	pool sync.Pool // of *memory
}

// HiddenLabeller is a [Labeller] that also reads hidden blocks, as context for the visible
// blocks around them.
type HiddenLabeller interface {
	Labeller
	// SeesHidden reports whether the labeller reads hidden blocks.
	SeesHidden() bool
}

// sees reports whether the labeller reads hidden blocks.
func (s *Stage) sees() bool {
	l, ok := s.Labeller.(HiddenLabeller)
	return s.KeepHidden || ok && l.SeesHidden()
}

// parts is implemented by labellers that combine several methods. LabelAll returns the final
// verdicts and one slice of verdicts for each method.
type parts interface {
	LabelAll(context.Context, *page.Page) (final []page.Verdict, parts [][]page.Verdict, err error)
}

// byHidden is the By of verdicts on hidden blocks.
const byHidden = "hidden"

// Name returns "label " and the name of the method.
func (s *Stage) Name() string { return "label " + s.Labeller.Name() }

// IgnoresLang reports whether the method ignores the language of a page.
func (s *Stage) IgnoresLang() bool {
	l, ok := s.Labeller.(interface{ IgnoresLang() bool })
	return ok && l.IgnoresLang()
}

// Do sets the verdicts of p's blocks, and p.Drop if no text is kept.
func (s *Stage) Do(ctx context.Context, p *page.Page) error {
	p.Confidence, p.ConfidencePolicy, p.Type, p.TypeConfidence = 0, "", "", 0
	seen, at := s.visible(p)
	if len(seen.Blocks) > 0 {
		if err := s.label(ctx, p, seen, at); err != nil {
			return err
		}
	}
	hidden := 0
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden && !s.KeepHidden && !b.Revealed {
			b.Verdict = page.Verdict{By: byHidden, Label: page.Bad, Reason: "hidden"}
			hidden++
		}
	}
	switch {
	case p.Drop != page.None:
	case keepsText(p):
		switch {
		case len(s.Types) > 0 && p.Type != "" && !slices.Contains(s.Types, p.Type):
			p.Drop = page.OtherType
		case 0 < p.Confidence && p.Confidence < s.MinConfidence:
			p.Drop = page.LowConfidence
			p.Notes = append(p.Notes, page.Note{By: "label", What: "minimum confidence", Value: s.MinConfidence})
		}
	case hidden == len(p.Blocks):
		p.Drop = page.NoText
	case !labelled(p):
		p.Drop = page.NoModel
	default:
		p.Drop = page.AllBad
	}
	return nil
}

// visible returns the page that methods see, and the index in p.Blocks of each of its
// blocks. The indexes are nil if both pages are the same.
func (s *Stage) visible(p *page.Page) (*page.Page, []int) {
	hidden := 0
	for i := range p.Blocks {
		if p.Blocks[i].Hidden {
			hidden++
		}
	}
	if hidden == 0 || s.sees() {
		return p, nil
	}
	q := *p
	q.Blocks = make([]page.Block, 0, len(p.Blocks)-hidden)
	at := make([]int, 0, len(p.Blocks)-hidden)
	for i := range p.Blocks {
		if !p.Blocks[i].Hidden {
			q.Blocks = append(q.Blocks, p.Blocks[i])
			at = append(at, i)
		}
	}
	return &q, at
}

// label labels the blocks of seen, whose indexes in p.Blocks are at, or nil if both are the same.
func (s *Stage) label(ctx context.Context, p, seen *page.Page, at []int) error {
	if m, ok := s.Labeller.(parts); ok {
		return s.labelAll(ctx, m, p, seen, at)
	}
	m := s.memory()
	defer s.pool.Put(m)
	final := m.verdicts(len(seen.Blocks))
	defer clear(final)
	of, err := labelInto(ctx, s.Labeller, seen, final)
	if err != nil {
		return err
	}
	p.Confidence, p.ConfidencePolicy = of.Confidence, of.ConfidencePolicy
	p.Type, p.TypeConfidence = of.Type, of.TypeConfidence
	s.settle(seen, final)
	own := m.take(len(final))
	for i := range final {
		b := block(p, at, i)
		b.Verdict, b.Verdicts = final[i], own[i]
		own[i][0] = final[i]
		own[i] = nil
	}
	return nil
}

// labelAll is label for a labeller that combines several methods.
func (s *Stage) labelAll(ctx context.Context, m parts, p, seen *page.Page, at []int) error {
	final, all, err := m.LabelAll(ctx, seen)
	if err != nil {
		return err
	}
	for _, v := range append(all, final) {
		if len(v) != len(seen.Blocks) {
			return wrongNumber(s.Labeller, v, seen)
		}
	}
	s.settle(seen, final)
	store := make([]page.Verdict, 0, len(final)*len(all))
	for i := range final {
		n := len(store)
		for _, v := range all {
			store = append(store, v[i])
		}
		b := block(p, at, i)
		b.Verdict, b.Verdicts = final[i], store[n:len(store):len(store)]
	}
	return nil
}

// block returns the block of p that methods saw as block i. at is as in label.
func block(p *page.Page, at []int, i int) *page.Block {
	if at != nil {
		i = at[i]
	}
	return &p.Blocks[i]
}

// settle decides the tables and lists of p as a whole, unless the labeller or EachCell prevents it.
func (s *Stage) settle(p *page.Page, verdicts []page.Verdict) {
	if !s.EachCell && Settles(s.Labeller) {
		settle(p, verdicts)
	}
}

// labelled reports whether a block that methods saw has a label.
func labelled(p *page.Page) bool {
	for i := range p.Blocks {
		if b := &p.Blocks[i]; b.Label != page.Unknown && b.By != byHidden {
			return true
		}
	}
	return false
}

func keepsText(p *page.Page) bool {
	for i := range p.Blocks {
		if b := &p.Blocks[i]; b.Label.Keep() && (len(b.Sentences) > 0 && b.Kept() != "" || len(b.Sentences) == 0 && b.Text != "") {
			return true
		}
	}
	return false
}

package clean

import (
	"context"
	"fmt"

	"chaffinch/page"
)

// Stage labels the blocks of each page with one method. It satisfies
// pipeline.Stage.
//
// Hidden blocks are bad whatever the method says, unless KeepHidden is set, and
// methods see the page without them, but for a [HiddenLabeller]. Data tables and lists stay or go
// as wholes, by what the method says of most of their text, but for a [CellLabeller]. A page on which no text is kept
// is dropped: [page.NoText] if it has no visible block, [page.NoModel] if the
// method could label none, else [page.AllBad]. A [Confident] sets the confidence of the
// page; one below MinConfidence is dropped as [page.LowConfidence], with a note of
// what was wanted.
type Stage struct {
	Labeller   Labeller
	KeepHidden bool
	// EachCell leaves every cell of a table and item of a list as it was labelled,
	// as after a [CellLabeller].
	EachCell bool
	// MinConfidence is the minimum confidence of a page: one of which less is told is
	// dropped. 0 drops none.
	MinConfidence float64
}

// HiddenLabeller is a Labeller that looks at the blocks that the page does not show too,
// for the sake of their neighbours.
type HiddenLabeller interface {
	Labeller
	// SeesHidden reports whether the labeller does.
	SeesHidden() bool
}

// sees reports whether the labeller looks at hidden blocks.
func (s *Stage) sees() bool {
	l, ok := s.Labeller.(HiddenLabeller)
	return s.KeepHidden || ok && l.SeesHidden()
}

// parts is what a Labeller adds that asks several methods: their verdicts next
// to its own. One slice for each method.
type parts interface {
	LabelAll(context.Context, *page.Page) (final []page.Verdict, parts [][]page.Verdict, err error)
}

// byHidden is who labels hidden blocks.
const byHidden = "hidden"

// Name is that of the method.
func (s *Stage) Name() string { return "label " + s.Labeller.Name() }

// IgnoresLang reports whether the method says that it does not look at the
// language of a page.
func (s *Stage) IgnoresLang() bool {
	l, ok := s.Labeller.(interface{ IgnoresLang() bool })
	return ok && l.IgnoresLang()
}

// Do sets the verdicts of p's blocks.
func (s *Stage) Do(ctx context.Context, p *page.Page) error {
	p.Confidence = 0
	seen, at := s.visible(p)
	if len(seen.Blocks) > 0 {
		if err := s.label(ctx, p, seen, at); err != nil {
			return err
		}
	}
	hidden := 0
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Hidden && !s.KeepHidden {
			b.Verdict = page.Verdict{By: byHidden, Label: page.Bad, Why: "hidden"}
			hidden++
		}
	}
	switch {
	case p.Drop != page.None:
	case keepsText(p):
		if 0 < p.Confidence && p.Confidence < s.MinConfidence {
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

// visible returns the page that methods see, and for each of its blocks the
// index in p.Blocks; nil for the index if the pages are the same.
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

func (s *Stage) label(ctx context.Context, p, seen *page.Page, at []int) error {
	var final []page.Verdict
	var all [][]page.Verdict
	var err error
	switch m := s.Labeller.(type) {
	case parts:
		final, all, err = m.LabelAll(ctx, seen)
	case Confident:
		final, p.Confidence, err = m.LabelSure(ctx, seen)
		all = [][]page.Verdict{final}
	default:
		final, err = s.Labeller.Label(ctx, seen)
		all = [][]page.Verdict{final}
	}
	if err != nil {
		return err
	}
	for _, v := range append(all, final) {
		if len(v) != len(seen.Blocks) {
			return fmt.Errorf("%s: %d verdicts for %d blocks", s.Labeller.Name(), len(v), len(seen.Blocks))
		}
	}
	if !s.EachCell && Settles(s.Labeller) {
		settle(seen, final)
	}
	var store []page.Verdict
	if len(all) > 1 {
		store = make([]page.Verdict, 0, len(final)*len(all))
	}
	for i := range final {
		b := &p.Blocks[i]
		if at != nil {
			b = &p.Blocks[at[i]]
		}
		b.Verdict = final[i]
		if len(all) == 1 {
			b.Verdicts = all[0][i : i+1 : i+1]
			continue
		}
		n := len(store)
		for _, v := range all {
			store = append(store, v[i])
		}
		b.Verdicts = store[n:len(store):len(store)]
	}
	return nil
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

package blocks

import (
	"fmt"
	"slices"

	"chaffinch/internal/boost"
)

// Parts holds the parts of a [Model], as trained by package lab/train/blocks.
type Parts struct {
	// Attr and Words are the linear models of kept text. Hints is the linear model of the
	// roles, or nil. Pages is the linear model of whole pages.
	Attr, Words *Linear
	Hints       *Hints
	Pages       *PageModel
	// Cuts holds the cut points of the first len(Cuts) columns, which were used in training.
	Cuts [][]float32
	// Roles is the forest of the roles, as written by internal/boost. More, if not nil, is a
	// forest whose log odds are added to the log odds of the wanted roles.
	Roles, More []byte
	// Lean, if not nil, is added to the log odds of the roles.
	Lean       []float32
	Confidence *Confidence // may be nil
	Types      *Types      // may be nil
}

// Types is the model of the types of pages.
type Types struct {
	Cuts   [][]float32 // by clue
	Forest []byte      // as written by internal/boost
}

// Confidence is the model of the probability that a page is labelled well.
type Confidence struct {
	Cuts   [][]float32 // by clue
	Forest []byte      // as written by internal/boost
}

// ReadsHeadings reports whether the linear models read the words of headings for the blocks under
// them. Models of earlier versions do not.
func (p *Parts) ReadsHeadings() bool { return readsHeadings(len(p.Cuts)) }

// readsHeadings reports whether a model trained with this number of columns reads headings.
func readsHeadings(columns int) bool { return columns > int(colSectionLevel) }

// NewModel returns a model with these parts.
func NewModel(p Parts) (*Model, error) {
	m := &Model{linears: newLinears(p.Attr, p.Words, p.Hints), pages: p.Pages.byToken(), known: len(p.Cuts), lean: p.Lean}
	if len(p.Cuts) > int(columns) || p.Lean != nil && len(p.Lean) != Roles {
		return nil, fmt.Errorf("blocks: cuts of %d columns and a lean of %d roles, wanted at most %d and %d", len(p.Cuts), len(p.Lean), columns, Roles)
	}
	copy(m.cuts[:], p.Cuts)
	if err := m.readRoles(p.Roles, onHeap); err != nil {
		return nil, err
	}
	if p.More != nil {
		if err := m.readMore(p.More); err != nil {
			return nil, err
		}
	}
	if c := p.Confidence; c != nil {
		if len(c.Cuts) != int(clues) {
			return nil, fmt.Errorf("blocks: cuts of %d clues, wanted %d", len(c.Cuts), clues)
		}
		m.confidence = &confidence{forest: new(boost.Forest)}
		copy(m.confidence.cuts[:], c.Cuts)
		if err := m.confidence.forest.UnmarshalBinary(c.Forest); err != nil {
			return nil, err
		}
	}
	if t := p.Types; t != nil {
		if len(t.Cuts) != int(typeClues) {
			return nil, fmt.Errorf("blocks: cuts of %d clues of types, wanted %d", len(t.Cuts), typeClues)
		}
		m.types = &types{forest: new(boost.Classes)}
		copy(m.types.cuts[:], t.Cuts)
		if err := m.types.forest.UnmarshalBinary(t.Forest); err != nil {
			return nil, err
		}
	}
	m.prepare()
	return m, nil
}

// Parts returns the parts of m. The caller must not modify them.
func (m *Model) Parts() (p Parts, err error) {
	p = Parts{Attr: m.linears.attr.linear(), Words: m.linears.words.linear(), Hints: m.linears.hints(), Pages: m.pages.model(), Cuts: slices.Clone(m.cuts[:m.known]), Lean: m.lean}
	if p.Roles, err = m.roles.AppendBinary(nil); err != nil {
		return p, err
	}
	if m.more != nil {
		if p.More, err = m.more.AppendBinary(nil); err != nil {
			return p, err
		}
	}
	if t := m.types; t != nil {
		p.Types = &Types{Cuts: slices.Clone(t.cuts[:])}
		if p.Types.Forest, err = t.forest.AppendBinary(nil); err != nil {
			return p, err
		}
	}
	if c := m.confidence; c != nil {
		p.Confidence = &Confidence{Cuts: slices.Clone(c.cuts[:])}
		if p.Confidence.Forest, err = c.forest.AppendBinary(nil); err != nil {
			return p, err
		}
	}
	return p, nil
}

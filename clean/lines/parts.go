package lines

import (
	"fmt"
	"slices"

	"chaffinch/internal/recurrent"
)

// Document holds the features of the lines of a document, the training input of package
// lab/train/lines.
type Document struct{ sheet sheet }

// Read computes the features of the lines of a document. lang is its language as a BCP 47
// tag, or "" to detect it.
func Read(lang string, lines []string) *Document {
	d := new(Document)
	read(&d.sheet, lang, lines)
	return d
}

// Lines returns the number of lines.
func (d *Document) Lines() int { return d.sheet.n }

// Script returns the script of most letters.
func (d *Document) Script() string { return d.sheet.script }

// Length returns the length class of line i, an index into the fields of [Usual].
func (d *Document) Length(i int) int { return d.sheet.lengthOf(i) }

// WordGrams returns the word n-grams of line i as indexes into [Weights].
func (d *Document) WordGrams(i int) []uint32 { return d.sheet.wordIDs(i) }

// CharGrams returns the character n-grams of line i as indexes into [Weights].
func (d *Document) CharGrams(i int) []uint32 { return d.sheet.charIDs(i) }

// Parts holds the parts of a [Model], as trained by package lab/train/lines.
type Parts struct {
	Features Features
	// Words and Chars are regressions over n-grams, or nil.
	Words, Chars *NGrams
	// Nets holds the weights of networks of the given shape, as written by
	// internal/recurrent.
	Shape NetShape
	Nets  [][]byte
	// Forest is a forest over rows binned by Cuts, as written by internal/boost, or nil. Mix
	// is its share in the log odds.
	Cuts   [][]float32
	Forest []byte
	Mix    float32
	// Threshold is the probability from which a line is text.
	Threshold float64
}

// NewModel returns a model with these parts.
func NewModel(p Parts) (*Model, error) {
	m := &Model{rows: p.Features, words: p.Words, chars: p.Chars, cuts: p.Cuts, mix: p.Mix, threshold: p.Threshold}
	if w := m.width(); m.rows.grams != (p.Words != nil) || (p.Words == nil) != (p.Chars == nil) || len(m.rows.Mean) != w || len(m.rows.Scale) != w {
		return nil, fmt.Errorf("lines: means and scales of %d and %d columns, wanted %d, and regressions as the features say", len(m.rows.Mean), len(m.rows.Scale), w)
	}
	for _, b := range p.Nets {
		n, err := recurrent.Parse(p.Shape.shape(), b)
		if err != nil {
			return nil, err
		}
		m.nets = append(m.nets, n)
	}
	if p.Forest != nil {
		if len(m.cuts) != m.width() {
			return nil, fmt.Errorf("lines: cuts of %d columns, wanted %d", len(m.cuts), m.width())
		}
		if err := m.readForest(p.Forest); err != nil {
			return nil, err
		}
	}
	m.prepare()
	return m, nil
}

// Parts returns the parts of m. The caller must not modify its slices.
func (m *Model) Parts() (Parts, error) {
	p := Parts{Features: m.rows, Words: m.words, Chars: m.chars, Cuts: m.cuts, Mix: m.mix, Threshold: m.threshold}
	p.Features.Scripts = slices.Clone(p.Features.Scripts)
	for _, n := range m.nets {
		b, err := n.AppendBinary(nil)
		if err != nil {
			return p, err
		}
		p.Shape, p.Nets = shapeOf(n), append(p.Nets, b)
	}
	if m.forest != nil {
		var err error
		p.Forest, err = m.forest.AppendBinary(nil)
		return p, err
	}
	return p, nil
}

// LogOdds returns for each line of a document the log odds that it is text.
func (m *Model) LogOdds(d *Document) []float32 {
	z := make([]float32, d.Lines())
	m.logOdds(z, &scratch{sheet: d.sheet})
	return z
}

package lines

import (
	"fmt"
	"slices"

	"chaffinch/internal/recurrent"
)

// Document holds the measurements of the lines of a document, which package lab/train/lines
// learns from.
type Document struct{ sheet sheet }

// Read measures the lines of a document. lang is its language as a BCP 47 tag; "" detects it.
func Read(lang string, lines []string) *Document {
	d := new(Document)
	read(&d.sheet, lang, lines)
	return d
}

// Lines returns the number of lines.
func (d *Document) Lines() int { return d.sheet.n }

// Script returns the script of most letters.
func (d *Document) Script() string { return d.sheet.script }

// Length returns the class of the length of line i, an index of the fields of [Usual].
func (d *Document) Length(i int) int { return d.sheet.lengthOf(i) }

// WordGrams returns the n-grams of words of line i as indices of [Weights].
func (d *Document) WordGrams(i int) []uint32 { return d.sheet.wordIDs(i) }

// CharGrams returns the n-grams of characters of line i as indices of [Weights].
func (d *Document) CharGrams(i int) []uint32 { return d.sheet.charIDs(i) }

// Parts are what a [Model] consists of, as package lab/train/lines makes them.
type Parts struct {
	Features Features
	// Words and Chars are regressions over n-grams, nil for none.
	Words, Chars *NGrams
	// Nets are the weights of networks of a shape, as internal/recurrent writes them.
	Shape NetShape
	Nets  [][]byte
	// Forest is a forest over rows that Cuts bin by column, as internal/boost writes it; nil for
	// none. Mix is its share in the log odds.
	Cuts   [][]float32
	Forest []byte
	Mix    float32
	// Threshold is the probability from which on a line is text.
	Threshold float64
}

// NewModel puts a model together.
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

// Parts returns what m consists of. Its slices are not to be changed.
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

// LogOdds returns the log odds of text of the lines of a document.
func (m *Model) LogOdds(d *Document) []float32 {
	z := make([]float32, d.Lines())
	m.logOdds(z, &scratch{sheet: d.sheet})
	return z
}

package lines

import (
	"context"
	"slices"

	"chaffinch/internal/boost"
	"chaffinch/lab/compare/learners/rowfile"
)

// The parts of a table of lines.
const (
	toLearn   = 1
	toMeasure = 2
)

// Compared returns the rows of the documents to learn from and of those to measure with, as
// Train and Score see them.
func Compared(learn, measure []*Gold) (*rowfile.Table, error) {
	ctx, cfg := context.Background(), DefaultTrain
	quiet := func(string, int, int) {}
	m := new(parts)
	if err := m.choose(&cfg); err != nil {
		return nil, err
	}
	examples, err := readDocs(ctx, learn, cfg, quiet)
	if err != nil {
		return nil, err
	}
	held, err := readDocs(ctx, measure, cfg, quiet)
	if err != nil {
		return nil, err
	}
	if err := m.fitNGrams(ctx, examples, held, cfg, quiet); err != nil {
		return nil, err
	}
	m.fitStandard(examples, held)
	m.table(examples, cfg) // finds the cuts
	all := slices.Concat(examples, held)
	rows := m.table(all, cfg)
	n, width := rows.matrix.Rows, m.Features.Width()
	t := &rowfile.Table{Columns: rows.matrix.Cols, Parts: make([]uint8, n), Target: rows.target, Weight: rows.weight, Count: make([]float32, n), Dense: make([]float32, n*width)}
	t.Meta = rowfile.Meta{Rows: n, Pad: boost.Pad, Tests: []int{toMeasure}, Width: width, Trees: cfg.Trees, Shape: cfg.Shape, Net: cfg.Net}
	for _, f := range cfg.features(width) {
		t.Features = append(t.Features, [2]int{f.Col, f.Shift})
	}
	at := boost.Pad
	for k, x := range all {
		part := uint8(toLearn)
		if k >= len(examples) {
			part = toMeasure
		}
		for i := range x.doc.Lines() {
			t.Parts[at+i], t.Count[at+i] = part, 1
		}
		copy(t.Dense[at*width:], x.rows)
		at += x.doc.Lines() + boost.Pad
	}
	return t, nil
}

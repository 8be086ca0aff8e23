package lines

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"chaffinch/clean/lines"
	"chaffinch/internal/sorts"
	columns "chaffinch/internal/table"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	trainlines "chaffinch/lab/train/lines"
)

// Heldout holds the counts of a model on documents of a language that it was not trained on.
type Heldout struct {
	Lang   string // "" if unknown, or for all languages
	Docs   int
	Counts Counts
}

// Hold scores documents and returns the counts of all documents, then by language.
func Hold(m *lines.Model, docs []*gold.LineDoc) []Heldout {
	var h holding
	for _, d := range docs {
		h.add(m, d)
	}
	return h.result()
}

// holding accumulates counts.
type holding struct {
	all    Heldout
	of     map[string]*Heldout
	scores []float32
}

func (h *holding) add(m *lines.Model, d *gold.LineDoc) {
	h.scores = m.Score(h.scores[:0], d.Lang, d.Lines)
	c := countLines(d.Labels, h.scores)
	if h.of == nil {
		h.of = map[string]*Heldout{}
	}
	if h.of[d.Lang] == nil {
		h.of[d.Lang] = &Heldout{Lang: d.Lang}
	}
	for _, to := range []*Heldout{&h.all, h.of[d.Lang]} {
		to.Docs++
		to.Counts.plus(c)
	}
}

func (h *holding) result() []Heldout {
	out := []Heldout{h.all}
	for _, l := range h.of {
		out = append(out, *l)
	}
	sorts.Func(out[1:], func(a, b Heldout) int { return cmp.Compare(a.Lang, b.Lang) })
	return out
}

// AdaptGain measures the gain of adapting a model to documents by cross-validation: each fold is
// scored by m and by m adapted to the others. Near-duplicates are in the same fold.
func AdaptGain(ctx context.Context, m *lines.Model, docs []*gold.LineDoc, folds int, seed uint64, cfg trainlines.AdaptConfig, progress func(step string, done, total int)) (before, after []Heldout, err error) {
	of, err := gold.LineFolds(docs, folds, seed)
	if err != nil {
		return nil, nil, err
	}
	var was, is holding
	for f := range folds {
		progress("cross-validation", f, folds)
		var others, held []*gold.LineDoc
		for i, d := range docs {
			if of[i] == f {
				held = append(held, d)
			} else {
				others = append(others, d)
			}
		}
		if len(held) == 0 {
			continue
		}
		if len(others) < 2 {
			return nil, nil, fmt.Errorf("nearly all of %d documents are near-duplicates of each other, so nothing can be measured: label documents of other kinds, or do without the cross-validation", len(docs))
		}
		adapted, err := trainlines.Adapt(ctx, cfg, m, train.LineGolds(others), nil)
		if err != nil {
			return nil, nil, err
		}
		for _, d := range held {
			was.add(m, d)
			is.add(adapted, d)
		}
	}
	progress("cross-validation", folds, folds)
	return was.result(), is.result(), nil
}

// WriteHeldout writes figures in percent, one row per language. With before, each cell begins with
// the figure before.
func WriteHeldout(w io.Writer, before, after []Heldout) error {
	t := columns.New("language", ">documents", ">lines", ">accuracy", ">F1 text", ">F1 boilerplate")
	for i, a := range after {
		if i == 1 && len(after) == 2 {
			break // a single language
		}
		name := a.Lang
		if i == 0 {
			name = "all"
		} else if name == "" {
			name = "-"
		}
		row := []string{name, fmt.Sprint(a.Docs), fmt.Sprint(a.Counts.Lines())}
		for _, of := range []func(Counts) float64{Counts.Accuracy, func(c Counts) float64 { return c.Text().f1() }, func(c Counts) float64 { return c.boilerplate().f1() }} {
			cell := inPercent(of(a.Counts))
			if before != nil {
				cell = inPercent(of(before[i].Counts)) + " -> " + cell
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	return t.Write(w, "")
}

// inPercent formats a fraction in percent, "-" for NaN.
func inPercent(x float64) string {
	if x != x {
		return "-"
	}
	return fmt.Sprintf("%.2f", 100*x)
}

package blocks

import (
	"context"
	"slices"

	"chaffinch/clean/blocks"
	"chaffinch/internal/boost"
	"chaffinch/lab/compare/learners/rowfile"
	"chaffinch/lab/train/trees"
	"chaffinch/page"
)

// Compared returns the rows of pages that the forest of the model learns from, in three parts by
// site, as the training of the confidence deals them. Pages lent to other policies are left out.
func Compared(ctx context.Context, all []*Example) (*rowfile.Table, error) {
	cfg := DefaultTrain
	examples := slices.DeleteFunc(slices.Clone(all), func(x *Example) bool { return x.lent || x.sheet.Blocks() == 0 })
	m := new(parts)
	policies := assign(examples)
	balance(examples, cfg.Balance)
	if err := m.fitLinear(ctx, examples, policies, cfg, func(string, int, int) {}); err != nil {
		return nil, err
	}
	t := m.table(examples, cfg)
	of, list := t.evidence(examples)
	features, err := chosenFeatures(nil)
	if err != nil {
		return nil, err
	}
	grow := func(weight []float32, cfg trees.Config, progress func(done, total int)) (*boost.Classes, []float64, error) {
		return trees.TrainClasses(ctx, cfg, t.matrix, features, of, list, weight, tasks(), progress)
	}
	if features, err = bestFeatures(features, cfg, grow, t.weight); err != nil {
		return nil, err
	}
	return t.compared(examples, features, cfg), nil
}

// compared returns t as a table for other learners.
func (t *table) compared(examples []*Example, features []boost.Feature, cfg TrainConfig) *rowfile.Table {
	n, folds := t.matrix.Rows, cfg.Confidence.Folds
	out := &rowfile.Table{Columns: t.matrix.Cols, Parts: make([]uint8, n), Classes: make([]uint8, n), Target: t.target, Weight: t.weight, Count: make([]float32, n)}
	out.Meta = rowfile.Meta{Rows: n, Pad: boost.Pad, Trees: cfg.Trees}
	for f := range folds {
		out.Tests = append(out.Tests, f+1)
	}
	for _, f := range features {
		out.Features = append(out.Features, [2]int{f.Col, f.Shift})
	}
	for r := range blocks.Roles {
		out.ClassNames = append(out.ClassNames, page.Role(r+1).String())
	}
	for i := range out.Classes {
		out.Classes[i] = rowfile.NoClass
	}
	for k, x := range examples {
		for i := range x.sheet.Blocks() {
			row := t.starts[k] + i
			out.Parts[row] = uint8(confidenceFold(x, folds) + 1)
			out.Count[row] = float32(x.sheet.Words(i))
			if x.roles != nil && x.roles[i] != page.NoRole {
				out.Classes[row] = uint8(x.roles[i] - 1)
			}
		}
	}
	return out
}

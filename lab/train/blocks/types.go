package blocks

import (
	"context"
	"slices"

	"chaffinch/clean/blocks"
	"chaffinch/internal/boost"
	"chaffinch/lab/train/trees"
)

// typesConfig configures the forest of the types of pages.
var typesConfig = trees.Config{Trees: 80, Depth: 4, Rate: .1, Lambda: 3, MinWeight: 1, ColSample: .3, RowSample: .7, Seed: 1}

const (
	typeBins  = 24
	typeDoubt = .03 // probability that the type of a page is another one
	// minTyped is the minimum number of pages with a type for training a forest.
	minTyped = 200
)

// learnTypes trains the model of the types of pages on the examples with a type. It returns nil if
// there are too few.
func learnTypes(ctx context.Context, examples []*Example, workers int) (*blocks.Types, error) {
	var typed []*Example
	for _, x := range examples {
		if !x.lent && slices.Contains(blocks.PageTypes, x.kind) {
			typed = append(typed, x)
		}
	}
	if len(typed) < minTyped {
		return nil, nil
	}
	clues := make([][]float32, len(typed))
	for i, x := range typed {
		clues[i] = x.sheet.TypeClues()
	}
	m := boost.NewMatrix(len(typed), len(clues[0]))
	out := &blocks.Types{Cuts: make([][]float32, len(clues[0]))}
	var features []boost.Feature
	values := make([]float32, len(typed))
	for k := range out.Cuts {
		for i := range clues {
			values[i] = clues[i][k]
		}
		out.Cuts[k] = trees.Cuts(slices.Clone(values), nil, typeBins)
		for i, v := range values {
			m.Cols[k][boost.Pad+i] = boost.Bin(v, out.Cuts[k])
		}
		features = append(features, boost.Feature{Col: k})
	}
	classes := len(blocks.PageTypes)
	var evidence []trees.Evidence
	var tasks trees.Tasks
	for t := range classes {
		e, task := make(trees.Evidence, classes), make([]bool, classes)
		for k := range e {
			e[k] = typeDoubt
		}
		e[t], task[t] = 1, true
		evidence, tasks = append(evidence, e), append(tasks, task)
	}
	of, weight := make([]uint32, len(typed)), make([]float32, len(typed))
	for i, x := range typed {
		of[i], weight[i] = uint32(slices.Index(blocks.PageTypes, x.kind)), 1
	}
	cfg := typesConfig
	cfg.Workers = workers
	f, _, err := trees.TrainClasses(ctx, cfg, m, features, of, evidence, weight, tasks, nil)
	if err != nil {
		return nil, err
	}
	out.Forest, err = f.AppendBinary(nil)
	return out, err
}

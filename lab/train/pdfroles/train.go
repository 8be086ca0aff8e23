package pdfroles

import (
	"context"
	"fmt"

	"chaffinch/format/pdf/roles"
	"chaffinch/internal/boost"
	"chaffinch/internal/parallel"
	"chaffinch/lab/train/trees"
)

// Config configures the training.
type Config struct {
	Forest trees.Config
	// Reach is the number of paragraphs on each side that trees read.
	Reach int
	// Share is the exponent of the number of annotated paragraphs of a document in its weight: with
	// 1 all paragraphs count the same, with 0 all documents.
	Share float64
	// Balance is the exponent of the inverse frequency of a role in the weight of its paragraphs.
	Balance float64
}

// Default is the configuration of the embedded model.
var Default = Config{
	Forest: trees.Config{Trees: 250, Depth: 4, Rate: .3, Lambda: 2, MinWeight: .5, ColSample: .3, RowSample: .8, Seed: 1},
	Reach:  2, Share: .7, Balance: .25,
}

// Check returns an error if a setting is out of range.
func (c *Config) Check() error {
	switch {
	case c.Reach < 0 || c.Reach > boost.Pad:
		return fmt.Errorf("pdfroles: reach %d, wanted 0 to %d", c.Reach, boost.Pad)
	case !(c.Share >= 0 && c.Share <= 1):
		return fmt.Errorf("pdfroles: share %v, wanted 0 to 1", c.Share)
	case !(c.Balance >= 0 && c.Balance <= 1):
		return fmt.Errorf("pdfroles: balance %v, wanted 0 to 1", c.Balance)
	}
	return c.Forest.Check()
}

// Train trains a model. Paragraphs without an annotation are only read as neighbours.
func Train(ctx context.Context, cfg Config, docs []*Doc) (*roles.Model, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	s := stack(docs, cfg.Share, cfg.Balance)
	cuts := make([][]float32, roles.Columns)
	parallel.Each(0, len(cuts), func(c int) {
		values := make([]float32, s.n)
		for i := range values {
			values[i] = s.rows[i*int(roles.Columns)+c]
		}
		cuts[c] = trees.Cuts(values, s.weight, roles.Bins)
	})
	m := s.matrix(cuts)
	var features []boost.Feature
	for c, k := range cuts {
		if len(k) == 0 {
			continue
		}
		for shift := -cfg.Reach; shift <= cfg.Reach; shift++ {
			features = append(features, boost.Feature{Col: c, Shift: shift})
		}
	}
	evidence := make([]trees.Evidence, roles.Count)
	var tasks trees.Tasks
	for r := range roles.Count {
		evidence[r] = make(trees.Evidence, roles.Count)
		evidence[r][r] = 1
		task := make([]bool, roles.Count)
		task[r] = true
		tasks = append(tasks, task)
	}
	forest, _, err := trees.TrainClasses(ctx, cfg.Forest, m, features, s.gold, evidence, s.weight, tasks, nil)
	if err != nil {
		return nil, err
	}
	b, err := forest.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	return roles.New(cuts, b)
}

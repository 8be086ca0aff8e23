package tag

import (
	"context"

	"chaffinch/format/conllu"
	"chaffinch/lab/train/tagger"
)

// CrossValidate scores models on parts of a treebank that they have not learned from. Each fold is a
// sequence of sentences.
func CrossValidate(ctx context.Context, cfg tagger.Config, name string, list []*conllu.Sentence, folds int, progress func(done, total int)) (*Result, error) {
	sum := &Result{Name: name}
	for k := range folds {
		from, to := k*len(list)/folds, (k+1)*len(list)/folds
		train := append(append([]*conllu.Sentence{}, list[:from]...), list[to:]...)
		m, err := tagger.Train(ctx, cfg, train, func(done, total int) {
			if progress != nil {
				progress(k*total+done, folds*total)
			}
		})
		if err != nil {
			return nil, err
		}
		r, err := Run(m, name, list[from:to])
		if err != nil {
			return nil, err
		}
		sum.Gold.Add(&r.Gold)
		sum.Own.Add(&r.Own)
		sum.Words += r.Words
		sum.Time += r.Time
	}
	return sum, nil
}

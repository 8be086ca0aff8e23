// Package classify measures how well texts are classified, and thus the effect of cleaning on
// classification. [Predict] trains models of package lab/train/labels and predicts, and [Score]
// counts the decisions.
package classify

import (
	"context"
	"fmt"
	"slices"

	"chaffinch/internal/parallel"
	"chaffinch/lab/train/labels"
	"chaffinch/text/label"
)

// Split divides documents into training and test documents.
type Split struct {
	Name        string
	Train, Test []int
}

// Config returns the configuration for a task: the default of package lab/train/labels. With facts,
// models also learn from the facts about the pages. The configuration was chosen on pages of WebKB
// that are never reported ([WebKBOthers]); lab/results/classify.md lists the experiments.
func Config(t *Task, facts bool) labels.Config {
	cfg := labels.Default
	cfg.Several, cfg.MinClass = t.Several, 2
	if facts {
		cfg.Scales[label.Facts] = 1
	}
	return cfg
}

// Predict trains a model on each split of a task and returns the predicted classes of its test
// documents in order. Without [Task.Several] a document gets the class with the highest score.
// Otherwise it gets each class whose probability reaches its limit, which is chosen on parts of the
// training documents.
func Predict(ctx context.Context, cfg labels.Config, texts []string, t *Task) ([][][]int, error) {
	docs := make([]labels.Doc, len(texts))
	for i, text := range texts {
		docs[i] = labels.Doc{ID: t.Pages.Pages[i].ID, Text: text, Group: t.Groups[i]}
		if cfg.Scales[label.Facts] > 0 && t.Facts != nil {
			docs[i].Facts = t.Facts[i]
		}
		for _, c := range t.Labels[i] {
			docs[i].Labels = append(docs[i].Labels, t.Classes[c])
		}
	}
	got := make([][][]int, len(t.Splits))
	for k, s := range t.Splits {
		train := make([]labels.Doc, len(s.Train))
		for n, i := range s.Train {
			train[n] = docs[i]
		}
		m, err := labels.Fit(ctx, cfg, train)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		class := make([]int, len(m.Classes()))
		for c := range class {
			class[c] = slices.Index(t.Classes, m.Classes()[c].Name)
		}
		got[k] = make([][]int, len(s.Test))
		parallel.Each(0, len(s.Test), func(n int) {
			p, _ := label.NewScorer().Score(m, docs[s.Test[n]].Input())
			for _, c := range m.Decide(p, nil) {
				got[k][n] = append(got[k][n], class[c])
			}
			slices.Sort(got[k][n])
		})
	}
	return got, nil
}

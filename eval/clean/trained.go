package clean

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"chaffinch/clean"
	"chaffinch/clean/ncleaner"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// describedAs is how model cards without a list of data speak of sets.
var describedAs = map[string]string{
	"cleaneval-en-dev": "English development pages of CleanEval",
}

// TrainedOn reports whether a model card says that the model was trained on
// pages or gold texts of the set: its list "data" has a file of the set's name,
// or its text "about" names the set.
func TrainedOn(set string, card json.RawMessage) bool {
	var c struct {
		About string
		Data  []struct{ Name string }
	}
	if json.Unmarshal(card, &c) != nil {
		return false
	}
	for _, d := range c.Data {
		if trimArchive(d.Name) == set {
			return true
		}
	}
	other := describedAs[set]
	return strings.Contains(c.About, set) || other != "" && strings.Contains(c.About, other)
}

// seen returns a note if a model of the stages was trained on the set.
func seen(set string, stages []pipeline.Stage) []string {
	for _, st := range stages {
		label, ok := st.(*clean.Stage)
		if !ok {
			continue
		}
		models, ok := label.Labeller.(clean.Carded)
		if !ok {
			continue
		}
		for _, card := range models.Cards() {
			if TrainedOn(set, card) {
				return []string{"trained on this set: the figures say nothing of other pages"}
			}
		}
	}
	return nil
}

// CrossConfig is a method ncleaner for cross-validation: how the labeller
// works, and how the models are estimated.
type CrossConfig struct {
	ncleaner.Config
	ncleaner.ModelConfig
}

// CrossValidate cleans each page of s with an NCleaner pair that was trained
// on the pages of the other folds alone. config is a JSON object laid over the
// defaults of both parts.
func CrossValidate(ctx context.Context, s *Set, name string, folds int, config json.RawMessage, keepHidden bool) (*Output, error) {
	cfg := CrossConfig{ncleaner.Default, ncleaner.DefaultModel}
	if len(config) > 0 {
		d := json.NewDecoder(bytes.NewReader(config))
		d.DisallowUnknownFields()
		if err := d.Decode(&cfg); err != nil {
			return nil, fmt.Errorf("%s: config: %w", name, err)
		}
	}
	switch cfg.Model {
	case "auto", "en":
	case "nonlexical":
		cfg.NonLexical = true
	default:
		return nil, fmt.Errorf("%s: cross-validation trains its own models: leave out the model %s", name, filepath.Base(cfg.Model))
	}
	if folds < 2 || folds > len(s.Pages) {
		return nil, fmt.Errorf("cross-validation in %d folds: want 2 to %d, the number of pages", folds, len(s.Pages))
	}
	examples, err := ncleaner.ReadPages(ctx, s.path, nil)
	if err != nil {
		return nil, err
	}
	t, err := ncleaner.NewTrainer(cfg.ModelConfig, examples)
	if err != nil {
		return nil, err
	}
	o := &Output{Name: name, Pages: map[string]Prediction{}, Notes: []string{fmt.Sprintf("trained anew for each of %d folds, on the pages of the others", folds)}}
	err = t.CrossValidate(folds, func(p *page.Page, m *ncleaner.Model) error {
		stage := clean.Stage{Labeller: ncleaner.WithModel(cfg.Config, m), KeepHidden: keepHidden}
		if err := stage.Do(ctx, p); err != nil {
			return err
		}
		o.Pages[p.ID] = FromPage(p)
		return nil
	})
	return o, err
}

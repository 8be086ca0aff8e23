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

// Cross is a cross-validation.
type Cross struct {
	// Folds is the number of parts that the set is cut into.
	Folds int
	// Config is a [CrossConfig] as JSON object, laid over the defaults.
	Config json.RawMessage
	// Vote is a method in which the trained models take the place of
	// ncleaner's own; without one ncleaner stands alone.
	Vote *clean.Vote
	// KeepHidden labels blocks that the page does not show like the others.
	KeepHidden bool
}

// CrossValidate cleans each page of s with an NCleaner pair that was trained
// on the pages of the other folds alone.
func CrossValidate(ctx context.Context, s *Set, name string, c Cross) (*Output, error) {
	cfg := CrossConfig{ncleaner.Default, ncleaner.DefaultModel}
	if len(c.Config) > 0 {
		d := json.NewDecoder(bytes.NewReader(c.Config))
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
	if c.Folds < 2 || c.Folds > len(s.Pages) {
		return nil, fmt.Errorf("cross-validation in %d folds: want 2 to %d, the number of pages", c.Folds, len(s.Pages))
	}
	examples, err := ncleaner.ReadPages(ctx, s.path, nil)
	if err != nil {
		return nil, err
	}
	t, err := ncleaner.NewTrainer(cfg.ModelConfig, examples)
	if err != nil {
		return nil, err
	}
	lang := map[string]string{}
	for _, g := range s.Pages {
		lang[g.ID], _ = g.Meta["lang"].(string)
	}
	o := &Output{Name: name, Pages: map[string]Prediction{}, Notes: []string{fmt.Sprintf("trained anew for each of %d folds, on the pages of the others", c.Folds)}}
	err = t.CrossValidate(c.Folds, func(p *page.Page, m *ncleaner.Model) error {
		p.Lang = lang[p.ID]
		stage := clean.Stage{Labeller: c.with(ncleaner.WithModel(cfg.Config, m)), KeepHidden: c.KeepHidden}
		if err := stage.Do(ctx, p); err != nil {
			return err
		}
		o.Pages[p.ID] = FromPage(p)
		return nil
	})
	return o, err
}

// with returns the method with l in the place of ncleaner.
func (c Cross) with(l clean.Labeller) clean.Labeller {
	if c.Vote == nil {
		return l
	}
	var v clean.Vote
	for _, m := range c.Vote.Methods {
		if _, ok := m.(*ncleaner.Labeller); ok {
			m = l
		}
		v.Methods = append(v.Methods, m)
	}
	return v
}

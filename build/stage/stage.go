// Package stage builds the stages that process a page. [Steps] lists the standard stages as
// data, for recipes. [Build] builds [pipeline.Stage]s from steps. [Table] lists all
// available stages.
package stage

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"chaffinch/clean"
	"chaffinch/clean/method"
	"chaffinch/extract"
	"chaffinch/extract/documents"
	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// Step is a stage as data: its name in the [Table] and its settings.
type Step struct {
	Stage string `json:"stage"`
	// Config holds the configuration fields that differ from the defaults.
	Config json.RawMessage `json:"config,omitempty"`
}

// Kind is an entry of the table of stages.
type Kind struct {
	// Name is the name in recipes.
	Name string
	// Help is a one-line description for the docs.
	Help string
	// New builds the stage. config holds the fields that differ from the defaults.
	New func(config json.RawMessage) (pipeline.Stage, error)
}

// Table lists the stages, in the order in which a recipe uses them.
var Table = []Kind{
	{"exclude", "drop pages of listed hosts and addresses", newExclude},
	{"documents", "convert documents such as PDF, DOCX, EPUB and mail to HTML", newDocuments},
	{"extract", "decode the bytes and cut the page into blocks", newExtract},
	{"sites", "count what repeats on the pages of a site, in a pass before the cleaning", newSites},
	{"language", "detect the language of the page and its blocks unless it is given", newLanguage},
	{"label", "label the blocks with a method", newLabel},
	{"languages", "count languages of kept text, and keep wanted ones", newLanguages},
	{"registers", "find the registers of the kept text", newRegisters},
	{"filter", "drop pages by rules of quality, and leave out lines", newFilter},
	{"title", "put the title first where the kept text lacks it", newTitle},
}

// Build builds the stages of the steps.
func Build(steps []Step) ([]pipeline.Stage, error) {
	stages := make([]pipeline.Stage, 0, len(steps))
	for i, step := range steps {
		s, err := newStage(step)
		if err != nil {
			return nil, fmt.Errorf("stage %d: %w", i+1, err)
		}
		stages = append(stages, s)
	}
	return stages, nil
}

func newStage(step Step) (pipeline.Stage, error) {
	var names []string
	for _, k := range Table {
		if k.Name == step.Stage {
			s, err := k.New(step.Config)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k.Name, err)
			}
			return s, nil
		}
		names = append(names, k.Name)
	}
	return nil, fmt.Errorf("%q is not known: take one of %s", step.Stage, strings.Join(names, ", "))
}

func newDocuments(config json.RawMessage) (pipeline.Stage, error) {
	cfg := documents.Default
	if err := settings.Apply(config, &cfg); err != nil {
		return nil, err
	}
	return documents.New(cfg)
}

func newExtract(config json.RawMessage) (pipeline.Stage, error) {
	cfg := extract.Default
	if err := settings.Apply(config, &cfg); err != nil {
		return nil, err
	}
	return extract.New(cfg)
}

// LabelConfig configures the stage "label".
type LabelConfig struct {
	// Method is the name of an entry of [method.Table].
	Method string `json:"method"`
	// TextMethod is the method for plain-text pages. It receives only the options that both
	// methods have: the language. Default: Method.
	TextMethod string `json:"text_method,omitempty"`
	// DocumentMethod is the method for documents such as PDF. It receives only Keep of the
	// options. Default: Method.
	DocumentMethod string `json:"document_method,omitempty"`
	// Hidden is "drop" or "keep", for blocks that the page does not show. Default: "drop".
	Hidden string `json:"hidden,omitempty"`
	// MinConfidence drops pages with a lower confidence. The method must implement
	// [clean.Estimator]. Default: 0, no minimum.
	MinConfidence float64 `json:"min_confidence,omitempty"`
	// PageTypes drops pages of other types. The method must implement [clean.Estimator].
	// Default: none, all types.
	PageTypes []string `json:"page_types,omitempty"`
	// Options are the options of the method.
	method.Options
}

func newLabel(config json.RawMessage) (pipeline.Stage, error) {
	cfg := LabelConfig{Hidden: "drop"}
	if err := settings.Apply(config, &cfg); err != nil {
		return nil, err
	}
	if cfg.Hidden != "drop" && cfg.Hidden != "keep" {
		return nil, fmt.Errorf("hidden %q: take drop or keep", cfg.Hidden)
	}
	var text clean.Labeller
	var textErr error
	var wait sync.WaitGroup
	if cfg.TextMethod != "" { // the models are decoded together
		wait.Go(func() { text, textErr = method.New(cfg.TextMethod, method.Options{Lang: cfg.Lang}) })
	}
	l, err := method.New(cfg.Method, cfg.Options)
	if wait.Wait(); err != nil {
		return nil, err
	}
	forms := clean.ByForm{HTML: l, Text: l}
	if cfg.TextMethod != "" {
		if forms.Text = text; textErr != nil {
			return nil, fmt.Errorf("text_method: %w", textErr)
		}
	}
	if cfg.DocumentMethod != "" {
		if forms.Document, err = method.New(cfg.DocumentMethod, method.Options{Keep: cfg.Keep}); err != nil {
			return nil, fmt.Errorf("document_method: %w", err)
		}
	}
	if cfg.TextMethod != "" || cfg.DocumentMethod != "" {
		l = forms
	}
	if err := checkConfidence(cfg.MinConfidence, l); err != nil {
		return nil, err
	}
	if err := checkTypes(cfg.PageTypes, l); err != nil {
		return nil, err
	}
	return &clean.Stage{Labeller: l, KeepHidden: cfg.Hidden == "keep", MinConfidence: cfg.MinConfidence, Types: cfg.PageTypes}, nil
}

// checkConfidence returns an error if pages cannot be dropped by confidence.
func checkConfidence(least float64, l clean.Labeller) error {
	if !(0 <= least && least < 1) {
		return fmt.Errorf("minimum confidence of a page %v: wanted 0 to below 1, such as 0.9", least)
	}
	if least == 0 {
		return nil
	}
	if err := clean.CheckConfidence(l); err != nil {
		return fmt.Errorf("minimum confidence of a page %v: %w", least, err)
	}
	return nil
}

// checkTypes returns an error if pages cannot be dropped by these types.
func checkTypes(types []string, l clean.Labeller) error {
	for _, name := range types {
		if slices.Contains(page.Types, name) {
			continue
		}
		err := fmt.Errorf("page type %q: wanted some of %s", name, strings.Join(page.Types, ", "))
		if near := settings.Nearest(name, page.Types); near != "" {
			err = fmt.Errorf("%w: did you mean %s?", err, near)
		}
		return err
	}
	if len(types) == 0 {
		return nil
	}
	if err := clean.CheckTypes(l); err != nil {
		return fmt.Errorf("page types %s: %w", strings.Join(types, ","), err)
	}
	return nil
}

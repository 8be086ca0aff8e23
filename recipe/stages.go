package recipe

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/text/language"

	"chaffinch/clean"
	"chaffinch/clean/justext"
	"chaffinch/extract"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// StageKind is an entry of the table of stages.
type StageKind struct {
	// Name is the name in recipes.
	Name string
	// Help is one line for the docs.
	Help string
	// New makes the stage from the fields of its configuration that differ
	// from the defaults.
	New func(config json.RawMessage) (pipeline.Stage, error)
}

// Stages is the table of stages, in the order in which a recipe uses them.
var Stages = []StageKind{
	{"extract", "decode the bytes and cut the page into blocks", newExtract},
	{"language", "set the language: as given, else as the page declares it if its stop words agree, else as they say", newLanguage},
	{"label", "label the blocks with a method", newLabel},
}

func newStage(step Step) (pipeline.Stage, error) {
	var names []string
	for _, k := range Stages {
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

func newExtract(config json.RawMessage) (pipeline.Stage, error) {
	cfg := extract.Default
	if err := configure(config, &cfg); err != nil {
		return nil, err
	}
	return extract.New(cfg)
}

// LabelConfig is the configuration of the stage "label".
type LabelConfig struct {
	// Method is the name of an entry of [Methods].
	Method string `json:"method"`
	// Hidden is "drop" (default) or "keep": what becomes of blocks that the
	// page does not show.
	Hidden string `json:"hidden,omitempty"`
	// Options go to the method.
	Options
}

func newLabel(config json.RawMessage) (pipeline.Stage, error) {
	cfg := LabelConfig{Hidden: "drop"}
	if err := configure(config, &cfg); err != nil {
		return nil, err
	}
	if cfg.Hidden != "drop" && cfg.Hidden != "keep" {
		return nil, fmt.Errorf("hidden %q: take drop or keep", cfg.Hidden)
	}
	l, err := Labeller(cfg.Method, cfg.Options)
	if err != nil {
		return nil, err
	}
	return &clean.Stage{Labeller: l, KeepHidden: cfg.Hidden == "keep"}, nil
}

// languageStage sets page.Page.Lang.
type languageStage struct{ given string }

// LanguageConfig is the configuration of the stage "language".
type LanguageConfig struct {
	// Lang is the language of all pages as BCP 47 tag; "" takes what each page
	// declares.
	Lang string `json:"lang,omitempty"`
}

func newLanguage(config json.RawMessage) (pipeline.Stage, error) {
	var cfg LanguageConfig
	if err := configure(config, &cfg); err != nil {
		return nil, err
	}
	if cfg.Lang == "" {
		return languageStage{}, nil
	}
	tag, err := language.Parse(cfg.Lang)
	if err != nil {
		return nil, fmt.Errorf("language %q: %w: give a tag such as en or pt-BR", cfg.Lang, err)
	}
	return languageStage{tag.String()}, nil
}

func (languageStage) Name() string { return "language/1" }

func (s languageStage) Do(_ context.Context, p *page.Page) error {
	if s.given != "" {
		p.Lang = s.given
		return nil
	}
	if p.Lang != "" {
		return nil
	}
	// Pages write en_US and lists such as "de, en" too: the first one counts.
	stated, _, _ := strings.Cut(strings.ReplaceAll(p.Meta.Lang, "_", "-"), ",")
	declared := ""
	if tag, err := language.Parse(strings.TrimSpace(stated)); err == nil && tag != language.Und {
		declared = tag.String()
	}
	p.Lang = justext.Language(p, declared)
	return nil
}

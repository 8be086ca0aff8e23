package recipe

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"golang.org/x/text/language"

	"chaffinch/langid"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// LanguageConfig is the configuration of the stage "language".
type LanguageConfig struct {
	// Lang is the language of all pages as BCP 47 tag; "" lets langid tell it.
	Lang string `json:"lang,omitempty"`
	// PageConfig says how; it is not read where Lang is given.
	langid.PageConfig
}

// languageStage sets page.Page.Lang.
type languageStage struct {
	given string
	pages *langid.Pages // nil if the language is given
}

func newLanguage(config json.RawMessage) (pipeline.Stage, error) {
	cfg := LanguageConfig{PageConfig: langid.PageDefault}
	if err := configure(config, &cfg); err != nil {
		return nil, err
	}
	if cfg.Lang == "" {
		pages, err := langid.NewPages(cfg.PageConfig)
		return languageStage{pages: pages}, err
	}
	tag, err := language.Parse(cfg.Lang)
	if err != nil {
		return nil, fmt.Errorf("language %q: %w: give a tag such as en or pt-BR", cfg.Lang, err)
	}
	return languageStage{given: tag.String()}, nil
}

// Name is that of langid's stage, whether it is asked or not.
func (languageStage) Name() string { return (&langid.Pages{}).Name() }

// Do sets the language.
func (s languageStage) Do(ctx context.Context, p *page.Page) error {
	if s.pages != nil {
		return s.pages.Do(ctx, p)
	}
	p.Lang = s.given
	return nil
}

func newLanguages(config json.RawMessage) (pipeline.Stage, error) {
	cfg := langid.KeepDefault
	if err := configure(config, &cfg); err != nil {
		return nil, err
	}
	return langid.NewKeep(cfg)
}

// showLangs are the formats that tell the languages of blocks or their shares.
var showLangs = []string{"jsonl", "json", "vertical", "prevertical", "parquet"}

// languages returns the configurations of the stages "language" and
// "languages"; the second is nil if nobody asks for the languages of blocks.
func (o *CleanOptions) languages() (LanguageConfig, *langid.KeepConfig) {
	cfg := LanguageConfig{Lang: o.Lang, PageConfig: langid.PageDefault}
	if len(o.Langs) == 0 && (o.Lang != "" || !slices.Contains(showLangs, o.Format)) {
		return cfg, nil
	}
	keep := langid.KeepDefault
	keep.All = o.Annotate
	keep.Langs = o.Langs
	if o.MinConfidence != nil {
		keep.Least = *o.MinConfidence
	}
	set(&keep.Unit, o.LangUnit)
	return cfg, &keep
}

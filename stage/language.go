package stage

import (
	"context"
	"encoding/json"
	"fmt"

	"golang.org/x/text/language"

	"chaffinch/internal/settings"
	"chaffinch/langid"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// LanguageConfig is the configuration of the stage "language".
type LanguageConfig struct {
	// Lang is the language of all pages as BCP 47 tag; "" lets langid tell it.
	Lang string `json:"lang,omitempty"`
	// Missing leaves pages alone whose language is known already.
	Missing bool `json:"missing,omitempty"`
	// PageConfig says how; it is not read where Lang is given.
	langid.PageConfig
}

// IsLanguage reports whether s is the stage "language", which can be left out
// where nothing behind it looks at the language.
func IsLanguage(s pipeline.Stage) bool {
	_, ok := s.(languageStage)
	return ok
}

// languageStage sets page.Page.Lang.
type languageStage struct {
	given   string
	pages   *langid.Pages // nil if the language is given
	missing bool
}

func newLanguage(config json.RawMessage) (pipeline.Stage, error) {
	cfg := LanguageConfig{PageConfig: langid.DefaultPage}
	if err := settings.Lay(config, &cfg); err != nil {
		return nil, err
	}
	if cfg.Lang == "" {
		pages, err := langid.NewPages(cfg.PageConfig)
		return languageStage{pages: pages, missing: cfg.Missing}, err
	}
	tag, err := language.Parse(cfg.Lang)
	if err != nil {
		return nil, fmt.Errorf("language %q: %w: give a tag such as en or pt-BR", cfg.Lang, err)
	}
	return languageStage{given: tag.String(), missing: cfg.Missing}, nil
}

// Name is that of langid's stage, whether it is asked or not.
func (languageStage) Name() string { return (&langid.Pages{}).Name() }

// Do sets the language.
func (s languageStage) Do(ctx context.Context, p *page.Page) error {
	if s.missing && p.Lang != "" {
		return nil
	}
	if s.pages != nil {
		return s.pages.Do(ctx, p)
	}
	p.Lang = s.given
	return nil
}

func newLanguages(config json.RawMessage) (pipeline.Stage, error) {
	cfg := langid.DefaultFilter
	if err := settings.Lay(config, &cfg); err != nil {
		return nil, err
	}
	return langid.NewFilter(cfg)
}

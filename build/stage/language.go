package stage

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/text/language"

	"chaffinch/internal/settings"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
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

// WithoutLanguage returns stages without the stage "language", which takes as long
// as a third of the segmentation, if no stage behind it looks at the language.
func WithoutLanguage(stages []pipeline.Stage) []pipeline.Stage {
	for i := len(stages) - 1; i >= 0; i-- {
		if _, ok := stages[i].(languageStage); ok {
			return append(slices.Clone(stages[:i]), stages[i+1:]...)
		}
		if l, ok := stages[i].(pipeline.LangIgnorer); !ok || !l.IgnoresLang() {
			break
		}
	}
	return stages
}

// languageStage sets page.Page.Lang.
type languageStage struct {
	given   string
	pages   func() (*langid.Pages, error) // nil if the language is given
	missing bool
}

func newLanguage(config json.RawMessage) (pipeline.Stage, error) {
	cfg := LanguageConfig{PageConfig: langid.DefaultPage}
	if err := settings.Lay(config, &cfg); err != nil {
		return nil, err
	}
	if cfg.Lang == "" {
		s := languageStage{pages: sync.OnceValues(func() (*langid.Pages, error) { return langid.NewPages(cfg.PageConfig) }), missing: cfg.Missing}
		if reflect.DeepEqual(cfg.PageConfig, langid.DefaultPage) {
			return s, nil // nothing can be wrong, and no page may need the model, which takes a moment to decode
		}
		_, err := s.pages()
		return s, err
	}
	tag, err := langid.ParseTag(cfg.Lang)
	if err != nil {
		return nil, fmt.Errorf("lang: %w", err)
	}
	return languageStage{given: language.Make(tag).String(), missing: cfg.Missing}, nil
}

// Name is that of langid's stage, whether it is asked or not.
func (languageStage) Name() string { return (&langid.Pages{}).Name() }

// Do sets the language.
func (s languageStage) Do(ctx context.Context, p *page.Page) error {
	if s.missing && p.KnownLang() != "" {
		return nil
	}
	if s.pages != nil {
		pages, err := s.pages()
		if err != nil {
			return err
		}
		return pages.Do(ctx, p)
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

package stage

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sync"

	"golang.org/x/text/language"

	"chaffinch/internal/settings"
	"chaffinch/model/data"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

// LanguageConfig configures the stage "language".
type LanguageConfig struct {
	// Lang is the language of all pages, as a BCP 47 tag. Default: "", detect it with
	// package langid; in a program without model/data/languages, the language that a page declares.
	Lang string `json:"lang,omitempty"`
	// Missing skips pages whose language is already known.
	Missing bool `json:"missing,omitempty"`
	// PageConfig configures the detection. It is ignored if Lang is set.
	langid.PageConfig
}

// WithoutLanguage returns stages without the stage "language" if no later stage uses the
// language. The stage takes a third of the time of segmentation.
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
	model   string // hash of a model file; "" for the embedded model
	// declared indicates that the language is the one that a page declares.
	declared bool
}

func newLanguage(config json.RawMessage) (pipeline.Stage, error) {
	cfg := LanguageConfig{PageConfig: langid.DefaultPage}
	if err := settings.Apply(config, &cfg); err != nil {
		return nil, err
	}
	if cfg.Lang == "" {
		standard := cfg.SampleBytes == langid.DefaultPage.SampleBytes && reflect.DeepEqual(cfg.Config, langid.DefaultPage.Config)
		if standard && data.Langid == nil {
			return languageStage{declared: true, missing: cfg.Missing}, nil
		}
		s := languageStage{pages: sync.OnceValues(func() (*langid.Pages, error) { return langid.NewPages(cfg.PageConfig) }), missing: cfg.Missing}
		if standard {
			return s, nil // no error is possible, and no page may need the model, which is slow to decode
		}
		if cfg.Model != "" {
			b, err := os.ReadFile(cfg.Model)
			if err != nil {
				return nil, err
			}
			s.model = fmt.Sprintf(" %.6x", sha256.Sum256(b))
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

// Name returns the name of the stage of package langid, even if the language is given. The hash of a
// model file is part of the name, because the output depends on it.
func (s languageStage) Name() string {
	if s.declared {
		return "declared language/1"
	}
	return (&langid.Pages{}).Name() + s.model
}

// Do sets the language.
func (s languageStage) Do(ctx context.Context, p *page.Page) error {
	if (s.missing || s.declared) && p.KnownLang() != "" {
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
	if s.declared {
		p.Lang = page.UnknownLang
		if tag, err := language.Parse(p.Meta.Lang); err == nil {
			p.Lang = tag.String()
		}
	}
	return nil
}

func newLanguages(config json.RawMessage) (pipeline.Stage, error) {
	cfg := langid.DefaultFilter
	if err := settings.Apply(config, &cfg); err != nil {
		return nil, err
	}
	return langid.NewFilter(cfg)
}

package stage

import (
	"cmp"
	"encoding/json"
	"errors"
	"time"

	"chaffinch/clean"
	"chaffinch/clean/method"
	"chaffinch/extract"
	"chaffinch/filter"
	"chaffinch/internal/settings"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

// Options are the settings of the standard way of a page: extract, language,
// label and, where languages are asked for, languages. Zero fields mean the
// defaults.
type Options struct {
	// Method is the name of an entry of [method.Table], "" for [method.Default]
	// with [method.DefaultText] for plain text.
	Method string
	// MethodConfig holds fields of the method's own configuration.
	MethodConfig json.RawMessage
	// Labeller labels the blocks in place of a method of the table. Such a way is
	// no data: only [Options.Build] takes it.
	Labeller clean.Labeller
	// Lang is the language of all pages; "" has it identified in the text of each.
	Lang string
	// NoLanguage leaves the language of pages untold where no stage looks at it.
	NoLanguage bool
	// Langs are the languages that stay, all if there are none, with the minimum
	// confidence MinConfidence where they name none themselves; LangUnit is "page"
	// or "block": see [langid.FilterConfig].
	Langs         []langid.Wanted
	MinConfidence *float64 // nil is the default
	LangUnit      string
	// CountLangs has the languages of the blocks counted even where none is asked
	// for; AllLangs drops none.
	CountLangs, AllLangs bool
	// KeepHidden labels blocks that the page does not show like the others.
	KeepHidden bool
	// Sites looks at the other pages of a site: see [Sites]. Only a recipe, which
	// reads its inputs twice, can do that.
	Sites bool
	// RepairMojibake is that of [extract.Config].
	RepairMojibake bool
	// TranslationMarks is that of [extract.Config].
	TranslationMarks string
	// Keep and Favour are those of [method.Options].
	Keep, Favour string
	// Filter drops pages by rules; nil drops none.
	Filter *filter.Config
	// Title puts the title of a page first where its kept text lacks it.
	Title bool
	// MinPageConfidence is the minimum confidence of a page; 0 drops none: see
	// [clean.Stage].
	MinPageConfidence float64
	// Links is that of [extract.Config].
	Links bool
	// Markup records lists, tables, links and inline markup; NoMetadata leaves out
	// what a page says of itself.
	Markup, NoMetadata bool
	// Limits of one page; see the package extract.
	MaxPageBytes int64
	MaxNodes     int
	MaxDepth     int
	MaxPageTime  time.Duration
}

// Steps returns the standard way as data.
func Steps(o Options) []Step {
	steps := []Step{{"extract", raw(o.extract())}}
	if o.Sites {
		steps = append(steps, Step{Stage: "sites"})
	}
	steps = append(steps,
		Step{"language", raw(LanguageConfig{Lang: o.Lang, PageConfig: langid.DefaultPage})},
		Step{"label", raw(o.label())})
	if k := o.languages(); k != nil {
		steps = append(steps, Step{"languages", raw(k)})
	}
	if o.Filter != nil {
		steps = append(steps, Step{"filter", raw(o.Filter)})
	}
	if o.Title {
		steps = append(steps, Step{Stage: "title"})
	}
	return steps
}

// Build makes the stages of the standard way.
func (o Options) Build() ([]pipeline.Stage, error) {
	stages, err := o.build()
	if o.NoLanguage {
		stages = WithoutLanguage(stages)
	}
	return stages, err
}

func (o Options) build() ([]pipeline.Stage, error) {
	if o.Sites {
		return nil, errors.New("sites: one page at a time says nothing of the others of its site: run a recipe over them")
	}
	steps := Steps(o)
	if o.Labeller == nil {
		return Build(steps)
	}
	const label = 2
	before, err := Build(steps[:label])
	if err != nil {
		return nil, err
	}
	after, err := Build(steps[label+1:])
	if err != nil {
		return nil, err
	}
	if err := checkConfidence(o.MinPageConfidence, o.Labeller); err != nil {
		return nil, err
	}
	return append(append(before, &clean.Stage{Labeller: o.Labeller, KeepHidden: o.KeepHidden, MinConfidence: o.MinPageConfidence}), after...), nil
}

func (o *Options) extract() extract.Config {
	cfg := extract.Default
	cfg.MaxNodes = cmp.Or(o.MaxNodes, cfg.MaxNodes)
	cfg.MaxDepth = cmp.Or(o.MaxDepth, cfg.MaxDepth)
	cfg.MaxBytes = cmp.Or(int(o.MaxPageBytes), cfg.MaxBytes)
	cfg.MaxTime = cmp.Or(o.MaxPageTime*2/3, cfg.MaxTime) // as in the defaults; the rest is for the methods
	cfg.RepairMojibake = o.RepairMojibake
	cfg.TranslationMarks = o.TranslationMarks
	cfg.Inline = o.Markup
	cfg.Links = o.Links
	cfg.Metadata = !o.NoMetadata || o.Title
	return cfg
}

func (o *Options) label() LabelConfig {
	cfg := LabelConfig{Method: o.Method, Hidden: "drop", MinConfidence: o.MinPageConfidence,
		Options: method.Options{Lang: o.Lang, Keep: o.Keep, Favour: o.Favour, Config: o.MethodConfig}}
	if o.Method == "" {
		cfg.Method, cfg.TextMethod = method.Default, method.DefaultText
	}
	if o.KeepHidden {
		cfg.Hidden = "keep"
	}
	return cfg
}

// languages returns the configuration of the stage "languages", nil if nobody
// asks for the languages of blocks.
func (o *Options) languages() *langid.FilterConfig {
	if len(o.Langs) == 0 && (o.Lang != "" || !o.CountLangs) {
		return nil
	}
	cfg := langid.DefaultFilter
	cfg.All = o.AllLangs
	cfg.Langs = o.Langs
	if o.MinConfidence != nil {
		cfg.WantedConfidence = *o.MinConfidence
	}
	cfg.Unit = cmp.Or(o.LangUnit, cfg.Unit)
	return &cfg
}

func raw(v any) json.RawMessage {
	b, err := settings.Format(v)
	if err != nil {
		panic(err) // plain data
	}
	return b
}

package stage

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"chaffinch/clean"
	"chaffinch/clean/method"
	"chaffinch/extract"
	"chaffinch/extract/documents"
	"chaffinch/filter"
	"chaffinch/internal/settings"
	"chaffinch/pipeline"
	"chaffinch/text/langid"
)

// Options configures the standard stages: extract, language, label, and languages if
// languages are requested. The zero value of a field selects its default.
type Options struct {
	// Method is the name of an entry of [method.Table]. Default: [method.Default], with
	// [method.DefaultText] for plain text.
	Method string
	// MethodConfig holds fields of the configuration of the method.
	MethodConfig json.RawMessage
	// Labeller labels the blocks instead of a method of the table: Method, MethodConfig, Keep and
	// Favour have no effect. It cannot be represented as data: only [Options.Build] accepts it.
	Labeller clean.Labeller
	// Lang is the language of all pages. Default: "", detect the language of each page.
	Lang string
	// NoLanguage skips language detection if no stage uses the language.
	NoLanguage bool
	// Langs are the languages to keep. Default: all. MinConfidence is the minimum confidence
	// of languages without their own minimum. LangUnit is "page" or "block". See
	// [langid.FilterConfig].
	Langs         []langid.Wanted
	MinConfidence *float64 // nil selects the default
	LangUnit      string
	// CountLangs counts the languages of blocks even if Langs is empty. AllLangs drops no
	// language.
	CountLangs, AllLangs bool
	// KeepHidden labels hidden blocks like visible blocks.
	KeepHidden bool
	// Sites compares the pages of a site: see [Sites]. It requires a recipe, which reads its
	// inputs twice.
	Sites bool
	// RepairMojibake is the field of [extract.Config].
	RepairMojibake bool
	// TranslationMarks is the field of [extract.Config].
	TranslationMarks string
	// Keep and Favour are the fields of [method.Options].
	Keep, Favour string
	// Registers finds the registers of the kept text. The program must import
	// [chaffinch/model/data/registers].
	Registers bool
	// Filter drops pages by rules. Default: nil, no rules.
	Filter *filter.Config
	// FilterNodes sets the field Nodes of [FilterConfig]. The filter is then the last stage.
	FilterNodes bool
	// Title inserts the title of a page before its kept text if the text lacks it.
	Title bool
	// MinPageConfidence is the minimum confidence of a page. Default: 0, no minimum. See
	// [clean.Stage].
	MinPageConfidence float64
	// PageTypes are the page types to keep, some of [page.Types]. Default: all types. See
	// [clean.Stage].
	PageTypes []string
	// Formats are the formats of pages to read, see [documents.Config]. Default: all.
	Formats []string
	// OCR is the field of [documents.Config].
	OCR string
	// Links is the field of [extract.Config].
	Links bool
	// Markup records lists, tables, links and inline markup. NoMetadata omits the page's own
	// metadata.
	Markup, NoMetadata bool
	// Limits of one page. See package extract.
	MaxPageBytes int64
	MaxNodes     int
	MaxDepth     int
	// MaxPageTime is the time of a page. Default: 10 min with OCR, otherwise 30 s.
	MaxPageTime time.Duration
}

// ocrPageTime is the default of MaxPageTime with OCR: a page of a document takes some seconds.
const ocrPageTime = 10 * time.Minute

// PageTime returns the most time for a page; 0 for the default of [pipeline.Default].
func (o *Options) PageTime() time.Duration {
	if o.MaxPageTime == 0 && o.OCR != "" {
		return ocrPageTime
	}
	return o.MaxPageTime
}

// PageTime returns the default of the most time for a page in stages: more with OCR; 0 for the default of
// [pipeline.Default].
func PageTime(steps []Step) time.Duration {
	for _, s := range steps {
		var cfg documents.Config
		if s.Stage == "documents" && settings.Apply(s.Config, &cfg) == nil && cfg.OCR != "" {
			return ocrPageTime
		}
	}
	return 0
}

// Steps returns the standard stages as data. It panics if o holds no valid JSON in MethodConfig, or a number
// that is not finite; [Options.Build] returns an error.
func Steps(o Options) []Step {
	steps, err := o.steps()
	if err != nil {
		panic(err)
	}
	return steps
}

func (o *Options) steps() ([]Step, error) {
	var steps []Step
	var failed error
	add := func(stage string, cfg any) {
		b, err := settings.Format(cfg)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", stage, err)
		}
		steps = append(steps, Step{stage, b})
	}
	add("documents", o.documents())
	add("extract", o.extract())
	if o.Sites {
		steps = append(steps, Step{Stage: "sites"})
	}
	language := LanguageConfig{Lang: o.Lang, PageConfig: langid.DefaultPage}
	k := o.languages()
	if k != nil && k.Unit == "page" && !k.All {
		for _, w := range k.Langs {
			language.Wanted = append(language.Wanted, w.Lang)
		}
	}
	add("language", language)
	add("label", o.label())
	if k != nil {
		add("languages", k)
	}
	if o.Registers {
		steps = append(steps, Step{Stage: "registers"})
	}
	if o.Filter != nil && !o.FilterNodes {
		add("filter", FilterConfig{Config: *o.Filter})
	}
	if o.Title {
		steps = append(steps, Step{Stage: "title"})
	}
	if o.Filter != nil && o.FilterNodes {
		add("filter", FilterConfig{Config: *o.Filter, Nodes: true})
	}
	return steps, failed
}

// Build builds the standard stages.
func (o Options) Build() ([]pipeline.Stage, error) {
	if o.Lang == "" && !o.NoLanguage {
		go langid.Standard() // while the models of other stages are decoded
	}
	stages, err := o.build()
	if o.NoLanguage {
		stages = WithoutLanguage(stages)
	}
	return stages, err
}

func (o Options) build() ([]pipeline.Stage, error) {
	if o.Sites {
		return nil, errors.New("sites: needs all pages of a site: run a recipe over them")
	}
	if o.MaxPageTime < 0 {
		return nil, fmt.Errorf("time of a page %v: wanted at least 0", o.MaxPageTime)
	}
	steps, err := o.steps()
	if err != nil {
		return nil, err
	}
	if o.Labeller == nil {
		return Build(steps)
	}
	label := slices.IndexFunc(steps, func(s Step) bool { return s.Stage == "label" })
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
	if err := checkTypes(o.PageTypes, o.Labeller); err != nil {
		return nil, err
	}
	return append(append(before, &clean.Stage{Labeller: o.Labeller, KeepHidden: o.KeepHidden, MinConfidence: o.MinPageConfidence, Types: o.PageTypes}), after...), nil
}

func (o *Options) documents() documents.Config {
	cfg := documents.Default
	cfg.Formats, cfg.OCR = o.Formats, o.OCR
	cfg.MaxHTML = cmp.Or(int(o.MaxPageBytes), cfg.MaxHTML)
	cfg.MaxTime = cmp.Or(o.PageTime()*2/3, cfg.MaxTime)
	return cfg
}

func (o *Options) extract() extract.Config {
	cfg := extract.Default
	cfg.MaxNodes = cmp.Or(o.MaxNodes, cfg.MaxNodes)
	cfg.MaxDepth = cmp.Or(o.MaxDepth, cfg.MaxDepth)
	cfg.MaxBytes = cmp.Or(int(o.MaxPageBytes), cfg.MaxBytes)
	cfg.MaxTime = cmp.Or(o.PageTime()*2/3, cfg.MaxTime) // same ratio as the defaults; the rest is left for the methods
	cfg.RepairMojibake = o.RepairMojibake
	cfg.TranslationMarks = o.TranslationMarks
	cfg.Inline = o.Markup
	cfg.Links = o.Links
	cfg.Metadata = !o.NoMetadata || o.Title
	return cfg
}

func (o *Options) label() LabelConfig {
	cfg := LabelConfig{Method: o.Method, Hidden: "drop", MinConfidence: o.MinPageConfidence, PageTypes: o.PageTypes,
		Options: method.Options{Lang: o.Lang, Keep: o.Keep, Favour: o.Favour, Config: o.MethodConfig}}
	if o.Method == "" {
		cfg.Method, cfg.TextMethod, cfg.DocumentMethod = method.Default, method.DefaultText, method.DefaultDocument
	}
	if o.KeepHidden {
		cfg.Hidden = "keep"
	}
	return cfg
}

// languages returns the configuration of the stage "languages", or nil if the languages of
// blocks are not needed.
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

package recipe

import (
	"encoding/json"
	"time"

	"chaffinch/extract"
	"chaffinch/input"
	"chaffinch/langid"
)

// CleanOptions are the settings of the standard recipe, as the command
// "chaffinch clean" takes them. Zero fields mean the defaults.
type CleanOptions struct {
	// Method is the name of an entry of [Methods], "" for [DefaultMethod] with
	// [DefaultTextMethod].
	Method string
	// MethodConfig holds fields of the method's own configuration.
	MethodConfig json.RawMessage
	// Lang is the language of all pages; "" lets the text of each tell it.
	Lang string
	// Langs are the languages that stay, all if there are none, with the least
	// confidence MinConfidence where they name none themselves; LangUnit is "page"
	// or "block": see [langid.KeepConfig].
	Langs         []langid.Wanted
	MinConfidence *float64 // nil is the default
	LangUnit      string
	// KeepHidden labels blocks that the page does not show like the others.
	KeepHidden bool
	// Mend takes back double encoding, as extract.Config.Mend.
	Mend bool
	// Keep and Favour are those of [Options].
	Keep, Favour string
	// Format is the name of an entry of [Formats], "" for "text".
	Format   string
	Annotate bool
	// Without names markup that the formats with markup leave out; FrontMatter
	// begins each page of Markdown with its metadata.
	Without     []string
	FrontMatter bool
	// TokenRules are rules for the tokens of the format vertical, nil for none.
	TokenRules *TokenRules
	// Field is the field of JSON lines that holds the page, which is HTML if
	// FieldHTML is set or the name ends in "html", else text.
	Field     string
	FieldHTML bool
	// Limits of one page; see the packages input and extract.
	MaxPageBytes int64
	MaxRatio     float64
	MaxNodes     int
	MaxDepth     int
	MaxPageTime  time.Duration
}

// DefaultMethod is the method that is used when none is named: the best on every
// set of docs/eval.md.
const DefaultMethod = "blocks"

// DefaultTextMethod is the method for plain text when none is named: what
// [DefaultMethod] looks at most, elements and links, is not there.
const DefaultTextMethod = "lines"

// Clean returns the standard recipe: extract, language, label, and languages
// where a language is asked for or the format tells those of the blocks.
func Clean(o CleanOptions) *Recipe {
	text := ""
	if o.Method == "" {
		o.Method, text = DefaultMethod, DefaultTextMethod
	}
	if o.Format == "" {
		o.Format = "text"
	}
	hidden := "drop"
	if o.KeepHidden {
		hidden = "keep"
	}
	ex := extract.Default
	set(&ex.MaxNodes, o.MaxNodes)
	set(&ex.MaxDepth, o.MaxDepth)
	set(&ex.MaxBytes, int(o.MaxPageBytes))
	set(&ex.MaxTime, o.MaxPageTime)
	ex.Mend = o.Mend
	if f, err := FormatOf(o.Format); err == nil { // Build tells of an unknown one
		ex.Inline = f.Markup
	}
	ex.Metadata = o.Format != "text" || o.Annotate // the others show it
	in := input.Default
	set(&in.Field, o.Field)
	set(&in.FieldHTML, o.FieldHTML)
	set(&in.MaxPageBytes, o.MaxPageBytes)
	set(&in.MaxRatio, o.MaxRatio)
	lang, keep := o.languages()
	r := &Recipe{
		Version: version,
		Input:   in,
		Stages: []Step{
			{"extract", raw(ex)},
			{"language", raw(lang)},
			{"label", raw(LabelConfig{Method: o.Method, TextMethod: text, Hidden: hidden, Options: Options{Lang: o.Lang, Keep: o.Keep, Favour: o.Favour, Config: o.MethodConfig}})},
		},
		Output: Output{Format: o.Format, Annotate: o.Annotate, Without: o.Without, FrontMatter: o.FrontMatter, TokenRules: o.TokenRules},
	}
	if keep != nil {
		r.Stages = append(r.Stages, Step{"languages", raw(keep)})
	}
	return r
}

func set[T comparable](field *T, v T) {
	var zero T
	if v != zero {
		*field = v
	}
}

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain data
	}
	return b
}

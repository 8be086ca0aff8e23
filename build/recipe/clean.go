package recipe

import (
	"cmp"

	"chaffinch/build/stage"
	"chaffinch/input"
	"chaffinch/page"
)

// CleanOptions are the settings of the standard recipe, as the command
// "chaffinch clean" takes them. Zero fields mean the defaults.
type CleanOptions struct {
	// Options are those of the page; Markup, NoMetadata, CountLangs and AllLangs
	// follow from the format, and a Labeller of your own has no place in a recipe.
	stage.Options
	// Format is the name of an entry of [Formats], "" for "text".
	Format   string
	Annotate bool
	// Without names markup that the formats with markup leave out; FrontMatter
	// begins each page of Markdown with its metadata.
	Without     []string
	FrontMatter bool
	// Fields chooses fields as [Output].Fields does.
	Fields []string
	// TokenRules are rules for the tokens of the format vertical, nil for none.
	TokenRules *TokenRules
	// Segmenters are model files that find words, for the format vertical.
	Segmenters []string
	// Comments is the format of a further output for comments, "" for none.
	Comments string
	// Field is the field of JSON lines that holds the page, which is HTML if
	// FieldHTML is set or the name ends in "html", else text.
	Field     string
	FieldHTML bool
	// Form is the format of the inputs, "" by content: see [input.Config].
	Form string
	// URL is the address of the page where the input is one file that is one page.
	URL string
	// MaxRatio is the limit of unpacked bytes for each packed byte; see the
	// package input.
	MaxRatio float64
}

// Clean returns the standard recipe: extract, language, label, and languages
// where a language is asked for or the format tells those of the blocks.
func Clean(o CleanOptions) *Recipe {
	o.Format = cmp.Or(o.Format, "text")
	formats := []string{o.Format}
	if o.Comments != "" {
		formats = append(formats, o.Comments)
	}
	o.NoMetadata = !o.Annotate
	for _, name := range formats {
		f, _ := formatOf(name) // Build reports an unknown one
		o.Markup = o.Markup || f.Markup
		o.NoMetadata = o.NoMetadata && f.TextOnly
		o.CountLangs = o.CountLangs || f.Langs
	}
	o.AllLangs = o.Annotate
	in := input.Default
	in.Field, in.Form = cmp.Or(o.Field, in.Field), o.Form
	in.URL = o.URL
	in.FieldHTML = cmp.Or(o.FieldHTML, in.FieldHTML)
	in.MaxPageBytes = cmp.Or(o.MaxPageBytes, in.MaxPageBytes)
	in.MaxRatio = cmp.Or(o.MaxRatio, in.MaxRatio)
	r := &Recipe{
		Version: version,
		Input:   in,
		Stages:  stage.Steps(o.Options),
		Output:  Output{Format: o.Format, Annotate: o.Annotate, Without: o.Without, FrontMatter: o.FrontMatter, Fields: o.Fields, TokenRules: o.TokenRules, Segmenters: o.Segmenters},
	}
	if o.Comments != "" {
		r.Output.Aside = []Aside{{Role: page.RoleComment, Format: o.Comments}}
	}
	return r
}

package recipe

import (
	"cmp"

	"chaffinch/build/stage"
	"chaffinch/input"
	"chaffinch/page"
)

// CleanOptions configures the standard recipe of the command "chaffinch clean". The zero
// value of a field selects its default.
type CleanOptions struct {
	// Options configures the stages. Markup, NoMetadata, CountLangs and AllLangs are set
	// from the format. Labeller is not supported in recipes.
	stage.Options
	// Format is the name of an entry of [Formats]. Default: "text".
	Format   string
	Annotate bool
	// Without names markup to omit. FrontMatter writes the metadata before each page of
	// Markdown.
	Without     []string
	FrontMatter bool
	// Fields selects fields like [Output].Fields.
	Fields []string
	// TokenRules are rules for the tokens of the format vertical. Default: nil, none.
	TokenRules *TokenRules
	// Segmenters are model files that segment words, for the format vertical.
	Segmenters []string
	// Tag and Taggers add columns, as in [Output].
	Tag     bool
	Taggers []string
	// Comments is the format of a further output for comments. Default: "", no such output.
	Comments string
	// Field is the field of JSON lines that holds the page. It is HTML if FieldHTML is set
	// or the name ends in "html"; otherwise it is text.
	Field     string
	FieldHTML bool
	// Form is the format of the inputs. Default: "", detected from the content. See
	// [input.Config].
	Form string
	// URL is the address of the page if the input is a file with one page.
	URL string
	// MaxRatio limits the decompressed bytes per compressed byte. See package input.
	MaxRatio float64
}

// Clean returns the standard recipe: extract, language and label. It adds languages if
// languages are requested or the format represents the languages of blocks.
func Clean(o CleanOptions) *Recipe {
	o.Format = cmp.Or(o.Format, "text")
	formats := []string{o.Format}
	if o.Comments != "" {
		formats = append(formats, o.Comments)
	}
	o.NoMetadata = !o.Annotate
	for _, name := range formats {
		f, _ := FormatOf(name) // Build reports an unknown format
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
		Output:  Output{Format: o.Format, Annotate: o.Annotate, Without: o.Without, FrontMatter: o.FrontMatter, Fields: o.Fields, TokenRules: o.TokenRules, Segmenters: o.Segmenters, Tag: o.Tag, Taggers: o.Taggers},
	}
	if o.Comments != "" {
		r.Output.Aside = []Aside{{Role: page.RoleComment, Format: o.Comments}}
	}
	return r
}

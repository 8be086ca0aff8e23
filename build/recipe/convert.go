package recipe

import (
	"cmp"
	"encoding/json"

	"chaffinch/build/stage"
	"chaffinch/input"
	"chaffinch/text/langid"
)

// ConvertOptions configures a recipe that converts clean text to another format, as in the
// command "chaffinch convert". The zero value of a field selects its default.
type ConvertOptions struct {
	Output
	// Field is the field of JSON lines that holds the text.
	Field string
	// Form is the format of the inputs. Default: "", detected from the content. See
	// [input.Config].
	Form string
	// Lang is the language of pages without a stated language. Default: "", detect it.
	Lang string
}

// Convert returns the recipe that converts clean text. It labels nothing and keeps all
// metadata of the input.
func Convert(o ConvertOptions) *Recipe {
	o.Format = cmp.Or(o.Format, "text")
	in := input.Default
	in.Kept = true
	in.Field, in.Form = cmp.Or(o.Field, in.Field), o.Form
	language, err := json.Marshal(stage.LanguageConfig{Lang: o.Lang, Missing: true, PageConfig: langid.DefaultPage})
	if err != nil {
		panic(err) // plain data
	}
	return &Recipe{Version: version, Input: in, Stages: []stage.Step{{Stage: "language", Config: language}}, Output: o.Output}
}

package recipe

import (
	"cmp"
	"encoding/json"

	"chaffinch/build/stage"
	"chaffinch/input"
	"chaffinch/text/langid"
)

// ConvertOptions are the settings of a recipe that writes clean text in another
// format, as the command "chaffinch convert" takes them. Zero fields mean the
// defaults.
type ConvertOptions struct {
	Output
	// Field is the field of JSON lines that holds the text.
	Field string
	// Form is the format of the inputs, "" by content: see [input.Config].
	Form string
	// Lang is the language of pages that do not say their own; "" detects it.
	Lang string
}

// Convert returns the recipe that reads text which is clean and writes it: nothing
// is labelled, and all that the input says of a page is kept.
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

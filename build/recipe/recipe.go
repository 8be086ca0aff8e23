// Package recipe converts inputs to a corpus by a [Recipe], which holds all stages and
// settings as plain data. [Clean] creates a recipe and [Make] runs it.
//
// The package also holds the table of output formats and the table of dedup methods. Runs
// can be resumed.
package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"chaffinch/build/stage"
	_ "chaffinch/extract/documents/readers"
	"chaffinch/format/vertical"
	"chaffinch/input"
	"chaffinch/internal/settings"
	_ "chaffinch/model/data/fineweb2"
	_ "chaffinch/model/data/languages"
	_ "chaffinch/model/data/nontext"    // models of the filters
	_ "chaffinch/model/data/registers"  // model of the stage registers
	_ "chaffinch/model/data/segmenters" // words of scripts without spaces
	_ "chaffinch/model/data/words"      // registers the data of all methods
	"chaffinch/pipeline"
	"chaffinch/text/tag/installed"
)

// version is the version of the recipe format. History:
//
//	1: first
const version = 1

// Recipe describes how a corpus is built from its inputs. It is plain data: the same recipe
// produces the same corpus in every environment. Its JSON form is docs/reference/formats/recipe.md.
type Recipe struct {
	Version int          `json:"version"`
	Input   input.Config `json:"input"`
	Stages  []stage.Step `json:"stages"`
	Output  Output       `json:"output"`
}

// Output configures the written form of pages.
type Output struct {
	// Format is the name of an entry of [Formats].
	Format string `json:"format"`
	// Annotate writes all text with label, score and reason, instead of only the kept text.
	Annotate bool `json:"annotate,omitempty"`
	// Without names markup to omit, such as "links". See [page.FeatureNames].
	Without []string `json:"without,omitempty"`
	// Lean omits the inline markup of blocks, their place in the page, their languages and scores from
	// the format json. A [Format] that is Flat does not need them.
	Lean bool `json:"lean,omitempty"`
	// FrontMatter writes the metadata before each page of Markdown.
	FrontMatter bool `json:"front_matter,omitempty"`
	// Fields selects fields of JSON lines or columns of Parquet. A minus sign before each
	// name excludes fields instead. Default: all fields.
	Fields []string `json:"fields,omitempty"`
	// TokenRules are rules for the tokens of the format vertical. They are applied after the
	// rules of each language.
	TokenRules *TokenRules `json:"token_rules,omitempty"`
	// Segmenters are model files for the format vertical. They segment languages that do not
	// separate words by spaces.
	Segmenters []string `json:"segmenters,omitempty"`
	// Tag adds lemmas, parts of speech and features to tokens, by the models of package
	// [installed] and in Taggers, model files.
	Tag     bool     `json:"tag,omitempty"`
	Taggers []string `json:"taggers,omitempty"`
	// Langs are the languages of the pages to write. A tag includes its varieties. Default:
	// all languages.
	Langs []string `json:"langs,omitempty"`
	// Aside are further outputs, each with the blocks of one role.
	Aside []Aside `json:"aside,omitempty"`
}

// Columns returns the names of the columns of a vertical.
func (o *Output) Columns() []string {
	if o.Tag {
		return append([]string{"word"}, vertical.ModelColumns...)
	}
	return []string{"word"}
}

// Untagged describes the languages for which no tagger was found, given the number of pages of each
// language. Text of an unknown language, or without one, is not described.
func (o *Output) Untagged(langs map[string]int64) (lines []string, err error) {
	if !o.Tag {
		return nil, nil
	}
	s, err := installed.Set(o.Taggers...)
	if err != nil {
		return nil, err
	}
	for _, lang := range slices.Sorted(maps.Keys(langs)) {
		if langs[lang] > 0 && lang != "und" && lang != "zxx" && !s.Has(lang) {
			lines = append(lines, fmt.Sprintf("no tagger for the language %q: the lemmas of its documents are empty: docs/guides/tagger.md", lang))
		}
	}
	return lines, nil
}

// TokenRules is the content of a rules file (docs/reference/formats/token-rules.md), so that a recipe
// does not depend on the file. The name is used in errors.
type TokenRules struct {
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
}

// Parse parses the JSON form of a recipe. Unknown fields are errors.
func Parse(b []byte) (*Recipe, error) {
	r := new(Recipe)
	if err := settings.Apply(b, r); err != nil {
		return nil, fmt.Errorf("recipe: %w", err)
	}
	if r.Version != version {
		return nil, fmt.Errorf("recipe: version %d, this build reads %d: write a new recipe or use another build", r.Version, version)
	}
	return r, nil
}

// Bytes returns the JSON form of r.
func (r *Recipe) Bytes() []byte {
	b, err := settings.Format(r)
	if err != nil {
		panic(err) // plain data
	}
	return append(b, '\n')
}

// Build builds the stages and the encoder of the main output. The encoder omits the text of
// [Output.Aside].
func (r *Recipe) Build() ([]pipeline.Stage, pipeline.Encoder, error) {
	stages, encoders, err := r.build()
	if err != nil {
		return nil, nil, err
	}
	return stages, r.Output.view(0, encoders[0]), nil
}

// build builds the stages and the encoders of all outputs.
func (r *Recipe) build() ([]pipeline.Stage, []pipeline.Encoder, error) {
	stages, err := stage.Build(r.Stages)
	if err != nil {
		return nil, nil, fmt.Errorf("recipe: %w", err)
	}
	if len(stages) == 0 {
		return nil, nil, errors.New("recipe: no stages: name at least extract and label")
	}
	encoders, err := r.Output.encoders()
	if err != nil {
		return nil, nil, fmt.Errorf("recipe: %w", err)
	}
	return stages, encoders, nil
}

// Behaviour returns everything on which the output depends apart from the input: the
// settings and the behaviour versions of the stages. The value can be encoded by
// encoding/json.
func (r *Recipe) Behaviour() (any, error) {
	stages, _, err := r.build()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(stages))
	for i := range stages {
		names[i] = stages[i].Name()
	}
	return struct {
		Recipe json.RawMessage `json:"recipe"`
		Stages []string        `json:"stages"`
	}{r.Bytes(), names}, nil
}

// hash returns a hash of the settings and of the behaviour versions of the stages.
func (r *Recipe) hash(stages []pipeline.Stage) string {
	h := sha256.New()
	h.Write(r.Bytes())
	for _, s := range stages {
		fmt.Fprintln(h, s.Name())
	}
	return hex.EncodeToString(h.Sum(nil))
}

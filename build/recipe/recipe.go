// Package recipe makes a corpus of its inputs: the stages and settings as one piece of
// plain data, the table of output formats, the table of methods that remove duplicates, and
// runs that can be resumed. [Clean] makes a recipe, [Make] runs it.
package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"chaffinch/build/stage"
	"chaffinch/input"
	"chaffinch/internal/settings"
	_ "chaffinch/model/data/words" // every method can be asked for
	"chaffinch/pipeline"
)

// version is the version of the JSON form of a Recipe. History:
//
//	1: first
const version = 1

// Recipe says how a corpus is made of its inputs. It is plain data: the same
// recipe gives the same corpus, whatever runs it. Its JSON form is
// docs/formats/recipe.md.
type Recipe struct {
	Version int          `json:"version"`
	Input   input.Config `json:"input"`
	Stages  []stage.Step `json:"stages"`
	Output  Output       `json:"output"`
}

// Output says what is written of the pages.
type Output struct {
	// Format is the name of an entry of [Formats].
	Format string `json:"format"`
	// Annotate writes everything, with label, score and reason, instead of the
	// kept text alone.
	Annotate bool `json:"annotate,omitempty"`
	// Without names the markup that formats with markup leave out, such as
	// "links": see [page.FeatureNames].
	Without []string `json:"without,omitempty"`
	// FrontMatter begins each page of Markdown with its metadata.
	FrontMatter bool `json:"front_matter,omitempty"`
	// Fields are the fields of JSON lines, or columns of Parquet, that are written, or
	// with a minus sign before each those that are not; all if there are none.
	Fields []string `json:"fields,omitempty"`
	// TokenRules are rules for the tokens of the format vertical, read after those
	// of each language.
	TokenRules *TokenRules `json:"token_rules,omitempty"`
	// Segmenters are model files that find words in languages without spaces
	// between them, for the format vertical.
	Segmenters []string `json:"segmenters,omitempty"`
	// Langs are the languages of the pages that are written, as tags that stand for
	// their varieties too; all if there are none.
	Langs []string `json:"langs,omitempty"`
	// Aside are further outputs, each with the blocks of one role.
	Aside []Aside `json:"aside,omitempty"`
}

// TokenRules are a rule file (docs/formats/token-rules.md): its text, so that a
// recipe does not change with the file, and its name for errors.
type TokenRules struct {
	Name string `json:"name,omitempty"`
	Text string `json:"text"`
}

// Parse reads the JSON form of a recipe. Unknown fields are errors.
func Parse(b []byte) (*Recipe, error) {
	r := new(Recipe)
	if err := settings.Lay(b, r); err != nil {
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

// Build makes the stages and the encoder of the main output, which leaves out what
// [Output.Aside] takes.
func (r *Recipe) Build() ([]pipeline.Stage, pipeline.Encoder, error) {
	stages, encoders, err := r.build()
	if err != nil {
		return nil, nil, err
	}
	return stages, r.Output.view(0, encoders[0]), nil
}

// build makes the stages and the encoders of all outputs.
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

// Behaviour returns what the output of a recipe follows from beside its input, as
// encoding/json takes it: its settings, and the behaviour versions of the stages.
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

// hash tells recipes apart: by their settings, and by the behaviour versions
// of the stages that they build.
func (r *Recipe) hash(stages []pipeline.Stage) string {
	h := sha256.New()
	h.Write(r.Bytes())
	for _, s := range stages {
		fmt.Fprintln(h, s.Name())
	}
	return hex.EncodeToString(h.Sum(nil))
}

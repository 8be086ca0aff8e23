package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"chaffinch/input"
	"chaffinch/jsonl"
	"chaffinch/pipeline"
	"chaffinch/plain"
	"chaffinch/vertical"
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
	Stages  []Step       `json:"stages"`
	Output  Output       `json:"output"`
}

// Step is a stage of a recipe: its name in the table [Stages] and its settings.
type Step struct {
	Stage string `json:"stage"`
	// Config holds the fields of the stage's configuration that differ from the
	// defaults.
	Config json.RawMessage `json:"config,omitempty"`
}

// Output says what is written of the pages.
type Output struct {
	// Format is the name of an entry of [Formats].
	Format string `json:"format"`
	// Annotate writes everything, with label, score and reason, instead of the
	// kept text alone.
	Annotate bool `json:"annotate,omitempty"`
}

// Format is a way to write pages.
type Format struct {
	// Name is what --format takes and Ext the usual suffix of its files.
	Name, Ext string
	Help      string
	New       func(annotate bool) pipeline.Encoder
}

// Formats is the table of output formats.
var Formats = []Format{
	{"text", ".txt", "one block a line, an empty line after each page", func(a bool) pipeline.Encoder { return plain.Encoder{Annotate: a} }},
	{"jsonl", ".jsonl", "one JSON object a line for each page: text and metadata", func(a bool) pipeline.Encoder { return jsonl.Encoder{Annotate: a} }},
	{"prevertical", ".prevert", "<doc> and <p> tags around running text, for corpus managers", func(a bool) pipeline.Encoder { return vertical.Encoder{Annotate: a} }},
}

// FormatOf returns the format of that name.
func FormatOf(name string) (Format, error) {
	var names []string
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("format %q is not known: take one of %s", name, strings.Join(names, ", "))
}

// Parse reads the JSON form of a recipe. Unknown fields are errors.
func Parse(b []byte) (*Recipe, error) {
	r := new(Recipe)
	if err := configure(b, r); err != nil {
		return nil, fmt.Errorf("recipe: %w", err)
	}
	if r.Version != version {
		return nil, fmt.Errorf("recipe: version %d, this build reads %d: write the recipe anew or use another build", r.Version, version)
	}
	return r, nil
}

// Bytes returns the JSON form of r.
func (r *Recipe) Bytes() []byte {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		panic(err) // plain data
	}
	return append(b, '\n')
}

// Build makes the stages and the encoder.
func (r *Recipe) Build() ([]pipeline.Stage, pipeline.Encoder, error) {
	var stages []pipeline.Stage
	for i, step := range r.Stages {
		s, err := newStage(step)
		if err != nil {
			return nil, nil, fmt.Errorf("recipe: stage %d: %w", i+1, err)
		}
		stages = append(stages, s)
	}
	if len(stages) == 0 {
		return nil, nil, errors.New("recipe: no stages: name at least extract and label")
	}
	f, err := FormatOf(r.Output.Format)
	if err != nil {
		return nil, nil, fmt.Errorf("recipe: %w", err)
	}
	return stages, f.New(r.Output.Annotate), nil
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

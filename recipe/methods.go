// Package recipe holds the tables of what can be done to a page: the methods
// that label blocks and the stages that a run is made of. Flags, help,
// libraries and JSON recipes all read the same tables; nothing registers itself.
package recipe

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"chaffinch/clean"
)

// Options are what every method can be told.
type Options struct {
	// Lang is the language of the pages as BCP 47 tag; "" takes each page's own
	// (page.Page.Lang), where the method has models for several.
	Lang string `json:"lang,omitempty"`
	// Keep is what counts as text, "text" or "article", and Favour which errors
	// weigh more, "precision" or "recall", "" for neither: for the methods that
	// learned the difference (see [Method.Keeps]).
	Keep   string `json:"keep,omitempty"`
	Favour string `json:"favour,omitempty"`
	// Config is the method's own Config as JSON object; fields that are left
	// out keep their defaults.
	Config json.RawMessage `json:"config,omitempty"`
}

// Method is a way to tell text from boilerplate.
type Method struct {
	// Name is what --method takes.
	Name string
	// Help is one line for --help and the docs.
	Help string
	// New makes the labeller.
	New func(Options) (clean.Labeller, error)
	// Train makes the method as one that learns from pages, nil if it does
	// not. Settings of models that it would load have no meaning there.
	Train func(Options) (clean.Trainable, error)
	// Keeps tells that the method heeds Options.Keep and Options.Favour.
	Keeps bool
}

// Methods is the table of methods, in the order of help and comparisons.
var Methods = []Method{
	{"keep", "baseline: every block that the page shows", newKeep, nil, false},
	{"perplexity", "sentences that a language model finds likely", newPerplexity, nil, false},
	{"ncleaner", "two character n-gram models, of clean and of dirty text", newNCleaner, trainNCleaner, false},
	{"justext", "length, links and stop words of the blocks, then their neighbours", newJustext, nil, false},
	{"all", "the vote of perplexity, ncleaner and justext", newAll, trainAll, false},
	{"blocks", "learned from pages that people have marked, in several languages", newBlocks, trainBlocks, true},
	{"lines", "for plain text: learned from lines that people have marked, in several languages", newLines, trainLines, false},
}

func newKeep(o Options) (clean.Labeller, error) {
	return clean.Keep{}, configure(o.Config, &struct{}{})
}

// MethodNames returns the names of all methods, in the order of the table.
func MethodNames() []string {
	names := make([]string, len(Methods))
	for i, m := range Methods {
		names[i] = m.Name
	}
	return names
}

// Labeller makes the method of that name.
func Labeller(name string, o Options) (clean.Labeller, error) {
	for _, m := range Methods {
		if m.Name == name {
			if !m.Keeps && o.Keep+o.Favour != "" {
				return nil, fmt.Errorf("method %s knows one kind of text only: keep and favour are for %s", name, strings.Join(learnedPolicies(), ", "))
			}
			l, err := m.New(o)
			if err != nil {
				return nil, fmt.Errorf("method %s: %w", name, err)
			}
			return l, nil
		}
	}
	return nil, fmt.Errorf("method %q is not known: take one of %s", name, strings.Join(MethodNames(), ", "))
}

// Keeps reports whether the method of that name heeds Options.Keep and
// Options.Favour.
func Keeps(name string) bool { return slices.Contains(learnedPolicies(), name) }

// learnedPolicies returns the names of the methods that heed Options.Keep.
func learnedPolicies() (names []string) {
	for _, m := range Methods {
		if m.Keeps {
			names = append(names, m.Name)
		}
	}
	return names
}

// Trainable makes the method of that name to be trained.
func Trainable(name string, o Options) (clean.Trainable, error) {
	for _, m := range Methods {
		if m.Name == name && m.Train != nil {
			t, err := m.Train(o)
			if err != nil {
				return nil, fmt.Errorf("method %s: %w", name, err)
			}
			return t, nil
		}
	}
	return nil, fmt.Errorf("method %q learns from no pages: take one of %s", name, strings.Join(TrainableNames(), ", "))
}

// TrainableNames returns the names of the methods that learn from pages.
func TrainableNames() []string {
	var names []string
	for _, m := range Methods {
		if m.Train != nil {
			names = append(names, m.Name)
		}
	}
	return names
}

// configure lays the JSON object over the defaults in cfg. An unknown field is
// an error, so that a slip of the pen does not pass for a setting.
func configure(config json.RawMessage, cfg any) error {
	if len(config) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(config))
	d.DisallowUnknownFields()
	if err := d.Decode(cfg); err != nil && strings.Contains(err.Error(), "unknown field") {
		return fmt.Errorf("config: %w: there are %s", err, strings.Join(fieldNames(reflect.TypeOf(cfg)), ", "))
	} else if err != nil {
		return fmt.Errorf("config: %w", err)
	}
	if d.More() {
		return errors.New("config: more than one JSON object")
	}
	return nil
}

// fieldNames returns the names that a struct, or what points to one, has in JSON.
func fieldNames(t reflect.Type) (names []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			names = append(names, fieldNames(f.Type)...)
		case f.IsExported() && name != "-":
			names = append(names, cmp.Or(name, f.Name))
		}
	}
	return names
}

// Package method holds the table of methods that label blocks as text or boilerplate.
// Flags, help, libraries and JSON recipes all read this one table; nothing registers
// itself. [New] makes a method by its name; [Names] lists them.
package method

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chaffinch/clean"
	"chaffinch/clean/blocks"
	"chaffinch/clean/lines"
	"chaffinch/clean/ncleaner"
	"chaffinch/internal/settings"
	"chaffinch/text/lm"
)

// Default is the method that is used for HTML when none is named: the best on
// every evaluation set of the docs.
const Default = "blocks"

// DefaultText is the method for plain text when none is named: what [Default]
// looks at most, elements and links, is not there.
const DefaultText = "lines"

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
	// Name is what users and recipes call it.
	Name string
	// Help is one line for help and the docs.
	Help string
	// New makes the labeller.
	New func(Options) (clean.Labeller, error)
	// Keeps reports whether the method follows Options.Keep and Options.Favour.
	Keeps bool
	// Kind is the kind of the model file that the field "model" of its Config names, "" if
	// the method has no model of one file.
	Kind string
}

// Table is the table of methods, in the order of help and comparisons.
var Table = []Method{
	{Name: "keep", Help: "baseline: every block that the page shows", New: newKeep},
	{Name: "perplexity", Help: "sentences that a language model finds likely", New: newPerplexity, Kind: lm.Kind},
	{Name: "ncleaner", Help: "two character n-gram models, of clean and of dirty text", New: newNCleaner, Kind: ncleaner.Kind},
	{Name: "justext", Help: "length, links and stop words of the blocks, then their neighbours", New: newJustext},
	{Name: "all", Help: "the vote of perplexity, ncleaner and justext", New: newAll},
	{Name: "blocks", Help: "learned from pages that people have marked, in several languages", New: newBlocks, Keeps: true, Kind: blocks.Kind},
	{Name: "lines", Help: "for plain text: learned from lines that people have marked, in several languages", New: newLines, Kind: lines.Kind},
}

func newKeep(o Options) (clean.Labeller, error) {
	return clean.Keep{}, settings.Lay(o.Config, &struct{}{})
}

// Names returns the names of all methods, in the order of the table.
func Names() []string {
	names := make([]string, len(Table))
	for i, m := range Table {
		names[i] = m.Name
	}
	return names
}

// New makes the method of that name.
func New(name string, o Options) (clean.Labeller, error) {
	for _, m := range Table {
		if m.Name == name {
			if !m.Keeps && o.Keep+o.Favour != "" {
				return nil, fmt.Errorf("method %s has one policy only: keep and favour are for %s", name, strings.Join(namesWith(func(m Method) bool { return m.Keeps }), ", "))
			}
			l, err := m.New(o)
			if err != nil {
				return nil, fmt.Errorf("method %s: %w", name, err)
			}
			return l, nil
		}
	}
	return nil, fmt.Errorf("method %q is not known: take one of %s", name, strings.Join(Names(), ", "))
}

// Keeps reports whether the method of that name heeds Options.Keep and
// Options.Favour.
func Keeps(name string) bool {
	return slices.ContainsFunc(Table, func(m Method) bool { return m.Name == name && m.Keeps })
}

// namesWith returns the names of the methods that have something.
func namesWith(has func(Method) bool) (names []string) {
	for _, m := range Table {
		if has(m) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Package method lists the methods that label blocks as text or boilerplate. [New] returns a
// method by name; [Names] returns all names.
//
// Flags, help, libraries and JSON recipes all read one table, [Table]. Packages do not
// register themselves.
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

// Default is the method for HTML if no method is named: the best method on every evaluation set
// of the docs.
const Default = "blocks"

// DefaultText is the method for plain text if no method is named. [Default] depends on elements
// and links, which plain text lacks.
const DefaultText = "lines"

// DefaultDocument is the method for documents such as PDF if no method is named.
const DefaultDocument = "documents"

// Options configures any method.
type Options struct {
	// Lang is the language of the pages as a BCP 47 tag. Default: each page's own language
	// (page.Page.Lang), if the method has models for several languages.
	Lang string `json:"lang,omitempty"`
	// Keep selects the text that is kept, "text" or "article". Favour selects the errors
	// that weigh more, "precision" or "recall". Default: "", the method's own setting. Only
	// methods with [Method.Keeps] accept them.
	Keep   string `json:"keep,omitempty"`
	Favour string `json:"favour,omitempty"`
	// Config is the method's own Config as a JSON object. Omitted fields keep their
	// defaults.
	Config json.RawMessage `json:"config,omitempty"`
}

// Method describes a method that separates text from boilerplate.
type Method struct {
	// Name is the name in flags and recipes.
	Name string
	// Help is a one-line description for help and the docs.
	Help string
	// New returns the labeller.
	New func(Options) (clean.Labeller, error)
	// Keeps reports whether the method uses Options.Keep and Options.Favour.
	Keeps bool
	// Kind is the kind of the model file named by the field "model" of its Config, or "" if
	// the method has no single model file.
	Kind string
}

// Table lists the methods in the order of help and comparisons.
var Table = []Method{
	{Name: "keep", Help: "baseline: every block that the page shows", New: newKeep},
	{Name: "perplexity", Help: "sentences that a language model finds likely", New: newPerplexity, Kind: lm.Kind},
	{Name: "ncleaner", Help: "two character n-gram models, of clean and of dirty text", New: newNCleaner, Kind: ncleaner.Kind},
	{Name: "justext", Help: "length, links and stop words of the blocks, then their neighbours", New: newJustext},
	{Name: "all", Help: "the vote of perplexity, ncleaner and justext", New: newAll},
	{Name: "blocks", Help: "learned from pages that people have marked, in several languages", New: newBlocks, Keeps: true, Kind: blocks.Kind},
	{Name: "lines", Help: "for plain text: learned from lines that people have marked, in several languages", New: newLines, Kind: lines.Kind},
	{Name: "documents", Help: "for PDF, DOCX, mail and other documents: by the parts that they state", New: newDocuments, Keeps: true},
}

func newKeep(o Options) (clean.Labeller, error) {
	return clean.Keep{}, settings.Apply(o.Config, &struct{}{})
}

// Names returns the names of all methods, in the order of [Table].
func Names() []string {
	names := make([]string, len(Table))
	for i, m := range Table {
		names[i] = m.Name
	}
	return names
}

// New returns the labeller of the named method. It is an error if the name is unknown, or if
// o sets Keep or Favour for a method without them.
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

// Keeps reports whether the named method uses Options.Keep and Options.Favour.
func Keeps(name string) bool {
	return slices.ContainsFunc(Table, func(m Method) bool { return m.Name == name && m.Keeps })
}

// namesWith returns the names of the methods for which has returns true.
func namesWith(has func(Method) bool) (names []string) {
	for _, m := range Table {
		if has(m) {
			names = append(names, m.Name)
		}
	}
	return names
}

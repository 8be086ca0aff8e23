// Package gold reads pages with gold text made by people, for training and evaluating methods.
// [Open] reads a set and [Collect] reads the pages of several sets. The package has the convention
// of each set, the sites of pages and their near-duplicates. It assigns pages to the folds of a
// cross-validation so that neither a site nor a duplicate is in both training and test data.
package gold

import (
	"fmt"
	"strings"
)

// Page is the gold of a page.
type Page struct {
	ID string
	// SHA256 is the hash of the page's bytes in hexadecimal, "" if the set does not contain the
	// page.
	SHA256 string
	// Text is the gold text, one paragraph per line. Raw is the text as distributed, with markers
	// if there are any.
	Text, Raw string
	// Segments is the gold divided into typed segments; nil if the set has no types of CleanEval.
	Segments []Segment
	// Comments is the gold text of readers' comments, which is not part of Text. Commented is set
	// if the set annotates the comments of the page.
	Comments  string
	Commented bool
	// With and Without are snippets that must, and must not, occur. Sets that have only snippets
	// (SnippetsOnly) have no Text.
	With, Without []string
	SnippetsOnly  bool
	// Roles holds the annotated spans of the page with their roles; nil if it was not annotated.
	Roles []RoleSpan
	// Meta is the page's line in meta.jsonl.
	Meta map[string]any
}

// Segment is a paragraph of a page with a type of CleanEval.
type Segment struct {
	// Kind is 'p' for a paragraph, 'h' for a heading, 'l' for a list item, 0 for text without a
	// marker.
	Kind byte
	Text string
}

// Field returns a field of the page's metadata as text, or "-" if it has none. A page without
// "lang" has the language that its HTML declares ("html_lang"), without region and in lower case.
func (g *Page) Field(name string) string {
	v, ok := g.Meta[name]
	if (!ok || v == nil) && name == "lang" {
		tag, _ := g.Meta["html_lang"].(string)
		tag, _, _ = strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
		if tag = strings.ToLower(strings.TrimSpace(tag)); tag != "" {
			return tag
		}
	}
	if !ok || v == nil {
		return "-"
	}
	return fmt.Sprint(v)
}

// leastCoverage is the minimum fraction of the gold's words that are found in the page (field
// "coverage") if the gold belongs to the page.
const leastCoverage = 0.5

// Fits reports whether the gold is suitable for training: full text that belongs to the page.
// conventions lists the sets in which an empty gold is an error.
func (g *Page) Fits(set string) bool {
	if g.SnippetsOnly {
		return false
	}
	if strings.TrimSpace(g.Text) == "" {
		return !ConventionOf(set).EmptyIsFlaw
	}
	c, ok := g.Meta["coverage"].(float64)
	return !ok || c >= leastCoverage
}

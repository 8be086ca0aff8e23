// Package gold reads pages together with what people say should be kept of
// them: the sets that methods are trained on and measured with. It knows which
// convention each set follows, which pages come from one site and which are
// near-duplicates of each other, and deals pages to the folds of a
// cross-validation so that neither a site nor a copy stands on both sides.
package gold

import (
	"fmt"
	"strings"
)

// Page is what people say a page should become.
type Page struct {
	ID string
	// SHA256 is that of the page's bytes in hexadecimal, "" if the set does not
	// have the page.
	SHA256 string
	// Text is the gold text, one paragraph per line; Raw is the text as it was
	// distributed, with markers, or the same.
	Text, Raw string
	// Segments is the gold cut into typed segments; nil where the set has no
	// types in CleanEval's terms.
	Segments []Segment
	// Comments is the gold text of readers' comments, which is no part of Text;
	// Commented tells whether the set says what the comments of the page are.
	Comments  string
	Commented bool
	// With and Without are snippets that must, and must not, appear. In sets
	// of snippets only (SnippetsOnly) there is no Text.
	With, Without []string
	SnippetsOnly  bool
	// Roles are the spans of the page that annotators gave a role; nil if nobody
	// annotated it.
	Roles []RoleSpan
	// Meta is the page's line in meta.jsonl.
	Meta map[string]any
}

// Segment is a paragraph of a page, with its type in CleanEval's terms.
type Segment struct {
	// Kind is 'p' for a paragraph, 'h' for a heading, 'l' for an item of a
	// list, 0 for text under no marker.
	Kind byte
	Text string
}

// Field returns a field of the page's metadata as text, "-" if it has none. A
// page without "lang" has the language that its HTML declares ("html_lang"),
// without region and in lower case.
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

// leastCoverage is the share of the gold's words that must be found in the
// page (field "coverage") for the two to belong together.
const leastCoverage = 0.5

// Fits reports whether the gold can be learned from: full text that belongs to
// the page. Sets in which an empty gold is a flaw are in the table of
// [Conventions].
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

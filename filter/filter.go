// Package filter scores documents by the published rules of makers of training data, and
// decides by limits on the scores. [New] returns a [Set]; [Set.Scorer] scores documents, and
// [Set.Decide] decides.
//
// A [Set] is a list of groups of scores with their limits. A [Scorer] computes the scores of a
// document, and [Set.Decide] returns the limit that the document exceeds. Rules of C4 that drop
// lines mark them, and the writer omits them.
//
// The scores follow datatrove's filters, over the tokens of package token. They implement
// Gopher (https://arxiv.org/abs/2112.11446), C4 (https://jmlr.org/papers/v21/20-074.html) and
// FineWeb (https://arxiv.org/abs/2406.17557). Characters are code points. White space and line
// ends are defined as in Python.
package filter

import (
	"fmt"
	"math"
	"strconv"

	"chaffinch/text/token"
)

// Text is a document.
type Text struct {
	// Lang is the language as a BCP 47 tag, "" if unknown.
	Lang string
	// URL is the address, "" if unknown.
	URL string
	// License is the licence as stated, "" if unknown.
	License string
	// Optout lists statements against the use of the document, as in [page.Metadata.Optout].
	Optout string
	// Translated names marks of machine translation, as in [page.Metadata.Translated].
	Translated string
	// PageType is the type of the page, as in [page.Page.Type].
	PageType string
	// Whole is the whole text, with line breaks.
	Whole string
	// Paras are the spans in Whole of the lines with text.
	Paras []token.Span
	// Langs are the languages of Paras, "" if unknown. nil means that all are unknown.
	Langs []string
}

// Result holds the results of the rules for a document. It is valid until the next document is
// scored.
type Result struct {
	// Scores are in the order of [Set.Scores]. NaN means that the document does not have the
	// score.
	Scores []float64
	// Lines holds the effect of line rules on each entry of [Text.Paras]; nil if there are no
	// such rules.
	Lines []Line
	// Joined reports whether one line break separates the kept lines.
	Joined bool
}

// Line is the effect of line rules on one line.
type Line struct {
	// Reason is the name of the rule that drops the line, "" for a kept line.
	Reason string
	// Changed reports whether Text replaces the line. The memory of Text is used again for the next
	// document.
	Changed bool
	Text    string
}

// Limit limits a score: a document is dropped if the score is below Min or above Max.
type Limit struct {
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// broken returns the bound that v exceeds and its comparison sign, and reports whether there is
// one.
func (l Limit) broken(v float64) (limit float64, sign string, ok bool) {
	switch {
	case l.Min != nil && v < *l.Min:
		return *l.Min, "<", true
	case l.Max != nil && v > *l.Max:
		return *l.Max, ">", true
	}
	return 0, "", false
}

// Decision is the reason why a document is dropped.
type Decision struct {
	// Rule is the name of the score, such as "gopher_quality.words".
	Rule string
	// Value is the score and Limit the bound that it exceeds. Value is below (Sign "<") or
	// above (Sign ">") Limit.
	Value, Limit float64
	Sign         string
	// Explanation explains the value, "" if the rule needs no explanation: see [Scorer.Explain].
	Explanation string
}

// String formats a decision as in "gopher_quality.words 12 < 50".
func (d Decision) String() string {
	s := fmt.Sprintf("%s %s %s %s", d.Rule, FormatScore(d.Value), d.Sign, FormatScore(d.Limit))
	if d.Explanation != "" {
		s += " (" + d.Explanation + ")"
	}
	return s
}

// FormatScore formats a score with the minimum number of digits that represents it exactly.
func FormatScore(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Scores returns the names of all scores, group by group. A name is the group, a dot and the
// score.
func (s *Set) Scores() []string { return s.names }

// Decide returns the first limit that a document of a language exceeds, in the order of the
// scores. It reports whether there is one.
func (s *Set) Decide(lang string, scores []float64) (Decision, bool) {
	return s.decide(lang, s.limitsOf(lang), scores, 0, len(scores))
}

// decide returns the first exceeded limit of scores[from:to], and reports whether there is one.
func (s *Set) decide(lang string, limits []Limit, scores []float64, from, to int) (Decision, bool) {
	for i := from; i < to; i++ {
		v := scores[i]
		if math.IsNaN(v) {
			continue
		}
		limit := s.withModel(limits[i], lang)
		if limit, sign, bad := limit.broken(v); bad {
			return Decision{Rule: s.names[i], Value: v, Limit: limit, Sign: sign}, true
		}
	}
	return Decision{}, false
}

// Groups returns the groups that s uses, in their order. A model file is a group.
func (s *Set) Groups() []*Group { return s.groups }

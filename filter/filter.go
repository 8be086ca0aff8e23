// Package filter scores documents by the rules that makers of training data have published,
// and decides by limits over the scores: scores first, decisions last. A [Set] is a list of
// groups of scores with their limits; a [Scorer] computes the scores of a document, and
// [Set.Decide] returns the limit that it breaks. Rules of C4 that drop lines mark them, and
// the writer leaves them out. [New] makes a [Set]; [Set.Scorer] scores documents,
// [Set.Decide] decides.
//
// The scores are those of datatrove's filters, for which Gopher
// (https://arxiv.org/abs/2112.11446), C4 (https://jmlr.org/papers/v21/20-074.html) and
// FineWeb (https://arxiv.org/abs/2406.17557) stand, over the tokens of the package
// token. Characters are code points, white space and lines those of Python.
package filter

import (
	"fmt"
	"math"
	"strconv"

	"chaffinch/text/token"
)

// Text is a document.
type Text struct {
	// Lang is its language as a BCP 47 tag, "" if not known.
	Lang string
	// URL is its address, "" if not known.
	URL string
	// License is its licence as stated, "" if not known.
	License string
	// Optout is what was said against its use, as [page.Metadata.Optout] has it.
	Optout string
	// Translated names marks of machine translation, as [page.Metadata.Translated]
	// does.
	Translated string
	// Whole is all of it, with its line breaks.
	Whole string
	// Paras are its lines with text, in Whole.
	Paras []token.Span
	// Langs are the languages of Paras, "" where one is not known; nil knows none.
	Langs []string
}

// Result is what the rules found of a document. It is valid until the next one is
// scored.
type Result struct {
	// Scores are in the order of [Set.Scores]. NaN is a score that the document
	// does not have.
	Scores []float64
	// Lines tells for each of [Text.Paras] what rules of lines did to it; nil if
	// there are no such rules.
	Lines []Line
	// Joined tells that one line break is to part the lines that stay.
	Joined bool
}

// Line is what rules of lines did to one.
type Line struct {
	// Why names the rule that it goes by, "" for a line that stays.
	Why string
	// Changed tells that Text takes its place.
	Changed bool
	Text    string
}

// Limit bounds a score: a document goes if the score is below Min or above Max.
type Limit struct {
	Min *float64 `json:"min,omitempty"`
	Max *float64 `json:"max,omitempty"`
}

// broken tells which bound v breaks, with the sign that it has then.
func (l Limit) broken(v float64) (limit float64, sign string, ok bool) {
	switch {
	case l.Min != nil && v < *l.Min:
		return *l.Min, "<", true
	case l.Max != nil && v > *l.Max:
		return *l.Max, ">", true
	}
	return 0, "", false
}

// Decision says why a document goes.
type Decision struct {
	// Rule is the name of the score, such as "gopher_quality.words".
	Rule string
	// Value is the score and Limit the bound that it breaks, which it is below
	// (Sign "<") or above (">").
	Value, Limit float64
	Sign         string
	// Why names what spoke for the value, "" where the rule says all: see
	// [Scorer.Why].
	Why string
}

// String writes a decision as in "gopher_quality.words 12 < 50".
func (d Decision) String() string {
	s := fmt.Sprintf("%s %s %s %s", d.Rule, FormatScore(d.Value), d.Sign, FormatScore(d.Limit))
	if d.Why != "" {
		s += " (" + d.Why + ")"
	}
	return s
}

// FormatScore writes a score with all its digits and no more.
func FormatScore(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Scores lists the names of all scores, those of one group after those of the one
// before: the group, a dot, the score.
func (s *Set) Scores() []string { return s.names }

// Decide returns the first limit that a document of a language breaks, in the
// order of the scores; false if it stays.
func (s *Set) Decide(lang string, scores []float64) (Decision, bool) {
	return s.decide(lang, scores, 0, len(scores))
}

// decide is Decide for the scores from one to another.
func (s *Set) decide(lang string, scores []float64, from, to int) (Decision, bool) {
	limits := s.limitsOf(lang)
	for i := from; i < to; i++ {
		v := scores[i]
		if math.IsNaN(v) {
			continue
		}
		limit := limits[i]
		if limit.Max == ofModel {
			limit = atMost(s.modelOf(lang).Limit())
		}
		if limit, sign, bad := limit.broken(v); bad {
			return Decision{Rule: s.names[i], Value: v, Limit: limit, Sign: sign}, true
		}
	}
	return Decision{}, false
}

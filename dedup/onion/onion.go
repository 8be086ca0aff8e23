// Package onion finds paragraphs that better ranked documents already contain, wholly or
// for the most part, by the greedy algorithm of onion (ONe Instance ONly; Jan Pomikálek,
// Removing boilerplate and duplicate content from web corpora, PhD thesis, Masaryk
// University, 2011, chapter 5). It visits documents from the best rank to the worst. An
// n-gram of tokens is seen if a visited paragraph that was kept contains it. A paragraph is
// dropped if seen n-grams cover too large a share of its tokens, and so is a short rest
// between dropped paragraphs. [New] returns the method for a [Config].
//
// [Find] does this in memory. [New] returns the [dedup.Method], which works on any number
// of documents: n-grams are in sorted tables on disk. N-grams that occur once are dropped
// when the tables are merged. The set of seen n-grams has one bit for each remaining one. The
// n-grams of small collections are in memory instead.
// docs/explanation/dedup-onion.md describes the code.
package onion

import (
	"fmt"

	"chaffinch/dedup/shingle"
)

// name is the name of the method and the version of its behaviour.
const name = "onion/1"

// Unit is the unit that is kept or dropped as a whole.
type Unit string

// The units.
const (
	Paragraph Unit = "paragraph"
	Document  Unit = "document"
)

// Rule is the treatment of the template text of a host.
type Rule string

// The rules for template text.
const (
	First Rule = "first" // the best ranked page keeps it, like other copies
	Drop  Rule = "drop"  // no page keeps it
	Keep  Rule = "keep"  // all pages keep it
)

// Config configures the method.
type Config struct {
	// Unit is the unit to drop.
	Unit Unit `json:"unit"`
	// Ngram is the length of n-grams in tokens.
	Ngram int `json:"ngram" was:"N"`
	// Percent is the percentage of the tokens of a unit that seen n-grams must cover
	// for the unit to be dropped, at least; with Compat, more than that.
	Percent float64 `json:"percent"`
	// Stub is the largest number of tokens of a rest between copies that is dropped
	// with them (smoothing). 0 drops no rests.
	Stub int `json:"stub"`
	// Template is the number of pages of one host that must share a paragraph, apart
	// from numbers, for it to be template text. 0 detects no template text.
	Template int `json:"template"`
	// OnTemplate is the treatment of template text.
	OnTemplate Rule `json:"on_template"`
	// Compat decides like the original program (1.2), see [Compat].
	Compat bool `json:"compat"`
	// Tokens defines tokens and their equality. Its N is ignored.
	Tokens shingle.Config `json:"tokens"`
}

// Default holds the settings of the slides (n = 7, p = 50, smoothing) on words,
// ignoring case, the encoding of accents and punctuation.
var Default = Config{
	Unit: Paragraph, Ngram: 7, Percent: 50, Stub: 20, Template: 5, OnTemplate: First,
	Tokens: shingle.Config{Lower: true, Canonical: true, DropPunct: true, FoldTokens: true},
}

// Compat holds the settings and corner cases of onion 1.2 (2014), for verticals.
// Tokens are compared verbatim, and more than half of a paragraph must have been seen.
// Earlier text of the same document counts as seen even if it is dropped. The edges of
// a document count as dropped paragraphs, so that documents of at most 20 tokens are
// dropped. To keep the first copy, rank documents by their position in the input.
var Compat = Config{Unit: Paragraph, Ngram: 7, Percent: 50, Stub: 20, OnTemplate: First, Compat: true}

// maxN keeps the positions of n-grams within their range.
const maxN = 1 << 16

// Check fills in defaults and reports invalid settings.
func (c *Config) Check() error {
	if c.Unit == "" {
		c.Unit = Paragraph
	}
	if c.OnTemplate == "" {
		c.OnTemplate = First
	}
	if c.Unit == Document {
		c.Template = 0
	}
	switch {
	case c.Unit != Paragraph && c.Unit != Document:
		return fmt.Errorf("onion: unit %q: wanted %s or %s", c.Unit, Paragraph, Document)
	case c.OnTemplate != First && c.OnTemplate != Drop && c.OnTemplate != Keep:
		return fmt.Errorf("onion: template text: %q, wanted %s, %s or %s", c.OnTemplate, First, Drop, Keep)
	case c.Ngram < 1 || c.Ngram > maxN:
		return fmt.Errorf("onion: n-grams of %d tokens, wanted 1 to %d", c.Ngram, maxN)
	case !(c.Percent >= 0 && c.Percent <= 100):
		return fmt.Errorf("onion: threshold of %g per cent, wanted 0 to 100", c.Percent)
	case c.Stub < 0:
		return fmt.Errorf("onion: rests of %d tokens, wanted 0 or more", c.Stub)
	case c.Template < 0 || c.Template == 1:
		return fmt.Errorf("onion: template text on %d pages, wanted 2 or more, or 0 for none", c.Template)
	case c.Tokens.Unit != shingle.Word:
		return fmt.Errorf("onion: n-grams are of words, not of characters: use a method that compares documents, such as minhash")
	}
	return nil
}

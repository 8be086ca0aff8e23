// Package onion finds paragraphs that better ranked documents already contain, wholly or
// for the most part, by the greedy algorithm of onion (ONe Instance ONly; Jan Pomikálek,
// Removing boilerplate and duplicate content from web corpora, PhD thesis, Masaryk
// University, 2011, chapter 5). It visits documents from the best rank to the worst. An
// n-gram of tokens is seen if a visited paragraph that was kept contains it. A paragraph is
// dropped if seen n-grams cover too large a share of its tokens, and so is a short rest
// between dropped paragraphs. [New] makes the method from a [Config].
//
// [Find] does this in memory. [New] returns the [dedup.Method], which does the
// same on any number of documents: n-grams go to sorted tables on disk, those
// that occur once vanish when the tables are merged, and the set of the seen
// ones is a bit for each of the others. docs/dedup-onion.md follows the code.
package onion

import (
	"fmt"

	"chaffinch/dedup"
	"chaffinch/dedup/shingle"
)

// name is the name of the method and the version of its behaviour.
const name = "onion/1"

// Unit is what is kept or dropped as a whole.
type Unit string

// The units.
const (
	Paragraph Unit = "paragraph"
	Document  Unit = "document"
)

// Rule says what happens to the template text of a host.
type Rule string

// The rules for template text.
const (
	First Rule = "first" // the best ranked page keeps it, as with all copies
	Drop  Rule = "drop"  // no page keeps it
	Keep  Rule = "keep"  // all pages keep it
)

// Config are the settings.
type Config struct {
	// Unit is what is dropped.
	Unit Unit `json:"unit"`
	// Ngram is the length of n-grams in tokens.
	Ngram int `json:"ngram" was:"N"`
	// Percent of the tokens of a unit that must be covered by seen n-grams for
	// the unit to go, at least; with Compat more than that.
	Percent float64 `json:"percent"`
	// Stub is the number of tokens up to which a rest between copies goes with
	// them (smoothing); 0 means that no rest goes.
	Stub int `json:"stub"`
	// Template is the number of pages of one host from which on a paragraph that
	// they share, numbers aside, is its template; 0 tells no template apart.
	Template int `json:"template"`
	// OnTemplate says what is done with it.
	OnTemplate Rule `json:"on_template"`
	// Compat decides as the original program (1.2) does: see [Compat].
	Compat bool `json:"compat"`
	// Tokens says what is a token and when two are the same. Its N is not used.
	Tokens shingle.Config `json:"tokens"`
}

// Default are the settings of the slides (n = 7, p = 50, smoothing) on words
// without regard to case, accents' encoding and punctuation.
var Default = Config{
	Unit: Paragraph, Ngram: 7, Percent: 50, Stub: 20, Template: 5, OnTemplate: First,
	Tokens: shingle.Config{Lower: true, Canonical: true, DropPunct: true, FoldTokens: true},
}

// Compat are the settings and corner cases of onion 1.2 (2014), for verticals:
// tokens are compared as they stand; more than half of a paragraph must have
// been seen; what stands earlier in the same document counts as seen even if it
// goes; and the edges of a document count as paragraphs that go, so that
// documents of at most 20 tokens vanish. Rank documents by their place in the
// input to have the first copy stay.
var Compat = Config{Unit: Paragraph, Ngram: 7, Percent: 50, Stub: 20, OnTemplate: First, Compat: true}

// maxN keeps places of n-grams within their range.
const maxN = 1 << 16

// Check fills in what may be left out and tells what is wrong.
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

// Verdict is what was found of a unit.
type Verdict struct {
	// Drop tells that it goes, and Why says what it is: [dedup.Unique],
	// [dedup.Copied], [dedup.Stub] or [dedup.Template]. Template text may stay.
	Drop bool
	Why  dedup.Why
	// Share is the share of its tokens that seen n-grams cover, 0 to 1.
	Share float32
	// First is the place in rank order, or for the method the number, of the
	// document where most of these n-grams were seen first, as far as a few of
	// them tell; -1 if none was.
	First int64
}

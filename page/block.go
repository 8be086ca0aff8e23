package page

import (
	"strings"
	"unicode/utf8"
)

// Kind is the type of a block in the layout of its page.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota // running text, also a bare div
	Heading               // h1 to h6
	Item                  // list item: li, dt, dd
	Cell                  // table cell
	Line                  // line of plain text
	Code                  // pre, listing, xmp, plaintext
)

var kindNames = [...]string{"paragraph", "heading", "item", "cell", "line", "code"}

// String returns the name that the output formats use, such as "heading".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the name of k.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Block is a unit of text as a reader sees it: a paragraph, a heading, a list item or a table
// cell.
type Block struct {
	// Text is the visible text. White space is collapsed, except in Code blocks.
	Text string
	Kind Kind
	// Level is 1 to 6 for headings, the nesting depth for list items, and 0 otherwise.
	Level uint8
	// Hidden reports whether the page hides the block: the hidden attribute, display:none or
	// visibility:hidden. The attribute aria-hidden alone does not hide a block.
	Hidden bool
	// Path is the chain of open elements, such as "html.body.div.p".
	Path string
	// Element is the index in Page.Elements of the innermost block or inline element that
	// contains the whole text. In plain text it is -1.
	Element int32
	// Start and End are the byte span in Page.HTML, from the first byte of the block's first
	// text to the byte after its last. Start ascends from block to block. Pages with
	// declarative shadow roots are an exception: their slots change the order of the text. Text
	// embedded in a script has a span inside that script.
	Start, End int
	// LinkChars is the number of characters (code points) of Text inside links.
	LinkChars int
	// Tags is the number of inline start tags inside the block.
	Tags int
	// Links counts links that begin in the block or contain its beginning. BoldChars counts
	// characters in bold. Breaks and Images count single line breaks and images between the
	// first and the last text of the block.
	Links, BoldChars, Breaks, Images int
	// ImagesAbove is the number of images between the previous block and this one, or inside
	// this one. Alt is the alternative text of the last of these images, with character
	// references not decoded.
	ImagesAbove int
	Alt         string
	// Row is the number of the block's row among the rows of all data tables, in page order and
	// from 1. Outside data tables it is 0. Column is the column of the cell, from 0, counting
	// only columns of the table that contain text.
	Row    int32
	Column uint16
	// Inline is the markup inside the block, ordered by Start, outer spans first. It is
	// recorded only if the extractor is configured to record it.
	Inline []Inline
	// Indent is the white space before the first line of a Code block. It is recorded together
	// with Inline.
	Indent string
	// Lang is the language of the text as a BCP 47 tag: "und" if it cannot be determined, "zxx"
	// for text in no language (addresses, code, numbers), "" before detection.
	Lang string
	// LangConfidence is the confidence in Lang, 0 to 1.
	LangConfidence float64
	// Repeats counts how often the block occurs on other pages of its site.
	Repeats Repeats
	// Verdict is the final decision on the block.
	Verdict
	// Verdicts holds one verdict for each method that judged the block, in the order of the
	// methods.
	Verdicts []Verdict
}

// Repeats counts the other pages of a site, out of Page.SitePages, that share text or position
// with a block.
type Repeats struct {
	// Text is the number of pages with a block of the same text. Path is the number of pages
	// with a block in the same elements. Both is the number of pages with the same text in the
	// same elements.
	Text, Path, Both uint16
}

// Chars returns the length of the text in characters (code points).
func (b *Block) Chars() int { return utf8.RuneCountInString(b.Text) }

// LinkDensity returns the share of characters inside links, 0 to 1.
func (b *Block) LinkDensity() float64 {
	n := b.Chars()
	if n == 0 {
		return 0
	}
	return float64(b.LinkChars) / float64(n)
}

// Label is the class that a method assigns to a block or a sentence.
type Label uint8

// The labels. Final labels are Good and Bad. NearGood and Short are the intermediate classes of
// jusText, assigned before the context is considered.
const (
	Unknown Label = iota
	Good
	NearGood
	Short
	Bad
)

var labelNames = [...]string{"unknown", "good", "neargood", "short", "bad"}

// String returns the name that the output formats use, such as "good".
func (l Label) String() string {
	if int(l) < len(labelNames) {
		return labelNames[l]
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the name of l.
func (l Label) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Keep reports whether text with label l is kept in the corpus.
func (l Label) Keep() bool { return l == Good || l == NearGood }

// Verdict is the decision of one method on one block.
type Verdict struct {
	// By is the name and behaviour version of the method, such as "justext/1".
	By    string
	Label Label
	// ContextFree is the label before neighbouring blocks were considered. It is Unknown for
	// methods that do not consider them.
	ContextFree Label
	// Role is the function of the block on its page, kept or not, if the method assigns one.
	Role Role
	// Score is the measure of the method, such as a perplexity.
	Score float64
	// Revealed is set if the method keeps the block although the page hides it.
	Revealed bool
	// Reason is a short explanation of the decision, such as "link density .83 > .20".
	Reason string
	// Sentences holds a label for each sentence if the method labels sentences. It is empty if
	// the label applies to the whole block.
	Sentences []Sentence
}

// Sentence is a labelled span of a block's text.
type Sentence struct {
	// Start and End are the byte span in Block.Text.
	Start, End int
	Label      Label
	Score      float64
}

// Kept returns the text of b that is kept in the corpus: the whole text, the kept sentences, or
// "". Two kept sentences are joined by a line break if the text between them contains one,
// otherwise by a blank.
func (b *Block) Kept() string {
	if !b.Label.Keep() {
		return ""
	}
	kept, n := 0, 0
	for _, s := range b.Sentences {
		if s.Label.Keep() {
			kept++
			n += s.End - s.Start + 1
		}
	}
	if kept == len(b.Sentences) {
		return b.Text
	}
	out := make([]byte, 0, n)
	last := 0
	for _, s := range b.Sentences {
		if !s.Label.Keep() {
			continue
		}
		if len(out) > 0 {
			gap := byte(' ')
			if strings.Contains(b.Text[last:s.Start], "\n") {
				gap = '\n'
			}
			out = append(out, gap)
		}
		out = append(out, b.Text[s.Start:s.End]...)
		last = s.End
	}
	return string(out)
}

package page

import (
	"strings"
	"unicode/utf8"
)

// Kind is what a block is in the layout of its page.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota // running text, also a bare div
	Heading               // h1 to h6
	Item                  // an item of a list: li, dt, dd
	Cell                  // a cell of a table
	Line                  // a line of plain text
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

// MarshalText writes the name of k.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Block is a stretch of text that a reader sees as one: a paragraph, a
// heading, an item, a cell.
type Block struct {
	// Text is the visible text with white space collapsed; in Code blocks it
	// stays as it is.
	Text string
	Kind Kind
	// Level is 1 to 6 for headings and the depth of nesting for list items,
	// else 0.
	Level uint8
	// Hidden tells that the page does not show the block (the hidden
	// attribute, display:none, visibility:hidden, aria-hidden is not enough).
	Hidden bool
	// Path is the chain of open elements, such as "html.body.div.p".
	Path string
	// Element is the index in Page.Elements of the innermost element, block or
	// inline, that holds all of the text; -1 in plain text.
	Element int32
	// Start and End are the byte span in Page.HTML, from the first byte of
	// the block's first text to the byte after its last. Starts ascend from block
	// to block, except in pages with declarative shadow roots, whose slots show
	// text in another order than the source. Text embedded in a script has spans
	// inside that script.
	Start, End int
	// LinkChars is the number of characters (code points) of Text inside
	// links.
	LinkChars int
	// Tags is the number of inline start tags inside the block.
	Tags int
	// Links is the number of links that begin in the block or hold its
	// beginning, BoldChars the number of characters in bold, Breaks of single
	// line breaks and Images of images between its first and its last text.
	Links, BoldChars, Breaks, Images int
	// ImagesAbove is the number of images between the block before and this one, or
	// inside that; Alt is the text that stands for the last of them, character
	// references not decoded.
	ImagesAbove int
	Alt         string
	// Row numbers the row of a data table that the block stands in, in page
	// order and from 1; 0 elsewhere. Column is that of its cell, from 0, among
	// the columns of the table that hold text.
	Row    int32
	Column uint16
	// Inline is the markup inside the block in the order of Start, outer spans
	// first; recorded if the extractor is told to.
	Inline []Inline
	// Indent is the white space before the first line of a Code block;
	// recorded together with Inline.
	Indent string
	// Lang is the language of the text as a BCP 47 tag, "und" if it cannot be
	// told, "zxx" if it is none (addresses, code, numbers), "" if nobody looked.
	Lang string
	// LangConfidence is how sure Lang is, 0 to 1.
	LangConfidence float64
	// Repeats tells what of the block stands on other pages of its site.
	Repeats Repeats
	// Verdict is the decision.
	Verdict
	// Verdicts holds one verdict for each method that looked at the block, in
	// the order of the methods.
	Verdicts []Verdict
}

// Repeats counts the other pages of a site, of Page.SitePages, that have something
// in common with a block.
type Repeats struct {
	// Text is the number of pages with a block of the same text, Path of those with
	// a block in the same elements, and Both of those with the same text in the same
	// elements.
	Text, Path, Both uint16
}

// Chars returns the length of the text in characters (code points).
func (b *Block) Chars() int { return utf8.RuneCountInString(b.Text) }

// LinkDensity returns the share of the characters that stand in links, 0 to 1.
func (b *Block) LinkDensity() float64 {
	n := b.Chars()
	if n == 0 {
		return 0
	}
	return float64(b.LinkChars) / float64(n)
}

// Label is the class that a method gives to a block or a sentence.
type Label uint8

// The labels. Final labels are Good and Bad; NearGood and Short are classes
// that jusText gives before it looks at the context.
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

// MarshalText writes the name of l.
func (l Label) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Keep reports whether text with this label goes into the corpus.
func (l Label) Keep() bool { return l == Good || l == NearGood }

// Verdict is what one method says of one block.
type Verdict struct {
	// By is the name and behaviour version of the method, such as "justext/1".
	By    string
	Label Label
	// ContextFree is the label before the neighbours were looked at, Unknown
	// for methods that do not look at them.
	ContextFree Label
	// Role is what the block is on its page, kept or not, where the method tells
	// it.
	Role Role
	// Score is the method's own measure, such as a perplexity.
	Score float64
	// Why says in a few words what decided, such as "link density .83 > .20".
	Why string
	// Sentences holds the labels of the sentences where the method labels
	// them one by one; empty where the label holds for the whole block.
	Sentences []Sentence
}

// Sentence is a labelled span of a block's text.
type Sentence struct {
	// Start and End are the byte span in Block.Text.
	Start, End int
	Label      Label
	Score      float64
}

// Kept returns the text of b that goes into the corpus: all of it, the kept
// sentences, or "". Between two sentences stands a line break where the text
// between them has one, else a blank.
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

// Package records reads and rewrites collections of clean text: JSONL, plain text, vertical
// files and the other outputs of the cleaner. [Open] opens a collection, and [Reader.Next]
// returns one [Doc] after the other, each with its paragraphs and their byte spans in the file.
//
// A processing step records its results in an [Edit]. A [Writer] writes the document without
// the dropped parts, or with the results as annotations. Unedited parts are written byte for
// byte.
//
// Unstable: this package may change in any release.
package records

import "chaffinch/page"

// Doc is one document of a collection. It and its memory belong to the Reader that returned it,
// until it is released.
type Doc struct {
	// Num is the number of the document in the input, from 0.
	Num int64
	// ID identifies the document: its field or attribute "id", otherwise file and position.
	ID string
	// URL is the address that the document was fetched from, "" if unknown.
	URL string
	// Date is the day or time of the crawl as RFC 3339, otherwise the date of the document, ""
	// if unknown.
	Date string
	// Lang is the language as a canonical BCP 47 tag, "" if unknown.
	Lang string
	// License is the licence as stated, "" if unknown.
	License string
	// Optout lists statements against the use of the document, as in [page.Metadata.Optout].
	Optout string
	// Translated names marks of machine translation, as in [page.Metadata.Translated].
	Translated string
	// PageType is the type of the page, as in [page.Page.Type].
	PageType string
	// Source is the position of the document in the input.
	Source page.Source
	// Raw is the complete record of the uncompressed input, with the line end or empty line
	// that terminates it.
	Raw []byte
	// Paras are the paragraphs in order.
	Paras []Para
	// Tokenized reports whether the text of each paragraph consists of tokens, one per line, as
	// in a vertical file. Otherwise it is running text without line breaks.
	Tokenized bool

	format Format
	place  place
	most   int     // maximum number of paragraphs; 0 is no limit
	over   bool    // whether there are more paragraphs
	text   []byte  // texts of the paragraphs
	glue   []int32 // of all paragraphs
	meta   []byte  // strings while they are collected
}

// Memory returns the approximate memory in bytes of d and the results of processing it, for a
// budget of documents in flight.
func (d *Doc) Memory() int64 { return int64(3*len(d.Raw) + 128*len(d.Paras) + 512) }

// add appends a paragraph, unless d has too many.
func (d *Doc) add(p Para) {
	if d.over = d.over || d.most > 0 && len(d.Paras) == d.most; !d.over {
		d.Paras = append(d.Paras, p)
	}
}

// Format returns the format of the record.
func (d *Doc) Format() Format { return d.format }

// place holds the data about a record, besides the paragraphs, that a Writer needs.
type place struct {
	// head is a byte offset in Doc.Raw: in JSON the end of the last value, in a vertical file
	// the end of the line with the document's tag.
	head int
	// text is the start of the text in JSON, end its end.
	text, end int
	// elements reports whether the paragraphs are elements of a JSON array. last is the end of
	// the last element.
	elements bool
	last     int
	// folder reports whether the document is a complete file of a folder.
	folder bool
	// docName and paraName are the names of the structures of a vertical file.
	docName, paraName string
}

// Para is one paragraph of a document.
type Para struct {
	// Text is the text as UTF-8 with the format's escapes decoded.
	Text []byte
	// Start and End are the span of Doc.Raw that is removed if the paragraph is dropped.
	Start, End int

	// glue holds the numbers, from 0, of the line ends in Text at which tokens are glued
	// (<g/>).
	glue       []int32
	from, stop int // span of the text in Raw, without separators
}

// Edit is the result of a processing step for a document.
type Edit struct {
	// Drop omits the whole document.
	Drop bool
	// Attrs are the attributes that an annotating Writer adds to the document.
	Attrs []Attr
	// Paras are the edits of the paragraphs, either one per paragraph or none.
	Paras []ParaEdit
	// Joined removes the empty lines between paragraphs of running text.
	Joined bool
}

// ParaEdit is the result of a processing step for a paragraph.
type ParaEdit struct {
	Drop  bool
	Attrs []Attr
	// Replace replaces the text of the paragraph by Text. A Writer that annotates keeps the
	// original text. See [Doc.Replaceable].
	Replace bool
	Text    string
}

// Attr is an annotation: a field of a JSON object, an attribute of a tag, or a column.
type Attr struct {
	Name, Value string
	// Number reports whether Value is a decimal number. JSON writes it without quotes.
	Number bool
}

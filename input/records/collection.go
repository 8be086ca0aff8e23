// Package records reads and rewrites collections of clean text: JSONL, plain
// text, verticals and the other outputs of the cleaner, one [Doc] after the
// other, each with its paragraphs and the bytes that they take in the file. What
// a later step finds out about a document goes into an [Edit], and a Writer
// gives the document back without what was dropped, or with all that was found
// written beside it. What no edit touches comes back byte for byte.
//
// Unstable: this package may change in any release.
package records

import "chaffinch/page"

// Doc is one document of a collection. It and its memory belong to the Reader
// that returned it, until it is released.
type Doc struct {
	// Num is the place of the document in the input, from 0.
	Num int64
	// ID names the document: its field or attribute "id", else file and place.
	ID string
	// URL is the address that it was fetched from, "" if not known.
	URL string
	// Date is the day or time of the crawl as RFC 3339, else that of the
	// document, "" if not known.
	Date string
	// Lang is its language as a BCP 47 tag, "" if not known.
	Lang string
	// License is its licence as stated, "" if not known.
	License string
	// Optout is what was said against its use, as [page.Metadata.Optout] has it.
	Optout string
	// Translated names marks of machine translation, as [page.Metadata.Translated]
	// does.
	Translated string
	// Source tells where it stands.
	Source page.Source
	// Raw is the record as it stands in the unpacked input, whole, with the line
	// end or empty line that closes it.
	Raw []byte
	// Paras are its paragraphs in order.
	Paras []Para
	// Tokenized tells that the text of each paragraph is tokens, one per line, as
	// in a vertical. Else it is running text without line breaks.
	Tokenized bool

	format Format
	place  place
	most   int     // paragraphs that are taken; 0 is no limit
	over   bool    // it has more
	text   []byte  // holds the texts of the paragraphs
	glue   []int32 // of all paragraphs
	meta   []byte  // holds the strings while they are collected
}

// Memory returns about how many bytes of memory d takes, with what a step makes of its
// text: for a budget of documents in flight.
func (d *Doc) Memory() int64 { return int64(3*len(d.Raw) + 128*len(d.Paras) + 512) }

// add appends a paragraph, unless d has too many.
func (d *Doc) add(p Para) {
	if d.over = d.over || d.most > 0 && len(d.Paras) == d.most; !d.over {
		d.Paras = append(d.Paras, p)
	}
}

// Format returns the format of the record.
func (d *Doc) Format() Format { return d.format }

// place is what a Writer needs to know about a record beside the paragraphs.
type place struct {
	// head is a byte offset in Doc.Raw: of JSON the end of the last value, of a
	// vertical that of the line of the document's tag.
	head int
	// text is where the text begins in JSON, end where it ends.
	text, end int
	// elements tells that the paragraphs are elements of a JSON array, and last
	// is where the last one ends.
	elements bool
	last     int
	// folder tells that the document is a whole file of a folder.
	folder bool
	// docName and paraName are the names of the structures of a vertical.
	docName, paraName string
}

// Para is one paragraph of a document.
type Para struct {
	// Text is UTF-8, escapes of the format decoded.
	Text []byte
	// Start and End are the bytes of Doc.Raw that go if the paragraph goes.
	Start, End int

	// glue are the numbers of the line ends in Text, from 0, at which tokens stand together
	// (<g/>).
	glue       []int32
	from, stop int // of the text within Raw, without what parts it from its neighbours
}

// Edit is what a step wants done with a document.
type Edit struct {
	// Drop leaves the whole document out.
	Drop bool
	// Attrs are written beside the document by a Writer that annotates.
	Attrs []Attr
	// Paras are the edits of its paragraphs, one for each, or none at all.
	Paras []ParaEdit
	// Joined leaves out the empty lines between paragraphs of running text.
	Joined bool
}

// ParaEdit is what a step wants done with a paragraph.
type ParaEdit struct {
	Drop  bool
	Attrs []Attr
	// Replace puts Text in the place of that of the paragraph; a Writer that
	// annotates leaves it as it is. See [Doc.Replaceable].
	Replace bool
	Text    string
}

// Attr is one finding to be written: a field of a JSON object, an attribute of
// a tag, a column.
type Attr struct {
	Name, Value string
	// Number tells that Value is a decimal number: JSON writes it without
	// quotes.
	Number bool
}

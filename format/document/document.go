// Package document defines the result of reading documents that are not web pages, such as PDF,
// DOCX, EPUB or mail. A reader converts a document to HTML with the structure that the document
// states; after that, it is segmented and labelled like a web page. [Builder] writes the HTML.
//
// HTML has no elements for some parts of documents. They have roles of DPUB-ARIA 1.1 in the
// attribute role: [PageHeader], [PageFooter], [PageBreak], [Footnote], [Bibliography], [Contents].
// Others have classes: [Byline], and in mail [Quote], [Signature], [Fields].
//
// Unstable: this package may change in any release.
package document

import (
	"time"

	"chaffinch/page"
)

// Values of the attribute role, from DPUB-ARIA 1.1.
const (
	PageHeader   = "doc-pageheader"   // running heads, repeated above the text of pages
	PageFooter   = "doc-pagefooter"   // running feet and page numbers
	PageBreak    = "doc-pagebreak"    // begin of a page; its id is "page-N", N from 1
	Footnote     = "doc-footnote"     // footnotes and endnotes
	NoteRef      = "doc-noteref"      // references to them
	Bibliography = "doc-bibliography" // list of references
	Contents     = "doc-toc"          // table of contents, index
)

// Values of the attribute class for parts that DPUB-ARIA has no roles for.
const (
	Byline    = "byline"    // author, date and institution on a title page
	Quote     = "quote"     // text of an earlier message, on a blockquote
	Signature = "signature" // text after the mark of signatures
	Fields    = "fields"    // header fields, with the line that introduces a quote
)

// Document is a document converted to HTML.
type Document struct {
	// HTML is a document in UTF-8. Its head contains the metadata of the document as title and
	// meta elements, and the attribute lang of html its language.
	HTML string
	// Drop is the reason why no text was read; [page.None] otherwise.
	Drop page.Reason
	// Cut is the reason why only a part was read; [page.None] if all of it was read.
	Cut page.Reason
	// Notes are measurements of the document.
	Notes []page.Note
}

// Limits bound the work on a document. Readers apply [Limits.WithDefaults].
type Limits struct {
	// MaxHTML is the most bytes of HTML that are written. Default: 16 MiB.
	MaxHTML int `json:"max_html"`
	// MaxUnpacked is the most bytes that the parts of a document unpack to. Default: 256 MiB.
	MaxUnpacked int64 `json:"max_unpacked"`
	// MaxPages is the most pages of a document with pages that are read. Default: 2,000.
	MaxPages int `json:"max_pages"`
	// MaxTime is the most time for the pages of a document; 0 for no limit. Like
	// extract.Config.MaxTime, it depends on the machine. Default: 20 s.
	MaxTime time.Duration `json:"max_time"`
}

// WithDefaults returns the limits with the values of [Default] for limits that are not positive,
// except MaxTime.
func (l Limits) WithDefaults() Limits {
	if l.MaxHTML <= 0 {
		l.MaxHTML = Default.MaxHTML
	}
	if l.MaxUnpacked <= 0 {
		l.MaxUnpacked = Default.MaxUnpacked
	}
	if l.MaxPages <= 0 {
		l.MaxPages = Default.MaxPages
	}
	return l
}

// Default holds the limits for documents of web crawls.
var Default = Limits{MaxHTML: 16 << 20, MaxUnpacked: 256 << 20, MaxPages: 2000, MaxTime: 20 * time.Second}

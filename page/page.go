// Package page defines the data model that all other packages share: a [Page] with its [Block]s
// in page order, the decision on each block ([Verdict]), and the reason for dropping a page
// ([Reason]). It imports no other package of Chaffinch and contains no algorithm. Start at
// [Page] and [Block].
//
// Stages add data and never delete it. A dropped page or block stays in the Page with its
// reason; only writers omit it.
package page

// Page is one fetched document on its way through the pipeline.
type Page struct {
	// ID identifies the page and never changes. It is the path of the file, the WARC record id,
	// or the "id" field of a JSON line.
	ID string
	// URL is the address that the page was fetched from, if known.
	URL string
	// Raw holds the fetched bytes after transfer and content codings are undone. No stage
	// overwrites Raw. Its owner must not change it while the page is in use, because HTML may
	// share its memory.
	Raw []byte
	// MIME is the media type without parameters, such as "text/html" or "text/plain". It is
	// sniffed if the source states none.
	MIME string
	// Format is the name of the format of a document that is converted to HTML, such as "pdf";
	// "" for HTML and plain text.
	Format string
	// HTTPCharset is the charset parameter of the HTTP header, verbatim.
	HTTPCharset string
	// Source identifies the origin of the bytes.
	Source Source
	// HTML is the input decoded to UTF-8. The byte spans of the blocks refer to it. For plain
	// text it is the text.
	HTML string
	// Charset is the canonical (WHATWG) name of the encoding that Raw was
	// decoded from, "" before decoding.
	Charset string
	// Lang is the language of the text as a BCP 47 tag: "" before detection, [UnknownLang] if
	// detection found no language.
	Lang string
	// LangConfidence is the confidence in Lang, 0 to 1; 0 if it was not measured.
	LangConfidence float64
	// Langs are the languages of the blocks that count, the largest share first. It is set if
	// the languages of blocks are.
	Langs []LangShare
	// Stated holds content that the page states in addition to its visible text. It is set
	// regardless of Meta.
	Stated Stated
	// Meta is the page's own metadata.
	Meta Metadata
	// Fields are the fields of the input record that no other field of Page holds. They pass
	// through all stages to the output formats that have fields.
	Fields []Field
	// Elements are the elements that contain blocks, parents before children. It is empty for
	// plain text.
	Elements []Element
	// Blocks are in page order. They are labelled, never deleted.
	Blocks []Block
	// Links are all links in page order, including links without text and links that the page
	// does not show. Base is the address of the first base element, against which links are
	// resolved; "" without one. Both are recorded if extract.Config.Links is set.
	Links []Hyperlink
	Base  string
	// Images are the images between blocks, in page order. They are recorded together with
	// Block.Inline.
	Images []Image
	// ImageElements are elements that contain images but no text. Their indices, also in the
	// field Parent, continue the indices of Elements.
	ImageElements []Element
	// SitePages is the number of other pages of the site that Block.Repeats counts; 0 if
	// repeats were not counted.
	SitePages int
	// Confidence is the probability that the labels of the blocks are good. Good means that the
	// kept text has a word F above .9 against text that people would keep. It is 0 if the
	// method does not estimate it.
	Confidence float64
	// ConfidencePolicy is the policy that Confidence is about, such as "body": the policy by
	// which the page was labelled, see [Roles.Policy]. It is "" without a confidence.
	ConfidencePolicy string
	// Type is the estimated type of the page, one of [Types]; "" if the method does not
	// estimate it.
	Type string
	// TypeConfidence is the probability of Type, 0 to 1.
	TypeConfidence float64
	// Registers are the registers of the text, such as "NA" and "NA/ne": the codes of CORE. A
	// sub-register follows its main register. It is nil if they were not requested.
	Registers []string
	// Drop is the reason why the page was dropped; None for a kept page.
	Drop Reason
	// Rule describes the limit that a page dropped as [Filtered] exceeded: the score, its value
	// and the limit, such as "gopher_quality.words 12 < 50".
	Rule string
	// Cut is the reason why only a part of the page was read; None if all of it was read.
	Cut Reason
	// Notes are measurements of the whole page.
	Notes []Note
}

// Types lists the types of pages.
var Types = []string{"article", "collection", "documentation", "forum", "listing", "product", "service"}

// UnknownLang is the language tag of text whose language was not found.
const UnknownLang = "und"

// KnownLang returns the language of the page. It returns "" if the language is unknown, with or
// without detection.
func (p *Page) KnownLang() string {
	if p.Lang == UnknownLang {
		return ""
	}
	return p.Lang
}

// Field is a named value of an input record.
type Field struct {
	// Name is the field's name in the record, verbatim. Value is its value as JSON.
	Name, Value string
}

// Element is an element of a page that contains text.
type Element struct {
	// Parent is the index in Page.Elements of the enclosing element, -1 for the outermost.
	Parent int32
	// Start is the byte offset of the start tag in Page.HTML, -1 if the page omits the tag.
	Start int32
	// Name is the name of the element in lower case, such as "div".
	Name string
	// Class, ID, Role and ItemProp are attribute values, verbatim and with character references
	// not decoded; "" if missing.
	Class, ID, Role, ItemProp string
	// Number is the number shown by an item of an ordered list (li), 0 for other elements. It
	// is recorded together with Block.Inline.
	Number int32
	// Place is the position of a cell in its table. It is set for td and th, and for elements
	// that are cells of a data table by role or class.
	Place Place
	// Data reports whether an element is a table whose rows and columns have meaning, as
	// opposed to a layout table.
	Data bool
}

// Hyperlink is a reference from an element of a page to an address.
type Hyperlink struct {
	// Element is "a", "area", "link", "iframe", "frame", or "meta" for a refresh (http-equiv).
	Element string
	// URL is the address as written on the page, possibly relative, without surrounding white
	// space.
	URL string
	// Rel and Lang are the attributes rel and hreflang, verbatim.
	Rel, Lang string
	// Type is the attribute type of a "link", verbatim: the media type of its target.
	Type string
	// Start is the byte offset of the start tag in Page.HTML.
	Start int32
}

// LangShare is the share of a page that is in one language.
type LangShare struct {
	Lang string `json:"lang"`
	// Share is the share of characters, 0 to 1.
	Share float64 `json:"share"`
}

// Place is the position of a cell in its table. Cells without text count, so that all cells of
// a column have the same Col.
type Place struct {
	// Col is the first column, from 0. ColSpan and RowSpan are the numbers of columns and rows
	// that the cell spans, at least 1.
	Col, ColSpan, RowSpan uint16
}

// Source identifies the origin of a page, so that every kept sentence can be traced.
type Source struct {
	// File is the input file as named by the user, "-" for standard input.
	File string `json:"file,omitempty"`
	// Offset is the byte offset of the record in File. In a compressed file it is the offset of
	// the member or frame that contains the record.
	Offset int64 `json:"offset"`
	// Record is the WARC record id or the line number, if any.
	Record string `json:"record,omitempty"`
	// Type is the WARC record type, if any.
	Type string `json:"type,omitempty"`
}

// Stated holds the content that a page states in addition to its visible text, in page order.
type Stated struct {
	// Title is the content of the first title element with text. Canonical is the address of
	// the first canonical link. Character references are not decoded.
	Title, Canonical string
	// Titles, Descriptions, Authors and Dates are the values in meta elements and JSON-LD:
	// titles of the content, summaries and decks, names of authors, dates of publication and
	// modification.
	Titles, Descriptions, Authors, Dates []string
	// Langs are the declared languages other than Metadata.Lang, verbatim.
	Langs []string
	// Text is the running text that JSON-LD repeats (articleBody), often truncated.
	Text string
}

// Metadata is a page's own metadata.
type Metadata struct {
	Title string `json:"title,omitempty"`
	// Authors are the names of the authors, in the order of the page.
	Authors []string `json:"authors,omitempty"`
	// Lang is the declared language (html lang, meta or header), verbatim.
	Lang string `json:"lang,omitempty"`
	// Date is the date of publication, otherwise the date of the last change, as an RFC 3339
	// date or date-time.
	Date string `json:"date,omitempty"`
	// Modified is the date of the last change, in the same form.
	Modified string `json:"modified,omitempty"`
	// Fetched is the time of the crawl as RFC 3339, if the source records it.
	Fetched string `json:"fetched,omitempty"`
	// Canonical is the canonical URL that the page declares.
	Canonical string `json:"canonical,omitempty"`
	// Site is the name of the site.
	Site string `json:"site,omitempty"`
	// Description is the summary in the page's head.
	Description string `json:"description,omitempty"`
	// License is the licence. Creative Commons licences are normalized ("CC BY-SA 4.0"); others
	// are kept verbatim, as text or address.
	License string `json:"license,omitempty"`
	// Optout lists statements of the page or its server against use of the page, each with its
	// place: "meta robots: noindex, X-Robots-Tag: noai".
	Optout string `json:"optout,omitempty"`
	// Translated names the marks of machine translation in the page: "Google Translate, plugin
	// GTranslate".
	Translated string `json:"translated,omitempty"`
	// Categories are the sections of the site that contain the page. Tags are the keywords of
	// the page.
	Categories []string `json:"categories,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	// Image is the address of the main image.
	Image string `json:"image,omitempty"`
	// Type is the schema.org type ("NewsArticle") or OpenGraph type ("article").
	Type string `json:"type,omitempty"`
}

// Note is one measurement of a page.
type Note struct {
	By    string  `json:"by"`
	What  string  `json:"what"`
	Value float64 `json:"value"`
}

// OCR is the class of elements whose text was recognised in an image, and the name of the note
// with the number of such pages in a document.
const OCR = "ocr"

// IsOCR reports whether the text of a block was recognised in an image.
func (p *Page) IsOCR(b *Block) bool {
	if p.Format == "" {
		return false
	}
	for i := b.Element; i >= 0; i = p.Elements[i].Parent {
		if p.Elements[i].Class == OCR {
			return true
		}
	}
	return false
}

// Package page is the model that all other packages share: a [Page] with its [Block]s in
// page order, the decision on each ([Verdict]), and its reason ([Reason]). It imports no
// other package of Chaffinch and holds no algorithm. Start at [Page] and [Block].
//
// Stages add and never delete: a dropped page or block stays in the Page with
// its reason, and only writers leave it out.
package page

// Page is one fetched document on its way through the pipeline.
type Page struct {
	// ID names the page and never changes: the file's path, the WARC record
	// id, or the "id" field of a JSON line.
	ID string
	// URL is the address that the page was fetched from, if known.
	URL string
	// Raw holds the bytes as fetched, after transfer and content codings. No
	// stage overwrites it, and its owner must not as long as the page is in
	// use: HTML may share its memory.
	Raw []byte
	// MIME is the media type without parameters, sniffed where the source
	// states none: "text/html", "text/plain", ...
	MIME string
	// HTTPCharset is the charset parameter of the HTTP header, as stated.
	HTTPCharset string
	// Source tells where the bytes came from.
	Source Source
	// HTML is the input decoded to UTF-8; the byte spans of the blocks point
	// into it. For plain text it is the text.
	HTML string
	// Charset is the canonical (WHATWG) name of the encoding that Raw was
	// decoded from, "" before decoding.
	Charset string
	// Lang is the language of the text as a BCP 47 tag: "" before detection,
	// [UnknownLang] if detection found none.
	Lang string
	// LangConfidence is how sure Lang is, 0 to 1; 0 if nothing measured it.
	LangConfidence float64
	// Langs are the languages of the blocks that count, the largest share
	// first; filled where the blocks' languages are.
	Langs []LangShare
	// Stated is what the page states of its content beside the text. It is filled
	// whether or not Meta is.
	Stated Stated
	// Meta is what the page says of itself.
	Meta Metadata
	// Fields are those that the record of the page had and no other field of Page
	// holds: they pass through all stages to the formats that have fields.
	Fields []Field
	// Elements are the elements of the page that hold its blocks, parents
	// before what stands in them; none in plain text.
	Elements []Element
	// Blocks are in page order: labelled, never deleted.
	Blocks []Block
	// Links are all links of the page, in page order, also those without text or that
	// the page does not show, and Base is the address that its first base element has
	// them begin at, "" without one; recorded with extract.Config.Links.
	Links []Hyperlink
	Base  string
	// Images are those that stand alone between blocks, in page order; recorded
	// together with Block.Inline.
	Images []Image
	// ImageElements are elements that hold images but no text. Their indices
	// follow those of Elements, in their Parent too.
	ImageElements []Element
	// SitePages is the number of other pages of its site on which Block.Repeats
	// counts, 0 if nobody counted.
	SitePages int
	// Confidence is how likely the labels of the blocks are good: that what is kept has a
	// word F above .9 against what people would keep. 0 if the method does not tell.
	Confidence float64
	// Drop tells why the page left the corpus; None for a kept page.
	Drop Reason
	// Rule is the score, its value and the limit that a page broke which left as
	// [Filtered], such as "gopher_quality.words 12 < 50".
	Rule string
	// Cut tells why only a part of the page was read; None if it was read whole.
	Cut Reason
	// Notes are measurements of the whole page.
	Notes []Note
}

// UnknownLang is the tag of a text whose language was not found.
const UnknownLang = "und"

// KnownLang returns the language of the page, "" if it is not known, whether or
// not detection was tried.
func (p *Page) KnownLang() string {
	if p.Lang == UnknownLang {
		return ""
	}
	return p.Lang
}

// Field is a named value that came with a page.
type Field struct {
	// Name is as it stood in the record, Value its value as JSON.
	Name, Value string
}

// Element is an element of the page that holds text.
type Element struct {
	// Parent is the index in Page.Elements of the element around it, -1 for
	// the outermost.
	Parent int32
	// Start is the byte offset of its start tag in Page.HTML, -1 if the page
	// does not write one.
	Start int32
	// Name is the name of the element in lower case, such as "div".
	Name string
	// Class, ID, Role and ItemProp are values of attributes as they stand in
	// the page, character references not decoded; "" where there is none.
	Class, ID, Role, ItemProp string
	// Number is what an item of an ordered list (li) shows, 0 elsewhere.
	// Recorded together with Block.Inline.
	Number int32
	// Place is that of a cell in its table: of td and th, and of what is a cell
	// by its role or class where the table holds data.
	Place Place
	// Data tells of a table that its rows and columns mean something: it does
	// not only place things on the page.
	Data bool
}

// Hyperlink is what a page refers to by an element of its own.
type Hyperlink struct {
	// Element is "a", "area", "link", "iframe", "frame", or "meta" for a refresh
	// (http-equiv).
	Element string
	// URL is the address as the page writes it, relative perhaps, without white
	// space around it.
	URL string
	// Rel and Lang are the attributes rel and hreflang, as they stand.
	Rel, Lang string
	// Start is the byte offset of the start tag in Page.HTML.
	Start int32
}

// LangShare is the part of a page that is in one language.
type LangShare struct {
	Lang string `json:"lang"`
	// Share is that of the characters, 0 to 1.
	Share float64 `json:"share"`
}

// Place is where a cell stands in its table. Cells without text count, so that
// those of a column have the same Col.
type Place struct {
	// Col is the first column, from 0; ColSpan and RowSpan are the numbers of
	// columns and rows that the cell takes, at least 1.
	Col, ColSpan, RowSpan uint16
}

// Source tells where a page came from, so that every kept sentence can be
// traced.
type Source struct {
	// File is the input file as the user named it, "-" for standard input.
	File string `json:"file,omitempty"`
	// Offset is the byte offset of the record in File; in a compressed file
	// that of the member or frame that holds it.
	Offset int64 `json:"offset"`
	// Record is the WARC record id or the number of the line, if any.
	Record string `json:"record,omitempty"`
	// Type is the WARC record type, if any.
	Type string `json:"type,omitempty"`
}

// Stated is what a page states of its content beside the text that it shows, in
// the order of the page.
type Stated struct {
	// Title is the content of the first title element with text, Canonical the
	// address of the first canonical link; character references are not decoded.
	Title, Canonical string
	// Titles, Descriptions, Authors and Dates are what meta elements and JSON-LD
	// say: names of the content, summaries and decks, names of those who wrote it,
	// days of publication and of changes.
	Titles, Descriptions, Authors, Dates []string
	// Text is the running text that JSON-LD repeats (articleBody), often cut short.
	Text string
}

// Metadata is what a page says of itself.
type Metadata struct {
	Title string `json:"title,omitempty"`
	// Authors are the names of those who wrote the page, in the order given.
	Authors []string `json:"authors,omitempty"`
	// Lang is the declared language (html lang, meta or header), as stated.
	Lang string `json:"lang,omitempty"`
	// Date is the date of publication, else that of the last change, as
	// RFC 3339 date or date-time.
	Date string `json:"date,omitempty"`
	// Modified is the date of the last change, in the same form.
	Modified string `json:"modified,omitempty"`
	// Fetched is the time of the crawl as RFC 3339, if the source has it.
	Fetched string `json:"fetched,omitempty"`
	// Canonical is the URL that the page calls its own.
	Canonical string `json:"canonical,omitempty"`
	// Site is the name of the site.
	Site string `json:"site,omitempty"`
	// Description is the summary in the page's head.
	Description string `json:"description,omitempty"`
	// License is the licence: "CC BY-SA 4.0" for those of Creative Commons, else
	// as stated, text or address.
	License string `json:"license,omitempty"`
	// Optout is what the page or its server says against its use, each statement
	// with its place: "meta robots: noindex, X-Robots-Tag: noai".
	Optout string `json:"optout,omitempty"`
	// Translated names the marks of machine translation in the page: "Google
	// Translate, plugin GTranslate".
	Translated string `json:"translated,omitempty"`
	// Categories are the sections of the site that the page stands in, Tags its
	// keywords.
	Categories []string `json:"categories,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	// Image is the address of the main image.
	Image string `json:"image,omitempty"`
	// Type is the type by schema.org ("NewsArticle") or OpenGraph ("article").
	Type string `json:"type,omitempty"`
}

// Note is one measurement of a page.
type Note struct {
	By    string  `json:"by"`
	What  string  `json:"what"`
	Value float64 `json:"value"`
}

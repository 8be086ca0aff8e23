// Package markdown writes pages as Markdown: CommonMark 0.31 with the tables and the
// strikethrough of GitHub Flavored Markdown. Text of a page that would read as markup is
// escaped, other text is not. See docs/formats/markdown.md. [Encoder.Append] writes a page,
// [Page] reads a document.
package markdown

import (
	"chaffinch/internal/layout"
	"chaffinch/page"
)

// Encoder writes the kept text of kept pages, with the markup that the extractor
// recorded (extract.Config.Inline). The zero value writes all markup and no
// metadata.
type Encoder struct {
	// Without is the markup that is left out.
	Without page.Features
	// FrontMatter begins each page with its metadata as YAML.
	FrontMatter bool
}

// Append appends p to dst; nothing for a page without kept text.
func (e Encoder) Append(dst []byte, p *page.Page) []byte {
	notes := layout.FindNotes(p)
	nodes := layout.Of(p, layout.Config{Without: e.Without, Notes: notes, Callouts: true})
	if len(nodes) == 0 {
		return dst
	}
	if e.FrontMatter {
		dst = frontMatter(dst, p)
	}
	w := writer{dst: dst, p: p, without: e.Without, line: inline{notes: notes}}
	w.page(nodes)
	return w.dst
}

// IgnoresLang tells that the language of the page is not written.
func (e Encoder) IgnoresLang() bool { return !e.FrontMatter }

// Frame returns what stands before, between and after the pages of one stream:
// a rule between them.
func (e Encoder) Frame() (head, between, tail string) { return "", "\n* * *\n\n", "" }

// writer writes one page.
type writer struct {
	dst     []byte
	p       *page.Page
	without page.Features
	head    string // what the next line begins with, "" for prefix
	prefix  string // what lines begin with inside items and quotes
	label   string // of the footnote whose first block comes next
	line    inline
}

// begin begins a line.
func (w *writer) begin() {
	if w.head != "" {
		w.dst = append(w.dst, w.head...)
		w.head = ""
		return
	}
	w.dst = append(w.dst, w.prefix...)
}

// end ends a line.
func (w *writer) end() { w.dst = append(w.dst, '\n') }

// blank writes an empty line.
func (w *writer) blank() {
	w.begin()
	for n := len(w.dst); n > 0 && w.dst[n-1] == ' '; n-- {
		w.dst = w.dst[:n-1]
	}
	w.end()
}

// inside writes something inside lines that begin with a marker, on its
// further lines with rest.
func (w *writer) inside(marker, rest string, write func()) {
	head, prefix := w.head, w.prefix
	if head == "" {
		head = prefix
	}
	w.head, w.prefix = head+marker, prefix+rest
	write()
	w.head, w.prefix = "", prefix
}

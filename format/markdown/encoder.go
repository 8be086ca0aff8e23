// Package markdown writes pages as Markdown and reads Markdown as pages. [Encoder.Append]
// writes a page, and [Page] reads such Markdown. [Read] converts Markdown of any author to HTML,
// which is then segmented and labelled like a web page.
//
// The output is CommonMark 0.31 with the tables and strikethrough of GitHub Flavored
// Markdown. Only text that would otherwise be parsed as markup is escaped. See
// docs/reference/formats/markdown.md.
package markdown

import (
	"chaffinch/internal/layout"
	"chaffinch/page"
)

// Encoder writes the kept text of kept pages, with the markup recorded by the extractor
// (extract.Config.Inline). The zero value writes all markup and no metadata.
type Encoder struct {
	// Without holds the markup to omit. Default: none.
	Without page.Features
	// FrontMatter writes the metadata of each page as YAML before its text.
	FrontMatter bool
}

// Append appends p to dst. It appends nothing for a page without kept text.
func (e Encoder) Append(dst []byte, p *page.Page) []byte {
	notes := layout.FindNotes(p)
	nodes := layout.Build(p, layout.Config{Without: e.Without, Notes: notes, Callouts: true})
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

// IgnoresLang reports whether the output is independent of the language, which only the
// front matter contains.
func (e Encoder) IgnoresLang() bool { return !e.FrontMatter }

// Frame returns the text to write before, between and after the pages of a stream. Only
// between is not empty: it is a rule.
func (e Encoder) Frame() (head, between, tail string) { return "", "\n* * *\n\n", "" }

// writer writes one page.
type writer struct {
	dst     []byte
	p       *page.Page
	without page.Features
	head    string // start of the next line, or "" for prefix
	prefix  string // start of each line inside items and quotes
	label   string // label of the footnote whose first block is next, or ""
	line    inline
}

// begin writes the start of a line.
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

// inside calls write with marker at the start of the first line and rest at the start of
// all following lines.
func (w *writer) inside(marker, rest string, write func()) {
	head, prefix := w.head, w.prefix
	if head == "" {
		head = prefix
	}
	w.head, w.prefix = head+marker, prefix+rest
	write()
	w.head, w.prefix = "", prefix
}

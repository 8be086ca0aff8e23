// Package wiki converts pages of MediaWiki to HTML: headings, paragraphs, lists, tables, links and
// footnotes. Templates are dropped, except some that only format their text.
//
// Unstable: this package may change in any release.
package wiki

import (
	"bytes"
	"context"
	"html"
	"net/url"
	"strings"

	"chaffinch/format/document"
	"chaffinch/internal/lazyregexp"
	"chaffinch/page"
	"chaffinch/text/charset"
)

// Begins reports whether a file begins as an XML export of MediaWiki.
func Begins(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if bytes.HasPrefix(head, []byte("<?xml")) {
		if i := bytes.Index(head, []byte("?>")); i >= 0 {
			head = bytes.TrimLeft(head[i+2:], " \t\r\n")
		}
	}
	return bytes.HasPrefix(head, []byte("<mediawiki")) && bytes.Contains(head, []byte(">"))
}

// Info describes a page of an export.
type Info struct {
	Title, ID string
	Namespace string // number, "0" for articles
	Date      string // of the last revision
	Redirect  bool
}

// Inspect returns the description of an element page of an export.
func Inspect(record string) Info {
	head, rest, _ := strings.Cut(record, "<revision>")
	date := between(rest, "<timestamp>", "</timestamp>")
	if i := strings.LastIndex(rest, "<timestamp>"); i >= 0 {
		date = between(rest[i:], "<timestamp>", "</timestamp>")
	}
	return Info{
		Title: html.UnescapeString(between(head, "<title>", "</title>")), ID: between(head, "<id>", "</id>"), Namespace: between(head, "<ns>", "</ns>"),
		Date: date, Redirect: strings.Contains(head, "<redirect"),
	}
}

// Base returns the address that the titles of an export are appended to, "" if it states none.
func Base(head []byte) string {
	base := html.UnescapeString(between(string(head), "<base>", "</base>"))
	if i := strings.LastIndexAny(base, "/="); i > len("https://") {
		return base[:i+1]
	}
	return ""
}

// Address returns the address of a page.
func Address(base, title string) string {
	if base == "" || title == "" {
		return ""
	}
	return base + (&url.URL{Path: strings.ReplaceAll(title, " ", "_")}).EscapedPath()
}

func between(s, begin, end string) string {
	_, s, ok := strings.Cut(s, begin)
	if !ok {
		return ""
	}
	s, _, _ = strings.Cut(s, end)
	return s
}

// source returns the wikitext of an element page, of its last revision.
func source(record string) string {
	i := strings.LastIndex(record, "<text")
	if i < 0 {
		return ""
	}
	tag, text, ok := strings.Cut(record[i:], ">")
	if !ok || strings.HasSuffix(tag, "/") {
		return ""
	}
	text, _, _ = strings.Cut(text, "</text>")
	return html.UnescapeString(text)
}

// redirect matches a page that only refers to another: a word in any language, and a link.
var redirect = lazyregexp.New(`^#[^\s\[*#:;]+\s*:?\s*\[\[[^\]]+\]\]`)

// Read converts wikitext, or an element page of an export. Errors are from ctx.
func Read(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	if err := ctx.Err(); err != nil {
		return document.Document{}, err
	}
	text := charset.Decode(raw, "utf-8").Text
	var info Info
	if t := strings.TrimSpace(text); strings.HasPrefix(t, "<page>") || Begins([]byte(t[:min(len(t), 4096)])) {
		_, t, _ = strings.Cut(t, "<page>")
		t, _, _ = strings.Cut(t, "</page>")
		info, text = Inspect(t), source(t)
	}
	if redirect().MatchString(strings.TrimSpace(text)) || info.Redirect {
		return document.Document{Drop: page.NoText}, nil
	}
	w := &writer{ctx: ctx, b: document.NewBuilder(limits)}
	day, _, _ := strings.Cut(info.Date, "T")
	w.b.Head(document.Meta{Title: info.Title, Date: day})
	if info.Title != "" {
		w.b.Block("h1", info.Title)
	}
	text = w.protect(strings.ReplaceAll(text, "\r\n", "\n"))
	w.blocks(expand(text), 0)
	w.notes()
	if err := ctx.Err(); err != nil {
		return document.Document{}, err
	}
	return w.b.Document(), nil
}

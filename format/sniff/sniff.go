// Package sniff detects the format of a file from its first bytes. [Of] returns the format.
// All readers use it, so that they recognise the same formats and can name the command that
// reads a file.
package sniff

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/mail"
	"chaffinch/format/plain"
	"chaffinch/format/warc"
	"chaffinch/format/wiki"
	"chaffinch/internal/archive"
	"chaffinch/internal/runes"
)

// Bytes is the number of decompressed bytes that are inspected.
const Bytes = 16 << 10

// Form is the format of a file.
type Form uint8

// The formats. [Text] is any other text.
const (
	Text Form = iota
	Empty
	Tar
	Zip
	Parquet
	WARC
	JSONLines
	JSONArray    // of objects
	JSONDocument // over several lines
	HTML
	TEI
	XML
	Vertical
	Prevertical
	Markdown
	Annotated // text with labels, annotated by clean
	Document  // such as PDF, DOCX or EPUB
	Mbox      // messages of mail or news
	Wiki      // pages of MediaWiki
	UTF16     // text in UTF-16 or UTF-32
	Legacy    // text in another encoding than UTF-8; only [UTF8] returns it
	Binary
)

var forms = [...]struct{ what, reads string }{
	Text:         {"running text", "chaffinch tokenize and chaffinch clean read it"},
	Empty:        {"an empty file", ""},
	Tar:          {"a tar archive", "chaffinch clean and chaffinch dedup read it"},
	Zip:          {"a zip archive", "chaffinch clean and chaffinch dedup read it"},
	Parquet:      {"a Parquet file", "chaffinch clean, dedup and convert read it"},
	WARC:         {"a web archive", "chaffinch clean and chaffinch warc read it"},
	JSONLines:    {"JSON lines", "chaffinch clean, dedup and convert read them"},
	JSONArray:    {"a JSON array", "chaffinch clean and convert read it if each object is on a separate line, as jq -c '.[]' writes"},
	JSONDocument: {"JSON over several lines", "write one object per line, for example with jq -c . FILE"},
	HTML:         {"HTML", "chaffinch clean reads it"},
	TEI:          {"TEI", "chaffinch convert reads it"},
	XML:          {"XML", "not supported: convert it to text first"},
	Vertical:     {"a vertical", "chaffinch corpus, dedup, vertical and convert read it"},
	Prevertical:  {"a prevertical", "chaffinch vertical tokenize, dedup and convert read it"},
	Markdown:     {"Markdown", "chaffinch clean and convert read it"},
	Annotated:    {"text with labels, annotated by clean", "write it without labels, or as jsonl"},
	Document:     {"a document", "chaffinch clean reads it"},
	Mbox:         {"a file of messages", "chaffinch clean reads it"},
	Wiki:         {"a dump of MediaWiki", "chaffinch clean reads it"},
	UTF16:        {"UTF-16", "convert it to UTF-8, for example with iconv -f UTF-16 -t UTF-8"},
	Legacy:       {"text that is not in UTF-8", "chaffinch clean decodes it; or convert it, for example with iconv -f WINDOWS-1252 -t UTF-8 (detect charset names the encoding)"},
	Binary:       {"no text but binary data", "leave it out"},
}

// String returns a description of f, such as "a tar archive".
func (f Form) String() string { return forms[f].what }

// Container reports whether files of the format contain other files.
func (f Form) Container() bool { return f == Tar || f == Zip }

// Error is the error for a file of another format than expected.
type Error struct {
	Form Form
	// Want is the expected format, such as "a vertical".
	Want string
	// Advice is advice to convert the file, if better advice than the default is known.
	Advice string
}

// Error returns the format found, the format expected and the command that reads the file.
func (e *Error) Error() string {
	advice := e.Advice
	if advice == "" {
		advice = forms[e.Form].reads
	}
	if advice == "" {
		return fmt.Sprintf("%s, wanted %s", e.Form, e.Want)
	}
	return fmt.Sprintf("%s, wanted %s: %s", e.Form, e.Want, advice)
}

var bom = []byte("\xef\xbb\xbf")

// Of returns the format of a file that begins with head. A vertical is recognised by lines
// that begin with the tags <doc, <p> or <s>, or tags with the given names.
func Of(head []byte, names ...string) Form {
	if len(head) > Bytes {
		head = head[:Bytes]
	}
	switch {
	case len(head) == 0:
		return Empty
	case archive.IsTar(head):
		return Tar
	case mail.Begins(head):
		return Mbox
	case wiki.Begins(head):
		return Wiki
	case isDocument(head):
		return Document
	case archive.IsZip(head):
		return Zip
	case bytes.HasPrefix(head, []byte("PAR1")), bytes.HasPrefix(head, []byte("PARE")):
		return Parquet
	case warc.Looks(head):
		return WARC
	}
	t := bytes.TrimLeft(bytes.TrimPrefix(head, bom), " \t\r\n")
	if f, ok := json(t); ok {
		return f
	}
	if len(names) == 0 {
		names = []string{"doc", "p", "s"}
	}
	if f, ok := markup(t, names); ok {
		return f
	}
	if hasTag(head, names[0]) {
		return verticalKind(head)
	}
	switch kind := plain.Sniff(head); kind {
	case plain.HTML:
		if t = unixLines(t); markdown(t) && leadsText(t) {
			return Markdown // with tags in its text
		}
		return HTML
	case "text/xml":
		return XML
	case plain.Text, "application/json":
		if runes.HasUTF16Mark(head) {
			return UTF16
		}
	default:
		return Binary
	}
	switch {
	case annotated(t):
		return Annotated
	case markdown(unixLines(t)):
		return Markdown
	}
	return Text
}

// strayBytes is the number of bytes that are not UTF-8 which do not make records legacy: damage is
// rare, and programs that write JSON lines and verticals write UTF-8.
const strayBytes = 2

// UTF8 is [Of] for readers of UTF-8 only. It returns [Legacy] for text in another encoding, also
// in JSON lines and verticals.
func UTF8(head []byte, names ...string) Form {
	f := Of(head, names...)
	if f.IsLegacy(head) {
		return Legacy
	}
	return f
}

// IsLegacy reports whether a file in the format f that begins with head is text in another encoding
// than UTF-8.
func (f Form) IsLegacy(head []byte) bool {
	stray := 0
	switch f {
	case Text, Markdown:
	case JSONLines, JSONArray, Vertical, Prevertical:
		stray = strayBytes
	default:
		return false
	}
	bad, good := runes.CountUTF8(head[:min(len(head), Bytes)])
	return bad > good+stray
}

// Running returns a reader of the running text that r holds, or an error if r begins like another
// format or in another encoding than UTF-8.
func Running(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, Bytes)
	head, _ := in.Peek(Bytes) // the next read returns the error
	switch f := UTF8(head); f {
	case Binary, UTF16, Legacy, Document, Parquet, WARC, JSONLines, JSONArray:
		return nil, &Error{Form: f, Want: "text"}
	}
	return in, nil
}

// isDocument reports whether head begins a document that is not text, such as PDF or DOCX.
func isDocument(head []byte) bool {
	switch name := document.Of(head, "", ""); name {
	case "", "eml", "srt", "vtt":
		return false
	default:
		return !document.Source(name)
	}
}

// json detects JSON lines, an array of objects, or one document, and reports whether t is
// JSON.
func json(t []byte) (Form, bool) {
	if len(t) == 0 {
		return 0, false
	}
	switch t[0] {
	case '{':
		if rest := bytes.TrimLeft(t[1:], " \t"); len(rest) > 0 && (rest[0] == '"' || rest[0] == '}') {
			return JSONLines, true
		}
		if rest := bytes.TrimLeft(t[1:], " \t\r\n"); isKey(rest) {
			return JSONDocument, true
		}
	case '[':
		if rest := bytes.TrimLeft(t[1:], " \t\r\n"); len(rest) > 1 && rest[0] == '{' && isKey(bytes.TrimLeft(rest[1:], " \t\r\n")) {
			return JSONArray, true
		}
	}
	return 0, false
}

// isKey reports whether b begins with a string and a colon.
func isKey(b []byte) bool {
	if len(b) == 0 || b[0] != '"' {
		return false
	}
	end := bytes.IndexByte(b[1:], '"')
	return end >= 0 && bytes.HasPrefix(bytes.TrimLeft(b[end+2:], " \t\r\n"), []byte(":"))
}

// markup distinguishes HTML, TEI and verticals by their first tag and reports whether t is
// markup.
func markup(t []byte, names []string) (Form, bool) {
	if len(t) == 0 || t[0] != '<' {
		return 0, false
	}
	for _, begin := range [...]string{"<!doctype html", "<html"} {
		if len(t) >= len(begin) && strings.EqualFold(string(t[:len(begin)]), begin) {
			return HTML, true
		}
	}
	if bytes.Contains(bytes.ToLower(t[:min(len(t), 2048)]), []byte("<tei")) {
		return TEI, true
	}
	first, _, _ := bytes.Cut(t, []byte("\n"))
	if _, tag := tagName(bytes.TrimRight(first, "\r")); tag && hasTag(t, names...) { // in a vertical, each tag is a separate line
		return verticalKind(t), true
	}
	return 0, false
}

// annotated reports whether t begins like annotated text of the cleaner: with a line "#
// page" and a line with the columns label and kind.
func annotated(t []byte) bool {
	first, rest, _ := bytes.Cut(t, []byte("\n"))
	label, rest, _ := bytes.Cut(rest, []byte("\t"))
	kind, _, tab := bytes.Cut(rest, []byte("\t"))
	if !tab || !bytes.HasPrefix(first, []byte("# ")) {
		return false
	}
	switch string(label) {
	case "unknown", "good", "neargood", "short", "bad":
		return len(kind) < 20 && !bytes.ContainsAny(kind, " \n")
	}
	return false
}

// unixLines returns t with line feeds alone as line ends.
func unixLines(t []byte) []byte { return bytes.ReplaceAll(t, []byte("\r\n"), []byte("\n")) }

// markdown reports whether t begins with front matter or a heading of Markdown.
func markdown(t []byte) bool {
	if rest, ok := bytes.CutPrefix(t, []byte("---\n")); ok {
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		name, _, ok := bytes.Cut(line, []byte(": "))
		return ok && len(name) > 0 && len(name) < 30 && !bytes.ContainsAny(name, " \t<")
	}
	line, rest, ok := bytes.Cut(t, []byte("\n"))
	level := len(line) - len(bytes.TrimLeft(line, "#"))
	return ok && level >= 1 && level <= 6 && len(line) > level+1 && line[level] == ' ' && bytes.HasPrefix(rest, []byte("\n")) && !bytes.Contains(t, []byte("\n<"))
}

// leadsText reports whether front matter of Markdown precedes text, unlike in the sources of HTML pages
// of site generators, in which a tag or a template follows. Front matter of the cleaner begins with
// an id.
func leadsText(t []byte) bool {
	front, rest, ok := bytes.Cut(t, []byte("\n---\n"))
	if rest = bytes.TrimLeft(rest, " \t\r\n"); !ok || !bytes.HasPrefix(front, []byte("---\n")) {
		return false
	}
	return bytes.HasPrefix(front, []byte("---\nid: \"")) || len(rest) > 0 && rest[0] != '<' && rest[0] != '{'
}

// Package sniff detects the format of a file from its first bytes. All readers use it, so
// that they recognise the same formats and name the command that reads a file. [Of] takes
// the first bytes of a file.
package sniff

import (
	"bytes"
	"fmt"
	"strings"

	"chaffinch/format/plain"
	"chaffinch/format/warc"
	"chaffinch/internal/archive"
)

// Bytes is how much of a file is looked at, unpacked.
const Bytes = 16 << 10

// Form is what a file holds.
type Form uint8

// The forms. [Text] is what is none of the others.
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
	PDF
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
	JSONArray:    {"a JSON array", "chaffinch clean and convert read it if each object stands on a line of its own, as jq -c '.[]' writes"},
	JSONDocument: {"JSON over several lines", "write one object per line, for example with jq -c . FILE"},
	HTML:         {"HTML", "chaffinch clean reads it"},
	TEI:          {"TEI", "chaffinch convert reads it"},
	XML:          {"XML", "nothing reads it as it is: make text of it first"},
	Vertical:     {"a vertical", "chaffinch corpus, dedup, vertical and convert read it"},
	Prevertical:  {"a prevertical", "chaffinch vertical tokenize, dedup and convert read it"},
	Markdown:     {"Markdown", "chaffinch convert reads it"},
	Annotated:    {"text with labels, annotated by clean", "write it without labels, or as jsonl"},
	PDF:          {"PDF", "make text of it first, for example with pdftotext"},
	Binary:       {"no text but binary data", "leave it out"},
}

// String says what f is, such as "a tar archive".
func (f Form) String() string { return forms[f].what }

// Container tells whether a file of the form holds other files.
func (f Form) Container() bool { return f == Tar || f == Zip }

// Error tells that a file is of another form than the one that a reader wants.
type Error struct {
	Form Form
	// Want is what the reader reads, such as "a vertical".
	Want string
	// Way says what leads there, if it is known better than by the form alone.
	Way string
}

// Error says what the file is, what is wanted and which command helps.
func (e *Error) Error() string {
	way := e.Way
	if way == "" {
		way = forms[e.Form].reads
	}
	if way == "" {
		return fmt.Sprintf("%s, wanted %s", e.Form, e.Want)
	}
	return fmt.Sprintf("%s, wanted %s: %s", e.Form, e.Want, way)
}

var bom = []byte("\xef\xbb\xbf")

// Of returns the form of a file that begins with head. Verticals are told from
// other markup by lines that begin with <doc, <p> or <s>, or by those of names.
func Of(head []byte, names ...string) Form {
	if len(head) > Bytes {
		head = head[:Bytes]
	}
	switch {
	case len(head) == 0:
		return Empty
	case archive.IsTar(head):
		return Tar
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
		return HTML
	case "text/xml":
		return XML
	case "application/pdf":
		return PDF
	case plain.Text, "application/json":
	default:
		return Binary
	}
	switch {
	case annotated(t):
		return Annotated
	case markdown(t):
		return Markdown
	}
	return Text
}

// json tells JSON from text: lines, an array of objects, one document.
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

// isKey tells whether b begins with a string and a colon.
func isKey(b []byte) bool {
	if len(b) == 0 || b[0] != '"' {
		return false
	}
	end := bytes.IndexByte(b[1:], '"')
	return end >= 0 && bytes.HasPrefix(bytes.TrimLeft(b[end+2:], " \t\r\n"), []byte(":"))
}

// markup tells HTML, TEI and verticals by their first tag.
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
	if _, tag := tagName(bytes.TrimRight(first, "\r")); tag && hasTag(t, names...) { // each tag of a vertical has a line of its own
		return verticalKind(t), true
	}
	return 0, false
}

// annotated tells whether t begins as annotated text of the cleaner does: with
// a line "# page" and one of columns with a label and a kind.
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

// markdown tells whether t begins with front matter or a heading of Markdown.
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

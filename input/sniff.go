package input

import (
	"bytes"
	"errors"

	"chaffinch/format/plain"
	"chaffinch/format/warc"
)

// sniffBytes is how much of a file is looked at.
const sniffBytes = 16 << 10

var errEmpty = errors.New("empty file")

// recognise tells the form of a file by its first bytes; what is neither an
// archive nor JSONL is one page.
func recognise(head []byte) string {
	if warc.Looks(head) {
		return formWARC
	}
	if looksJSONL(head) {
		return formJSONL
	}
	return ""
}

// looksJSONL reports whether head begins with a line that begins a JSON object
// of more than its bracket; an indented document is no JSONL.
func looksJSONL(head []byte) bool {
	t := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(t) == 0 || t[0] != '{' {
		return false
	}
	t = bytes.TrimLeft(t[1:], " \t")
	return len(t) > 0 && (t[0] == '"' || t[0] == '}')
}

// accept guards the search for the next member after damage: in an archive it
// has to begin a record.
func accept(kind *string) func([]byte) bool {
	return func(head []byte) bool {
		if *kind == formWARC {
			return warc.Looks(head)
		}
		return len(head) > 0
	}
}

// mediaType decides what a page is, by what its source states and by its first
// bytes; keep tells whether it is HTML or text.
func mediaType(stated string, head []byte) (media string, keep bool) {
	sniffed := plain.Sniff(head)
	switch stated {
	case "text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml":
		if sniffed == plain.HTML || sniffed == plain.Text || sniffed == "text/xml" {
			return plain.HTML, true
		}
		return sniffed, false
	case "text/plain", "text/markdown":
		if sniffed == plain.HTML || sniffed == plain.Text || sniffed == "text/xml" {
			return plain.Text, true
		}
		return sniffed, false
	case "", "application/octet-stream", "unknown/unknown", "application/unknown", "no-type", "unk", "*/*":
		return sniffed, sniffed == plain.HTML || sniffed == plain.Text
	case "text/xml", "application/xml":
		if sniffed == plain.HTML {
			return plain.HTML, true
		}
	}
	low := bytes.ToLower(bytes.TrimLeft(head[:min(len(head), 64)], " \t\r\n\xef\xbb\xbf"))
	if bytes.HasPrefix(low, []byte("<!doctype html")) || bytes.HasPrefix(low, []byte("<html")) {
		return plain.HTML, true // a page under a wrong name
	}
	return stated, false
}

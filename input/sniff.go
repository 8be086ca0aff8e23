package input

import (
	"bytes"

	"chaffinch/format/document"
	"chaffinch/format/plain"
)

// mediaType returns the media type of a page from the type that its source states, its first
// bytes, and the name of its file. It reports whether the page is HTML, text or a document.
func mediaType(stated string, head []byte, name string) (media string, keep bool) {
	if f := document.Of(head, stated, name); f != "" {
		return document.MediaType(f), true
	}
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
		return plain.HTML, true // a page with a wrong type
	}
	return stated, false
}

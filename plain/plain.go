// Package plain reads a file that is one page: HTML or running text. It also
// tells HTML, text and everything else apart by their bytes.
package plain

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Media types that the readers give to pages.
const (
	HTML = "text/html"
	Text = "text/plain"
)

// ErrTooLarge tells that a page was cut.
var ErrTooLarge = errors.New("more bytes than the limit")

// Read reads r to its end, but not more than max bytes: then the first max
// bytes come with ErrTooLarge. With another error the bytes before it come.
func Read(r io.Reader, max int64) ([]byte, error) {
	buf := make([]byte, 0, 16<<10)
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > max {
			return buf[:max], fmt.Errorf("%w of %d", ErrTooLarge, max)
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
	}
}

// SniffBytes is the number of bytes that [Sniff] looks at.
const SniffBytes = 8 << 10

// Sniff returns the media type that the first bytes of a page show:
// "text/html", "text/plain", "text/xml", "application/json", or a binary type
// such as "image/png". NUL bytes do not make HTML something else.
func Sniff(head []byte) string {
	if len(head) > SniffBytes {
		head = head[:SniffBytes]
	}
	if len(head) == 0 {
		return Text
	}
	text := narrow(head)
	if t := markup(text); t != "" {
		return t
	}
	if len(text) != len(head) { // UTF-16
		return Text
	}
	if isBinary(head) {
		t := http.DetectContentType(head)
		if len(t) >= 5 && t[:5] == "text/" {
			return "application/octet-stream"
		}
		return t
	}
	if bytes.HasPrefix(head, []byte("%PDF-")) {
		return "application/pdf"
	}
	if bytes.HasPrefix(head, []byte("{\\rtf")) {
		return "application/rtf"
	}
	if bytes.HasPrefix(head, []byte("%!PS-Adobe-")) {
		return "application/postscript"
	}
	if isJSON(text) {
		return "application/json"
	}
	return Text
}

// isJSON reports whether b begins a JSON object or an array of objects.
func isJSON(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(b) > 0 && b[0] == '[' {
		b = bytes.TrimLeft(b[1:], " \t\r\n")
	}
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	b = bytes.TrimLeft(b[1:], " \t\r\n")
	if len(b) > 0 && b[0] == '}' {
		return true
	}
	if len(b) == 0 || b[0] != '"' {
		return false
	}
	end := bytes.IndexByte(b[1:], '"')
	return end >= 0 && bytes.HasPrefix(bytes.TrimLeft(b[end+2:], " \t\r\n"), []byte(":"))
}

// narrow drops the zero bytes of UTF-16 and UTF-32, which stand at every second
// place or more; other bytes come back as they are.
func narrow(b []byte) []byte {
	bom := len(b) >= 2 && (b[0] == 0xff && b[1] == 0xfe || b[0] == 0xfe && b[1] == 0xff)
	var zero [2]int
	for i, c := range b {
		if c == 0 {
			zero[i&1]++
		}
	}
	wide := zero[0] > len(b)/5 && zero[1] < len(b)/50 || zero[1] > len(b)/5 && zero[0] < len(b)/50
	if !bom && !wide {
		return b
	}
	out := make([]byte, 0, len(b)/2+1)
	for _, c := range b {
		if c != 0 {
			out = append(out, c)
		}
	}
	return bytes.TrimLeft(out, "\xff\xfe")
}

// isBinary reports whether b has control bytes that text never has; NUL bytes
// are allowed to be a few, since pages have them.
func isBinary(b []byte) bool {
	nul, control := 0, 0
	for _, c := range b {
		switch {
		case c == 0:
			nul++
		case c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x0b && c != 0x1b && c != 0x1a || c == 0x7f:
			control++
		}
	}
	return control > len(b)/100+1 || nul > len(b)/20+1
}

// markup returns the type of markup text, "" if b is none.
func markup(b []byte) string {
	t := bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n\f\x00")
	low := bytes.ToLower(t)
	if bytes.HasPrefix(low, []byte("<?xml")) {
		if bytes.Contains(low, []byte("<html")) || bytes.Contains(low, []byte("<!doctype html")) {
			return HTML
		}
		return "text/xml"
	}
	for _, s := range []string{"<!doctype html", "<html", "<head", "<body", "<title", "<meta ", "<frameset"} {
		if bytes.Contains(low, []byte(s)) {
			return HTML
		}
	}
	if len(low) < 2 || low[0] != '<' {
		if tags(low) >= 3 {
			return HTML
		}
		return ""
	}
	if bytes.HasPrefix(low, []byte("<!--")) || tags(low) > 0 {
		return HTML
	}
	if bytes.HasPrefix(low, []byte("<rss")) || bytes.HasPrefix(low, []byte("<svg")) || bytes.HasPrefix(low, []byte("<feed")) || bytes.HasPrefix(low, []byte("<urlset")) {
		return "text/xml"
	}
	if 'a' <= low[1] && low[1] <= 'z' || low[1] == '!' {
		return HTML
	}
	return ""
}

// names are elements that pages have and other text does not mention by chance.
var names = []string{"p", "br", "div", "span", "a", "table", "tr", "td", "ul", "ol", "li", "h1", "h2", "h3", "img", "font",
	"b", "i", "center", "script", "style", "link", "form", "hr", "pre", "section", "article", "main", "header", "nav", "footer"}

// tags counts start tags with a known name.
func tags(low []byte) int {
	n := 0
	for {
		i := bytes.IndexByte(low, '<')
		if i < 0 {
			return n
		}
		low = low[i+1:]
		for _, name := range names {
			if !bytes.HasPrefix(low, []byte(name)) {
				continue
			}
			if k := len(name); k < len(low) && (low[k] == '>' || low[k] == ' ' || low[k] == '\n' || low[k] == '/') {
				n++
				break
			}
		}
	}
}

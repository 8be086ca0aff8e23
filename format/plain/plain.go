package plain

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"

	"chaffinch/internal/runes"
	"chaffinch/internal/swar"
	"chaffinch/text/charset"
)

// Media types that readers set on pages.
const (
	HTML = "text/html"
	Text = "text/plain"
)

// ErrTooLarge indicates that a page was truncated.
var ErrTooLarge = errors.New("more bytes than the limit")

// Read reads r to its end, up to max bytes. If r is longer, it returns the first max bytes
// and ErrTooLarge. With another error it returns the bytes read before it.
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

// SniffBytes is the number of bytes that [Sniff] reads.
const SniffBytes = 8 << 10

// Sniff returns the media type of a page from its first bytes: "text/html", "text/plain",
// "text/xml", "application/json", or a binary type such as "image/png". HTML may contain NUL
// bytes.
func Sniff(head []byte) string {
	if len(head) > SniffBytes {
		head = head[:SniffBytes]
	}
	if len(head) == 0 {
		return Text
	}
	if charset.LooksEBCDIC(head) {
		head = charset.ASCIIOfEBCDIC(head)
	}
	text := narrow(head)
	if t := markup(text); t != "" {
		return t
	}
	if len(text) != len(head) { // UTF-16 or UTF-32
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

// isJSON reports whether b begins with a JSON object or an array of objects.
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

// narrow removes the zero bytes of UTF-16 and UTF-32. For UTF-16 with few zero bytes,
// because most text is not ASCII, it returns the ASCII characters and one byte for each
// other character. Other bytes are returned unchanged.
func narrow(b []byte) []byte {
	bom := runes.HasUTF16Mark(b) || bytes.HasPrefix(b, []byte("\x00\x00\xfe\xff"))
	if !bom && bytes.IndexByte(b, 0) < 0 {
		return b
	}
	var zero [4]int
	for i, c := range b {
		if c == 0 {
			zero[i&3]++
		}
	}
	even, odd := zero[0]+zero[2], zero[1]+zero[3]
	units := len(b) / 4
	wide := even > len(b)/5 && odd < len(b)/50 || odd > len(b)/5 && even < len(b)/50 || // UTF-16
		units > 0 && (zero[3] >= units && zero[2] >= units-units/10 && zero[0] < units/10+1 || zero[0] >= units && zero[1] >= units-units/10 && zero[3] < units/10+1) // UTF-32
	if !bom && !wide {
		if _, out := charset.UTF16(b); out != nil {
			return out
		}
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

// isBinary reports whether b contains control bytes that do not occur in text. It allows a
// few NUL bytes, which occur in pages, and shift characters if ISO-2022-KR is announced (RFC
// 1557).
func isBinary(b []byte) bool {
	nul, control := 0, 0
	korean := bytes.Contains(b, []byte("\x1b$)C"))
	for i := 0; i < len(b); i++ {
		if i+8 <= len(b) && !anyControl(binary.LittleEndian.Uint64(b[i:])) {
			i += 7
			continue
		}
		switch c := b[i]; {
		case c == 0:
			nul++
		case korean && (c == 0x0e || c == 0x0f):
		case c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x0b && c != 0x1b && c != 0x1a || c == 0x7f:
			control++
		}
	}
	return control > len(b)/100+1 || nul > len(b)/20+1
}

// anyControl reports whether one of eight bytes is below 0x20 or 0x7F.
func anyControl(v uint64) bool {
	return (v-0x20*swar.Ones)&^v&swar.Tops|swar.Find(v, 0x7F) != 0
}

// markup returns the type of markup text, or "" if b is not markup.
func markup(b []byte) string {
	t := bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n\f\x00")
	if hasFold(t, "<?xml") {
		if anyTag(t, "<html", "<!doctype html") {
			return HTML
		}
		return "text/xml"
	}
	if anyTag(t, "<!doctype html", "<html", "<head", "<body", "<title", "<meta ", "<frameset") {
		return HTML
	}
	if len(t) < 2 || t[0] != '<' {
		if tags(t) >= 3 {
			return HTML
		}
		return ""
	}
	if hasFold(t, "<!--") || tags(t) > 0 {
		return HTML
	}
	for _, xml := range []string{"<rss", "<svg", "<feed", "<urlset"} {
		if hasFold(t, xml) {
			return "text/xml"
		}
	}
	if c := t[1] | 0x20; 'a' <= c && c <= 'z' || t[1] == '!' {
		return HTML
	}
	return ""
}

// hasFold reports whether b begins with s, ignoring case. s must be in lower case.
func hasFold(b []byte, s string) bool {
	if len(b) < len(s) {
		return false
	}
	for i := range len(s) {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != s[i] {
			return false
		}
	}
	return true
}

// anyTag reports whether b contains one of the marks, which begin with "<".
func anyTag(b []byte, marks ...string) bool {
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return false
		}
		b = b[i:]
		for _, m := range marks {
			if hasFold(b, m) {
				return true
			}
		}
		b = b[1:]
	}
}

// names are elements that are common in pages and rare in other text.
var names = []string{"p", "br", "div", "span", "a", "table", "tr", "td", "ul", "ol", "li", "h1", "h2", "h3", "img", "font",
	"b", "i", "center", "script", "style", "link", "form", "hr", "pre", "section", "article", "main", "header", "nav", "footer"}

// tags counts start tags with a known name.
func tags(b []byte) int {
	n := 0
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return n
		}
		b = b[i+1:]
		for _, name := range names {
			if !hasFold(b, name) {
				continue
			}
			if k := len(name); k < len(b) && (b[k] == '>' || b[k] == ' ' || b[k] == '\n' || b[k] == '/') {
				n++
				break
			}
		}
	}
}

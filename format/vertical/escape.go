package vertical

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/swar"
)

// Manatee and BlackLab decode nothing in a vertical, and users search for its literal
// content. Therefore as little as possible is escaped, in a form that a reader can decode:
//
//   - & only where it begins one of the references that are decoded,
//   - < at the beginning of a line where a tag could begin, U+FEFF there,
//   - control characters, which C strings and lines do not carry, and blanks at
//     the ends of a column, which Manatee strips,
//   - in attributes < and >, at which BlackLab ends a tag, and quotes and
//     backslashes that Manatee would read as its own escapes.

// named are the named references that are decoded.
var named = [...]struct {
	ref string
	c   byte
}{{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}

// text is a type that can be escaped.
type text interface{ ~string | ~[]byte }

// maxRef is the length of the longest reference, &#x10FFFF; with leading zeros.
const maxRef = 12

// reference decodes the reference at the beginning of s, which begins with &. n is its
// length, or 0 if there is none.
func reference[T text](s T) (r rune, n int) {
	if len(s) < 4 {
		return 0, 0
	}
	if s[1] != '#' {
		for _, e := range &named {
			if len(s) >= len(e.ref) && s[1] == e.ref[1] && string(s[:len(e.ref)]) == e.ref {
				return rune(e.c), len(e.ref)
			}
		}
		return 0, 0
	}
	i, base := 2, rune(10)
	if s[2] == 'x' || s[2] == 'X' {
		i, base = 3, 16
	}
	first := i
	for ; i < len(s) && i < maxRef; i++ {
		c := rune(s[i])
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case base == 16 && c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		case c == ';' && i > first && utf8.ValidRune(r):
			return r, i + 1
		default:
			return 0, 0
		}
		if r = r*base + c; r > utf8.MaxRune {
			return 0, 0
		}
	}
	return 0, 0
}

// Unescape decodes the references of a column, of a line of running text or of a value in b,
// in place.
func Unescape(b []byte) []byte { return unescape(b) }

// unescape decodes the references in b, in place.
func unescape(b []byte) []byte {
	i := bytes.IndexByte(b, '&')
	if i < 0 {
		return b
	}
	out := b[:i]
	for i < len(b) {
		if b[i] == '&' {
			if r, n := reference(b[i:]); n > 0 {
				out = utf8.AppendRune(out, r) // never longer than the reference
				i += n
				continue
			}
		}
		out = append(out, b[i])
		i++
	}
	return out
}

// special marks the bytes that may need an escape: 1 in tokens, 2 in values. 4 marks the bytes that
// values may contain only if they are checked or trimmed.
var special = func() (t [256]uint8) {
	for c := range 0x20 {
		t[c] = 3
	}
	t[0x7f], t['&'], t[' '] = 3, 3, 1
	t['<'], t['>'], t['"'], t['\\'] = 2, 2, 2, 2
	for c := range t {
		if c <= ' ' || c == '\'' || c >= utf8.RuneSelf || t[c]&2 != 0 {
			t[c] |= 4
		}
	}
	return t
}()

// appendField appends a column of a token. first indicates the first column of a line.
func appendField[T text](dst []byte, s T, first bool) []byte {
	start := 0
	if first && len(s) > 1 && s[0] == '<' && startsTag(s[1]) {
		dst = append(dst, "&lt;"...)
		start = 1
	}
	if first && strings.HasPrefix(string(s[:min(3, len(s))]), "\ufeff") {
		dst = append(dst, "&#65279;"...) // at the start of a file it would be a byte-order mark
		start = 3
	}
	for i := start; i < len(s); i++ {
		if special[s[i]]&1 == 0 || s[i] == ' ' && i > 0 && i < len(s)-1 {
			continue
		}
		if s[i] == '&' {
			if _, n := reference(s[i:]); n == 0 {
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		dst = appendRef(dst, s[i])
		start = i + 1
	}
	return append(dst, s[start:]...)
}

// appendToken appends text[start:end], which is not empty, as the first column of a token. It copies
// eight bytes at a time if none needs an escape.
func appendToken(dst []byte, text string, start, end int) []byte {
	at := len(dst)
	if c := text[start]; c != '<' && c != 0xEF { // which may begin a tag or a byte-order mark
		for i := start; i+8 <= len(text); i += 8 {
			x := swar.Load(text[i:])
			odd := (x-0x21*swar.Ones)&^x&swar.Tops | swar.Find(x, '&') | swar.Find(x, 0x7F)
			n := min(end-i, 8)
			if odd<<(64-8*n) != 0 {
				break
			}
			if dst = binary.LittleEndian.AppendUint64(dst, x)[:len(dst)+n]; i+8 >= end {
				return dst
			}
		}
	}
	return appendField(dst[:at], text[start:end], true)
}

// startsTag reports whether a line that begins with < and c may be read as a tag.
func startsTag(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '/' || c == '?' || c == '!'
}

// appendRef appends the reference for c.
func appendRef(dst []byte, c byte) []byte {
	for _, e := range &named {
		if e.c == c {
			return append(dst, e.ref...)
		}
	}
	dst = append(dst, "&#"...)
	dst = strconv.AppendUint(dst, uint64(c), 10)
	return append(dst, ';')
}

// AppendValue appends the escaped value of an attribute with its quotes. Control characters
// become references.
func AppendValue(dst []byte, value string) []byte { return appendValue(dst, value) }

// appendValue appends the quoted value of an attribute. It uses double quotes unless the
// value contains only double quotes.
func appendValue[T text](dst []byte, s T) []byte {
	quote := byte('"')
	double, single := false, false
	for i := range len(s) {
		double = double || s[i] == '"'
		single = single || s[i] == '\''
	}
	if double && !single {
		quote = '\''
	}
	dst = append(dst, quote)
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if special[c]&2 == 0 {
			continue
		}
		switch c {
		case '&':
			if _, n := reference(s[i:]); n == 0 {
				continue
			}
		case '"':
			if quote != '"' {
				continue
			}
		case '\\':
			if i+1 < len(s) && s[i+1] != '\\' && s[i+1] != quote {
				continue
			}
		}
		dst = append(dst, s[start:i]...)
		dst = appendRef(dst, c)
		start = i + 1
	}
	dst = append(dst, s[start:]...)
	return append(dst, quote)
}

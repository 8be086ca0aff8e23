package tei

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/runes"

	"golang.org/x/text/language"
)

// text writes character data. It drops characters that XML 1.0 forbids, such as controls.
func (w *writer) text(s string) { w.dst = appendText(w.dst, s, false) }

// attr writes an attribute, unless it is empty.
func (w *writer) attr(name, value string) {
	if value != "" {
		w.raw(" " + name + "=\"")
		w.dst = appendText(w.dst, value, true)
		w.raw("\"")
	}
}

// langAttr writes tag as an attribute if it is a valid language tag.
func (w *writer) langAttr(name, tag string) {
	if t, err := language.Parse(tag); err == nil && t != language.Und {
		w.attr(name, t.String())
	}
}

// target writes a URL as an attribute and reports whether the URL is valid (RFC 3986).
// Forbidden characters are percent-encoded.
func (w *writer) target(name, address string) bool {
	s := string(appendURI(nil, address))
	u, err := url.Parse(s)
	if err != nil || s == "" {
		return false
	}
	if host, ok := strings.CutSuffix(u.Host, ":"); ok { // "http://http://x": validators expect a port after the colon
		u.Host = host
		s = u.String()
	}
	w.attr(name, s)
	return true
}

func appendText(dst []byte, s string, inAttr bool) []byte {
	start := 0
	put := func(end int, with string) {
		dst = append(dst, s[start:end]...)
		dst = append(dst, with...)
	}
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		with, plain := "", false
		switch {
		case r == '&':
			with = "&amp;"
		case r == '<':
			with = "&lt;"
		case r == '>':
			with = "&gt;"
		case r == '"' && inAttr:
			with = "&quot;"
		case r == '\r':
			with = "&#13;"
		case (r == '\n' || r == '\t') && inAttr:
			with = " "
		case r == utf8.RuneError && n == 1:
			with = "\uFFFD"
		default:
			plain = r >= 0x20 && r != 0xFFFE && r != 0xFFFF || r == '\n' || r == '\t'
		}
		if !plain {
			put(i, with)
			start = i + n
		}
		i += n
	}
	return append(dst, s[start:]...)
}

// appendURI appends s and percent-encodes all characters that a URI cannot contain.
func appendURI(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	fragment := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		ok := 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
		switch c {
		case '-', '.', '_', '~', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=', ':', '@', '/', '?':
			ok = true
		case '%':
			ok = i+2 < len(s) && runes.IsHex(s[i+1]) && runes.IsHex(s[i+2])
		case '#':
			ok = !fragment
			fragment = true
		}
		if ok {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}

package filter

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/pytext"
	"chaffinch/internal/swar"
)

// measure sets the properties of the text, unless they are set. Of blocks of eight bytes, only bytes
// below a blank or beyond ASCII are examined.
func (d *doc) measure() *measured {
	if d.known {
		return &d.measured
	}
	text := d.text
	m := measured{known: true, chars: len(text), plain: true}
	for i := 0; i < len(text); {
		if i+8 <= len(text) {
			x := swar.Load(text[i:])
			other := (x - 0x20*swar.Ones | x) & swar.Tops // the first one is exact
			if other == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(other) / 8
		}
		c := text[i]
		if c < utf8.RuneSelf {
			m.plain = m.plain && (c < '\v' || c > '\r') && (c < 0x1c || c > 0x1e)
			m.gaps = m.gaps || c == '\n' && i > 0 && text[i-1] == '\n'
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		m.plain = m.plain && r != 0x85 && r != 0x2028 && r != 0x2029
		m.kelvin = m.kelvin || r == kelvin
		m.chars -= n - 1
		i += n
	}
	d.measured = m
	return &d.measured
}

// cutLine returns the first line of text, a part of d's text, by the line ends of Python's
// str.splitlines. size is its length including the line end.
func (d *doc) cutLine(text string) (line string, size int) {
	if !d.measure().plain {
		return cutLine(text)
	}
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[:i], i + 1
	}
	return text, len(text)
}

// cutLine returns the first line of text by line ends of any kind.
func cutLine(text string) (line string, size int) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\r':
			if strings.HasPrefix(text[i+1:], "\n") {
				return text[:i], i + 2
			}
			return text[:i], i + 1
		case c >= '\n' && c <= '\f' || c >= 0x1c && c <= 0x1e:
			return text[:i], i + 1
		case c == 0xc2 && strings.HasPrefix(text[i:], "\u0085"):
			return text[:i], i + 2
		case c == 0xe2 && (strings.HasPrefix(text[i:], "\u2028") || strings.HasPrefix(text[i:], "\u2029")):
			return text[:i], i + 3
		}
	}
	return text, len(text)
}

// trimLeft is Python's str.lstrip and trimRight is str.rstrip, without a call per character.
func trimLeft(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= utf8.RuneSelf {
			return strings.TrimLeftFunc(s[i:], pytext.IsSpace)
		} else if !pytext.IsSpace(rune(c)) {
			return s[i:]
		}
	}
	return ""
}

func trimRight(s string) string {
	for i := len(s); i > 0; i-- {
		if c := s[i-1]; c >= utf8.RuneSelf {
			return strings.TrimRightFunc(s[:i], pytext.IsSpace)
		} else if !pytext.IsSpace(rune(c)) {
			return s[:i]
		}
	}
	return ""
}

func trim(s string) string { return trimLeft(trimRight(s)) }

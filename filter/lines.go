package filter

import (
	"strings"
	"unicode/utf8"

	"chaffinch/internal/pytext"
	"chaffinch/internal/swar"
)

// Classes of bytes.
const (
	breakAlone = 1 << iota // a line end other than \n
	breakLead              // may begin a line end of several bytes
	beyondASCII
)

var byteClass = func() (t [256]uint8) {
	for _, c := range []byte{'\r', '\v', '\f', 0x1c, 0x1d, 0x1e} {
		t[c] = breakAlone
	}
	for c := utf8.RuneSelf; c < len(t); c++ {
		t[c] = beyondASCII
	}
	t[0xc2] |= breakLead
	t[0xe2] |= breakLead
	return t
}()

// classesOf returns the classes of the bytes of text. Blocks of eight bytes are examined byte
// by byte only if they may contain a byte with a class: below a blank, or non-ASCII.
func classesOf(text string) (found uint8) {
	for ; len(text) >= 8; text = text[8:] {
		if x := swar.Load(text); (x-0x20*swar.Ones|x)&swar.Tops != 0 {
			for i := range 8 {
				found |= byteClass[text[i]]
			}
		}
	}
	for i := range len(text) {
		found |= byteClass[text[i]]
	}
	return found
}

// anyBreak reports whether text contains a non-ASCII line end.
func anyBreak(text string) bool {
	return strings.Contains(text, "\u0085") || strings.Contains(text, "\u2028") || strings.Contains(text, "\u2029")
}

// cutLine returns the first line of text, a part of d's text, by the line ends of Python's
// str.splitlines. size is its length including the line end.
func (d *doc) cutLine(text string) (line string, size int) {
	if !d.plain {
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

package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// place describes the surroundings of a text.
type place struct {
	oneLine bool // in a heading: line breaks become spaces
	cell    bool // in a cell: line breaks become br tags, and bars are escaped
	strike  bool // text is marked as deleted: every tilde is escaped
}

// appendText appends text[from:to] and escapes characters that would be parsed as markup.
// link reports whether the text is in the text of a link, start whether it begins a line
// of a paragraph, and more whether markup follows.
func appendText(dst []byte, text string, from, to int, c place, link, start, more bool) []byte {
	if start && !c.oneLine && !c.cell {
		dst, from = lineStart(dst, text, from, to)
	}
	for i := from; i < to; i++ {
		run := i
		for i < to && !special[text[i]] {
			i++
		}
		if dst = append(dst, text[run:i]...); i == to {
			break
		}
		b := text[i]
		next := byte(0) // in this stretch of text
		if i+1 < to {
			next = text[i+1]
		}
		esc := false
		switch b {
		case '\\':
			esc = isPunct(next) || i+1 == to
		case '`':
			esc = true
		case '*':
			esc = !(blankAt(text, i-1, from, to) && blankAt(text, i+1, from, to))
		case '_':
			esc = !(wordBefore(text[from:i]) && wordAfter(text[i+1:to])) && !(blankAt(text, i-1, from, to) && blankAt(text, i+1, from, to))
		case '~':
			esc = c.strike || next == '~' || !blankAt(text, i-1, from, to)
		case '[':
			esc = link || next == '^'
		case ']':
			esc = link || next == '(' || next == ':' || next == '['
		case '<':
			esc = isLetter(next) || next == '/' || next == '!' || next == '?' || i+1 == to && more || isMail(text[i+1:])
		case '&':
			esc = isReference(text[i:to])
		case '!':
			esc = i+1 == to && more || next == '[' && link
		case '|':
			esc = c.cell
		case '#':
			// At the end of a heading, it would be the closing sequence.
			esc = c.oneLine && strings.Trim(text[i:], "#") == "" && (i == 0 || isGap(text[i-1]) || dst[len(dst)-1] == '#')
		case '\n', '\r':
			dst = append(dst, ' ')
			continue
		}
		if esc {
			dst = append(dst, '\\')
		}
		dst = append(dst, b)
	}
	return dst
}

// special holds the bytes that may need an escape.
var special = func() (t [256]bool) {
	for _, c := range []byte("\\`*_~[]<&!|#\n\r") {
		t[c] = true
	}
	return t
}()

// lineStart appends and escapes the start of a line, text[from:to], if it would be parsed
// as block markup. It returns the offset of the rest of the line.
func lineStart(dst []byte, text string, from, to int) ([]byte, int) {
	line := text[from:to]
	if line == "" {
		return dst, from
	}
	at := -1 // index of the byte to escape
	switch b := line[0]; {
	case b == '#':
		n := len(line) - len(strings.TrimLeft(line, "#"))
		if n <= 6 && (n == len(line) || isGap(line[n])) {
			at = 0
		}
	case b == '>':
		at = 0
	case b == '-' || b == '+' || b == '*':
		if len(line) == 1 || isGap(line[1]) {
			at = 0
		}
	case '0' <= b && b <= '9':
		n := 0
		for n < len(line) && '0' <= line[n] && line[n] <= '9' {
			n++
		}
		if n <= 9 && n < len(line) && (line[n] == '.' || line[n] == ')') && (n+1 == len(line) || isGap(line[n+1])) {
			at = n
		}
	case b == '[':
		if len(line) > 2 && line[2] == ']' && (line[1] == ' ' || line[1]|0x20 == 'x') {
			at = 0
		}
	}
	if at < 0 && strings.IndexByte("-=:|~", line[0]) >= 0 && (strings.Trim(line, "-=:| ") == "" || strings.HasPrefix(line, "~~~") || strings.HasPrefix(line, "---")) {
		at = 0
	}
	if at < 0 {
		return dst, from
	}
	dst = append(dst, line[:at]...)
	dst = append(dst, '\\', line[at])
	return dst, from + at + 1
}

func isGap(c byte) bool { return c == ' ' || c == '\t' }

// blankAt reports whether text[i] is white space and i is in [from, to).
func blankAt(text string, i, from, to int) bool {
	return from <= i && i < to && (isGap(text[i]) || text[i] == '\n')
}

func wordBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return isWord(r)
}

func wordAfter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isWord(r)
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// maxReference is the maximum length of a character reference in bytes.
const maxReference = 34

// isReference reports whether s begins with a character reference.
func isReference(s string) bool {
	for i := 1; i < len(s) && i < maxReference; i++ {
		c := s[i]
		if c == ';' {
			return i > 1
		}
		if !isLetter(c) && !('0' <= c && c <= '9') && !(c == '#' && i == 1) {
			return false
		}
	}
	return false
}

// isMail reports whether s begins like an e-mail address, up to and including the "@". In
// angle brackets, CommonMark makes a link of an address.
func isMail(s string) bool {
	i := 0
	for i < len(s) && (isLetter(s[i]) || '0' <= s[i] && s[i] <= '9' || strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", s[i]) >= 0) {
		i++
	}
	return i > 0 && i < len(s) && s[i] == '@'
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isPunct reports whether c is ASCII punctuation, which a backslash escapes.
func isPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

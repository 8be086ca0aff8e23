package extract

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/jsonscan"
)

// space moves to the next byte that is not white space, and returns it; 0 at the end.
func (r *stateReader) space() byte {
	for r.pos < len(r.src) {
		if c := r.src[r.pos]; c > ' ' {
			return c
		}
		r.pos++
	}
	return 0
}

// name reads the name of a member, quoted or not.
func (r *stateReader) name() string {
	if c := r.src[r.pos]; c == '"' || c == '\'' || c == '`' {
		return r.str()
	}
	from := r.pos
	for r.pos < len(r.src) && (isLetter(r.src[r.pos]) || '0' <= r.src[r.pos] && r.src[r.pos] <= '9' || r.src[r.pos] == '_' || r.src[r.pos] == '$') {
		r.pos++
	}
	return r.src[from:r.pos]
}

// skip skips a value.
func (r *stateReader) skip() {
	for depth := 0; ; {
		switch c := r.space(); c {
		case 0:
			return
		case '"', '\'', '`':
			r.str()
		case '{', '[', '(':
			depth++
			r.pos++
		case '}', ']', ')':
			if depth == 0 {
				return
			}
			depth--
			r.pos++
		case ',':
			if depth == 0 {
				return
			}
			r.pos++
			continue
		default:
			r.pos++
			continue
		}
		if c := r.space(); depth == 0 && (c == ',' || c == '}' || c == ']') {
			return
		}
	}
}

// str reads a string.
func (r *stateReader) str() string {
	quote := r.src[r.pos]
	r.pos++
	from := r.pos
	for r.pos < len(r.src) && r.src[r.pos] != quote {
		if r.src[r.pos] == '\\' {
			r.pos++
		}
		r.pos++
	}
	raw := r.src[from:min(r.pos, len(r.src))]
	r.pos = min(r.pos+1, len(r.src))
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var b strings.Builder
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			i++
			continue
		}
		c, rest := unescapeJS(raw[i:])
		b.WriteString(c)
		i += len(raw[i:]) - len(rest)
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

// unescapeJS decodes the escape sequence at the start of s, and returns the text and the rest of s.
func unescapeJS(s string) (text, rest string) {
	if len(s) < 2 {
		return "", ""
	}
	switch s[1] {
	case 'n', 'r':
		return "\n", s[2:]
	case 't', 'b', 'f', 'v':
		return " ", s[2:]
	case 'u', 'x':
		if s[1] == 'x' && len(s) >= 4 {
			if c, err := strconv.ParseUint(s[2:4], 16, 8); err == nil {
				return string(rune(c)), s[4:]
			}
		}
		if digits, after, ok := strings.Cut(strings.TrimPrefix(s[2:], "{"), "}"); ok && strings.HasPrefix(s[2:], "{") {
			if c, err := strconv.ParseUint(digits, 16, 24); err == nil {
				return string(rune(c)), after
			}
		}
		if c, n := jsonscan.Unicode(s[2:]); n > 0 && s[1] == 'u' {
			return string(c), s[2+n:]
		}
		return "", s[2:]
	}
	_, n := utf8.DecodeRuneInString(s[1:])
	return s[1 : 1+n], s[1+n:]
}

package metadata

import (
	"strings"

	"chaffinch/internal/jsonscan"
)

// endString moves to the byte after the string that begins at pos, and returns its raw content. A
// quote ends the string if the bytes after it may follow a string; other quotes belong to the text.
func (p *parser) endString() string {
	from := p.pos + 1
	likely := -1 // the first quote before a comma
	for i := from; ; i++ {
		n := strings.IndexByte(p.src[i:], '"')
		if n < 0 && likely >= 0 { // no other quote ends the string, nor later ones
			p.pos, p.last = likely+1, true
			return p.src[from:likely]
		}
		if n < 0 {
			p.pos = len(p.src)
			return p.src[from:]
		}
		i += n
		back := i
		for back > from && p.src[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 1 {
			continue
		}
		k, broken := i+1, false
		for k < len(p.src) && p.src[k] <= ' ' {
			broken = broken || p.src[k] == '\n'
			k++
		}
		if k == len(p.src) || strings.IndexByte(":}]", p.src[k]) >= 0 || broken || p.src[k] == ',' && (p.last || startsNext(p.src[k+1:])) {
			p.pos = i + 1
			return p.src[from:i]
		}
		if likely < 0 && p.src[k] == ',' {
			likely = i
		}
	}
}

// startsNext reports whether s, after a comma, begins with another value or member, perhaps with a name
// without quotes, or the end of the list or object; otherwise the comma probably belongs to text.
func startsNext(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n")
	if s == "" || strings.IndexByte("\"'{}[],/-0123456789", s[0]) >= 0 {
		return true
	}
	n := 0
	for n < len(s) && isLetter(s[n]) {
		n++
	}
	switch s[:n] {
	case "true", "false", "null":
		return true
	}
	return n > 0 && strings.HasPrefix(strings.TrimLeft(s[n:], " "), ":")
}

// str reads a string.
func (p *parser) str() string {
	raw := truncate(p.endString(), p.maxText)
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c != '\\' || i+1 == len(raw) {
			b.WriteByte(c)
			continue
		}
		i++
		switch raw[i] {
		case 'n', 'r', 't', 'f', 'b':
			b.WriteByte(' ')
		case 'u':
			r, n := jsonscan.Unicode(raw[i+1:])
			b.WriteRune(r)
			i += n
		default:
			b.WriteByte(raw[i])
		}
	}
	// A \u without digits is two bytes and becomes three.
	return truncate(b.String(), p.maxText)
}

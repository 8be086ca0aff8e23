package metadata

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// unescape returns the text of an attribute or a title: references decoded, white space collapsed.
func unescape(s string) string {
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
		if strings.Contains(s, "&amp;") || strings.Contains(s, "&#") || strings.Contains(s, "&quot;") { // escaped twice
			s = html.UnescapeString(s)
		}
	}
	return collapse(s)
}

// unescapeURL decodes the references in an address. References without semicolon are parts of the
// query.
func unescapeURL(s string) string {
	s = strings.TrimSpace(s)
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i:]
		end := strings.IndexByte(s[:min(len(s), 32)], ';')
		if end < 0 {
			b.WriteByte('&')
			s = s[1:]
			continue
		}
		b.WriteString(html.UnescapeString(s[:end+1]))
		s = s[end+1:]
	}
}

// collapse replaces runs of white space by one space and drops invisible characters.
func collapse(s string) string {
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		c := s[i]
		clean = c > ' ' && c < 0x7F || c == ' ' && i > 0 && s[i-1] != ' ' && i+1 < len(s)
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	blank := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			blank = b.Len() > 0
		case unicode.Is(unicode.Cc, r), r == 0xAD, r == 0x200B, r == 0x2060, r == 0xFEFF:
		default:
			if blank {
				b.WriteByte(' ')
				blank = false
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

// truncate returns the first n bytes of s, without the bytes of a cut character.
func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Limits of the text of an element.
const (
	maxTextBytes   = 400
	maxSourceBytes = 6000
)

// blockTags holds the elements that separate lines.
var blockTags = map[string]bool{"p": true, "div": true, "br": true, "li": true, "ul": true, "ol": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true,
	"td": true, "tr": true, "section": true, "header": true, "footer": true, "figure": true, "img": true, "svg": true, "time": true}

// textOf returns the text of an element up to its end tag, with line breaks between blocks and
// within limits.
func textOf(src string, from span) string {
	if from.at >= len(src) {
		return ""
	}
	s := src[from.at:min(len(src), from.at+maxSourceBytes)]
	var b strings.Builder
	var last byte // last byte of the text so far
	for depth := 1; len(s) > 0 && b.Len() < maxTextBytes; {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			i = len(s)
		}
		if i > 0 && b.Len() > 0 && last != 0 && isWord(last) && isWord(s[0]) {
			b.WriteByte('\n') // adjacent inline elements may be separated by the style sheet
		}
		if i > 0 {
			last = s[i-1]
		}
		b.WriteString(unwrap(s[:i]))
		s = s[i:]
		if s == "" {
			break
		}
		if strings.HasPrefix(s, "<!--") {
			_, s, _ = strings.Cut(s, "-->")
			continue
		}
		n := 1
		closing := n < len(s) && s[n] == '/'
		if closing {
			n++
		}
		from0 := n
		for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9') {
			n++
		}
		name := s[from0:n]
		if name == "" {
			b.WriteByte('<')
			s = s[1:]
			continue
		}
		end := strings.IndexByte(s, '>')
		if end < 0 {
			break
		}
		selfClosed := s[end-1] == '/'
		s = s[end+1:]
		if strings.EqualFold(name, from.element) {
			if closing {
				depth--
			} else if !selfClosed {
				depth++
			}
			if depth == 0 {
				break
			}
		}
		lower := strings.ToLower(name)
		switch {
		case !closing && (lower == "script" || lower == "style" || lower == "svg" || lower == "noscript"):
			if _, rest, ok := strings.Cut(s, "</"+name); ok {
				s = rest
				_, s, _ = strings.Cut(s, ">")
			}
			b.WriteByte('\n')
		case blockTags[lower]:
			b.WriteByte('\n')
		}
	}
	return lines(html.UnescapeString(b.String()))
}

// unwrap replaces each line break by a space, or removes it between two Chinese or Japanese
// characters.
func unwrap(s string) string {
	before, after, ok := strings.Cut(s, "\n")
	if !ok {
		return s
	}
	var b strings.Builder
	for ok {
		last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " \t\r"))
		after = strings.TrimLeft(after, " \t\r\n")
		next, _ := utf8.DecodeRuneInString(after)
		if runes.IsWide(last) && runes.IsWide(next) {
			b.WriteString(strings.TrimRight(before, " \t\r"))
		} else {
			b.WriteString(before + " ")
		}
		before, after, ok = strings.Cut(after, "\n")
	}
	b.WriteString(before)
	return b.String()
}

// isWord reports whether c is part of a word.
func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c >= 0x80 }

// lines collapses the white space of each line and drops empty lines.
func lines(s string) string {
	var out []string
	for l := range strings.SplitSeq(s, "\n") {
		if l = collapse(l); l != "" {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

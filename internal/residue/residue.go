// Package residue recognises code that remains in text when software fails to render it: shortcodes
// of content systems, placeholders of templates, escaped tags, style rules and scripts. [Share]
// returns the fraction of such code, and [IsCode] compares it with a limit. Lists of UUIDs count as
// code.
package residue

import (
	"strings"
	"unicode"

	"chaffinch/internal/runes"
	"chaffinch/internal/sets"
)

// maxSpan is the maximum length in bytes of a tag, shortcode or placeholder.
const maxSpan = 2000

// maxFailed is the number of unmatched braces after which no more groups are searched.
const maxFailed = 64

// minCodeShare is the fraction of code from which a paragraph or a line is not text. Prose about code has
// less, even if it explains a tag (docs/guides/clean-labelling.md).
const minCodeShare = .6

// IsCode reports whether so much of text is leftover code that it is not text. Text without the
// characters ; [ < and { is none, unless it consists of UUIDs.
func IsCode(text string) bool { return Share(text) >= minCodeShare || isUUIDs(text) }

// isUUIDs reports whether most of text consists of UUIDs, such as the identifiers of hidden widgets.
func isUUIDs(text string) bool {
	const length = 36 // 8, 4, 4, 4 and 12 hexadecimal digits with hyphens between them
	covered := 0
	for i := strings.IndexByte(text, '-'); i >= 0; {
		if i >= 8 && i+28 <= len(text) && text[i+5] == '-' && text[i+10] == '-' && text[i+15] == '-' && areHex(text[i-8:i]) && areHex(text[i+16:i+28]) {
			covered += length
			i += 27
		}
		next := strings.IndexByte(text[i+1:], '-')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return float64(covered) >= minCodeShare*float64(len(text)) && covered > 0
}

// areHex reports whether s consists of hexadecimal digits.
func areHex(s string) bool {
	for i := range len(s) {
		if !runes.IsHex(s[i]) {
			return false
		}
	}
	return true
}

// Share returns the fraction of the characters of text, except white space, that belong to code. It
// is 0 for text without braces, square or angle brackets and semicolons.
func Share(text string) float64 {
	if strings.IndexByte(text, ';') < 0 && strings.IndexByte(text, '[') < 0 && strings.IndexByte(text, '<') < 0 && strings.IndexByte(text, '{') < 0 {
		return 0
	}
	code := spans(text)
	if len(code) == 0 {
		return 0
	}
	all, in, at := 0, 0, 0
	for i, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		for at < len(code) && code[at].end <= i {
			at++
		}
		if all++; at < len(code) && code[at].start <= i {
			in++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(in) / float64(all)
}

// elements lists the names of the tags that editors escape by mistake.
var elements = sets.Words("a abbr article aside audio b blockquote body br button center code div em embed fieldset figcaption figure font " +
	"footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input label li link main meta nav noscript object ol option p param picture pre " +
	"script section select small source span strike strong style sub sup svg table tbody td textarea tfoot th thead title tr u ul video")

// span is a range of the text.
type span struct{ start, end int }

// spans returns the parts of text that are code, in order.
func spans(text string) (out []span) {
	failed := 0 // braces that begin no group
	from := 0   // start of the statement or rule that contains i
	mark := func(start, end int) {
		for len(out) > 0 && out[len(out)-1].end > start { // a rule includes code found in its head
			start = min(start, out[len(out)-1].start)
			out = out[:len(out)-1]
		}
		out = append(out, span{start, end})
		from = end
	}
	for i := 0; i < len(text); i++ {
		n := 0
		switch text[i] {
		case '<':
			n = tag(text[i:])
		case '[':
			n = shortcode(text[i:], text)
		case '{':
			if i > 0 && text[i-1] == '$' {
				if n = variable(text[i:]); n > 0 {
					mark(i-1, i+n)
					i += n - 1
				}
				continue
			}
			if n = placeholder(text[i:]); n == 0 {
				if failed < maxFailed {
					n = group(text[i:])
				}
				if n > 0 {
					mark(head(text, from, i, 4), i+n)
					i += n - 1
					continue
				}
				failed++
			}
		case ';':
			if statement(text[from:i]) {
				mark(head(text, from, i, 4), i+1)
			} else {
				from = i + 1
			}
			continue
		}
		if n > 0 {
			mark(i, i+n)
			i += n - 1
		}
	}
	return out
}

// tag returns the length of the HTML tag, comment or processing instruction at the start of s, 0 if
// there is none.
func tag(s string) int {
	name := strings.TrimPrefix(s[1:], "/")
	switch {
	case strings.HasPrefix(s, "<%"):
		return upTo(s, "%>")
	case strings.HasPrefix(s, "<?"):
		return upTo(s, "?>")
	case strings.HasPrefix(s, "<!--"):
		return upTo(s, "-->")
	}
	k := 0
	for k < len(name) && (isLetter(name[k]) || '1' <= name[k] && name[k] <= '6') {
		k++
	}
	if k == len(name) || strings.IndexByte(" \n\t/>", name[k]) < 0 || !elements[strings.ToLower(name[:k])] {
		return 0
	}
	return upTo(s, ">")
}

// shortcode returns the length of the shortcode at the start of s, the rest of text: [vc_row],
// [caption id="a"], [/caption], or [caption] if text also closes it.
func shortcode(s, text string) int {
	name := strings.TrimPrefix(s[1:], "/")
	k := 0
	for k < len(name) && (isLetter(name[k]) || '0' <= name[k] && name[k] <= '9' || name[k] == '_' || name[k] == '-') {
		k++
	}
	n := upTo(s, "]")
	if k < 2 || n == 0 || !isLetter(name[0]) {
		return 0
	}
	closes := name[0] != s[1]
	rest := s[:n]
	switch {
	case strings.IndexByte(name[:k], '_') > 0 && (name[k] == ']' || name[k] == ' '),
		name[k] == ' ' && strings.IndexByte(rest, '=') > 0 && strings.IndexByte(rest, '"') > 0,
		closes && name[k] == ']',
		name[k] == ']' && strings.Contains(text, "[/"+name[:k]+"]"):
		return n
	}
	return 0
}

// variable returns the length of the name in braces at the start of s.
func variable(s string) int {
	n := upTo(s, "}")
	for i := 1; i < n-1; i++ {
		if c := s[i]; !isLetter(c) && (c < '0' || c > '9') && strings.IndexByte("._ []()'\"", c) < 0 {
			return 0
		}
	}
	return n
}

// placeholder returns the length of the template placeholder at the start of s: {{ name }} or {% if
// %}.
func placeholder(s string) int {
	switch {
	case strings.HasPrefix(s, "{{"):
		if n := upTo(s, "}}"); n > 0 && !wikiTemplate(s[2:n]) {
			for n < len(s) && s[n] == '}' {
				n++
			}
			return n
		}
	case strings.HasPrefix(s, "{%"):
		return upTo(s, "%}")
	}
	return 0
}

// wikiTemplate reports whether s, the text after two braces, is a wiki template with a parameter,
// which contains text: name|key=value.
func wikiTemplate(s string) bool {
	name, rest, ok := strings.Cut(s, "|")
	if !ok || name == "" || strings.ContainsAny(rest, "\"'") {
		return false
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && r != ' ' {
			return false
		}
	}
	key, _, ok := strings.Cut(rest, "=")
	return ok && name[0] != ' ' && isWord(key)
}

// group returns the length of the group in braces at the start of s if it contains declarations,
// statements or quoted members and is not a formula. A group that is never closed extends to the
// end of s.
func group(s string) int {
	depth, marks := 0, 0
	signs := false // of a declaration or a statement
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '=', '(':
			signs = true
		case '}':
			if depth--; depth == 0 {
				if marks == 0 {
					return 0
				}
				return i + 1
			}
		case ';':
			if signs {
				marks++
			}
		case ':':
			signs = true
			if s[i-1] == '"' || s[i-1] == '\'' {
				marks++
			}
		case '\\':
			if i+1 < len(s) && isLetter(s[i+1]) && s[i+1] != 'n' && s[i+1] != 'u' {
				return 0 // TeX
			}
		}
	}
	if marks < 2 {
		return 0
	}
	return len(s)
}

// head returns the start of the rule or statement whose braces or end are at end. It is not before
// from, and not in text before the rule: maxWords consecutive words without symbols occur only in
// text.
func head(text string, from, end, maxWords int) int {
	for words, i := 0, end; i > from; {
		k := strings.LastIndexAny(text[from:i], " \n\t") + 1 + from
		if word := text[k:i]; isWord(word) {
			if words++; words == maxWords {
				return end
			}
		} else if word != "" {
			words = 0
		}
		i = max(k-1, from)
	}
	return from
}

// isWord reports whether word is a word of text: letters, possibly followed by punctuation.
func isWord(word string) bool {
	word = strings.TrimRight(word, ".,:!?")
	for _, r := range word {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return word != ""
}

// statement reports whether s, the text before a semicolon, is a statement: a call or an
// assignment.
func statement(s string) bool {
	s = strings.TrimSpace(s)
	for _, word := range [...]string{"var ", "let ", "const ", "return ", "new "} {
		s = strings.TrimPrefix(s, word)
	}
	k := 0
	for k < len(s) && (isLetter(s[k]) || '0' <= s[k] && s[k] <= '9' || strings.IndexByte("_$.[]'\"", s[k]) >= 0) {
		k++
	}
	rest := strings.TrimLeft(s[k:], " ")
	if k == 0 || rest == "" {
		return false
	}
	return rest[0] == '(' && rest[len(rest)-1] == ')' && len(rest) == len(s)-k || // no space before the arguments of a call
		rest[0] == '=' && head(s, 0, len(s), 3) == 0
}

// upTo returns the length of s up to and including mark, 0 if it exceeds maxSpan.
func upTo(s, mark string) int {
	i := strings.Index(s[:min(len(s), maxSpan)], mark)
	if i < 0 {
		return 0
	}
	return i + len(mark)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

package tag

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxForm is the maximum length in bytes of a form that is analysed as a whole. Of longer forms,
// the first and last bytes are.
const maxForm = 96

// Normalized forms of tokens that are recognised by rules. They begin with a byte that is in no
// other normalized form.
const (
	formURL      = "\x01url"
	formEmail    = "\x01email"
	formMention  = "\x01mention"
	formHashtag  = "\x01hashtag"
	formEmoji    = "\x01emoji"
	formEmoticon = "\x01emoticon"
)

// Web lists the normalized forms of web tokens, with the part of speech they have if a treebank
// has none of them. As in the web treebanks of Universal Dependencies, symbols are SYM.
var Web = []struct{ Form, UPOS string }{
	{formURL, "X"}, {formEmail, "X"}, {formMention, "PROPN"}, {formHashtag, "X"}, {formEmoji, "SYM"}, {formEmoticon, "SYM"},
}

// Normalize returns the form by which a word is looked up: in lower case, with plain apostrophes
// and with 0 for every digit. Web tokens have a form for each kind of token.
func (c *Config) Normalize(form string) string {
	if w := web(form); w != "" {
		return w
	}
	return string(c.appendNormal(make([]byte, 0, len(form)+8), clip(form)))
}

// similar lists groups of punctuation marks that a treebank may have only one of.
var similar = [][]string{
	{"\"", "“", "”", "„", "«", "»", "''", "``", "‟", "‹", "›", "『", "』", "「", "」", "＂"},
	{"'", "‚", "‛", "`"},
	{"-", "–", "—", "―", "‐", "‑", "−", "--"},
	{"...", "…", "..", "....", "⋯"},
	{"•", "·", "*", "●", "▪", "■", "◦", "‣", "►", "▶", "○", "♦", "➤", "✓", "✔"},
	{"(", "[", "{"},
	{")", "]", "}"},
	{"|", "¦", "│", "‖", "/", "\\"},
}

// aliases returns the marks that a lexicon does not have, with the most frequent mark of their group
// that it has, or a comma.
func aliases(words *lexicon) map[string]string {
	out := map[string]string{}
	for _, group := range similar {
		var best Word
		for _, mark := range group {
			if w := words.get(mark); w.Readings != nil && (best.Readings == nil || w.Count > best.Count) {
				best = w
			}
		}
		if best.Readings == nil {
			best = words.get(",")
		}
		for _, mark := range group {
			if best.Readings != nil && !words.has(mark) {
				out[mark] = best.Form
			}
		}
	}
	return out
}

// maxDigits is the maximum number of digits in a row of a normalized form.
const maxDigits = 5

func (c *Config) appendNormal(dst []byte, form string) []byte {
	digits := 0
	for _, r := range form {
		switch {
		case r >= '0' && r <= '9' || r > 0x7f && unicode.IsDigit(r):
			if digits++; digits <= maxDigits {
				dst = append(dst, '0')
			}
			continue
		case r == '’' || r == '‘' || r == 'ʼ' || r == '´' || r == '`' && len(form) > 1:
			r = '\''
		case r < 0x20:
			r = ' '
		default:
			r = c.lower(r)
		}
		digits = 0
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

// lower returns the lower case of r in the language.
func (c *Config) lower(r rune) rune {
	switch {
	case r < 'A':
		return r
	case r <= 'Z':
		if c.Turkic && r == 'I' {
			return 'ı'
		}
		return r + 'a' - 'A'
	case r < 0x80:
		return r
	}
	return unicode.ToLower(r)
}

// lowerString returns s in lower case.
func (c *Config) lowerString(s string) string { return strings.Map(c.lower, s) }

// title returns s with an upper-case first letter.
func (c *Config) title(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(c.upper(r)) + s[n:]
}

func (c *Config) upper(r rune) rune {
	if c.Turkic && r == 'i' {
		return 'İ'
	}
	return unicode.ToUpper(r)
}

// plain returns form with plain apostrophes.
func plain(form string) string {
	if !strings.ContainsAny(form, "’‘ʼ") {
		return form
	}
	return apostrophes.Replace(form)
}

var apostrophes = strings.NewReplacer("’", "'", "‘", "'", "ʼ", "'")

// clip shortens a form that is too long to its first and last bytes.
func clip(form string) string {
	if len(form) <= maxForm {
		return form
	}
	a, b := maxForm/2, len(form)-maxForm/2
	for a > 0 && !utf8.RuneStart(form[a]) {
		a--
	}
	for b < len(form) && !utf8.RuneStart(form[b]) {
		b++
	}
	return form[:a] + form[b:]
}

// Shapes of words: the case of the letters, and flags.
const (
	shapeLower = iota
	shapeTitle // first letter in upper case
	shapeUpper // two or more letters, all in upper case
	shapeMixed
	shapeInitial // one letter, in upper case
	shapeNone    // no letter
	shapeDigit   = 1 << 3
	shapeHyphen  = 1 << 4
	shapeStop    = 1 << 5
)

// shapeOf returns the shape of a form.
func shapeOf(form string) (s uint8) {
	letters, uppers, first := 0, 0, false
	for _, r := range form {
		switch {
		case r >= 'a' && r <= 'z':
			letters++
		case r >= 'A' && r <= 'Z' || r > 0x7f && unicode.IsUpper(r):
			if letters == 0 {
				first = true
			}
			letters++
			uppers++
		case r >= '0' && r <= '9' || r > 0x7f && unicode.IsDigit(r):
			s |= shapeDigit
		case r == '-' || r == '‐' || r == '–':
			s |= shapeHyphen
		case r == '.':
			s |= shapeStop
		case r > 0x7f && (unicode.IsLetter(r) || unicode.IsMark(r)):
			letters++
		}
	}
	switch {
	case letters == 0:
		return s | shapeNone
	case uppers == 0:
		return s // shapeLower is 0
	case uppers == letters && letters == 1:
		return s | shapeInitial
	case uppers == letters:
		return s | shapeUpper
	case first && uppers == 1:
		return s | shapeTitle
	}
	return s | shapeMixed
}

// HasWord reports whether a form has a letter or a digit: punctuation before it does not end the
// beginning of a sentence.
func HasWord(form string) bool {
	for i := range len(form) {
		switch c := form[i]; {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9':
			return true
		case c >= 0x80:
			return strings.ContainsFunc(form[i:], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		}
	}
	return false
}

// shouts reports whether a sentence is written in capitals: most of its words have two or more
// letters, all in upper case.
func shouts(words []*Analysis) bool {
	upper, other := 0, 0
	for _, w := range words {
		switch w.shape & 7 {
		case shapeUpper:
			upper++
		case shapeLower, shapeTitle, shapeMixed:
			if other++; other > len(words)/5 {
				return false
			}
		}
	}
	return upper >= 3 && upper >= 4*other
}

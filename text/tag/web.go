package tag

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// web returns the normalized form of a web token, "" for other tokens.
func web(form string) string {
	if len(form) < 2 {
		return ""
	}
	c := form[0]
	switch {
	case c >= 0xe2 || c == '\xc2': // U+2000 and more
		if isEmoji(form) {
			return formEmoji
		}
	case c == '@' && isName(form[1:]):
		return formMention
	case c == '#' && isTag(form[1:]):
		return formHashtag
	case strings.IndexByte(emoticonStarts, c) >= 0 && isEmoticon(form):
		return formEmoticon
	}
	if len(form) < 5 {
		return ""
	}
	if strings.ContainsAny(form, ".:") {
		switch {
		case isURL(form):
			return formURL
		case isEmail(form):
			return formEmail
		}
	}
	return ""
}

// isURL reports whether a form is an address with a scheme, or begins with www.
func isURL(form string) bool {
	if i := strings.Index(form, "://"); i > 0 && len(form) > i+3 {
		for _, c := range []byte(form[:i]) {
			if c|0x20 < 'a' || c|0x20 > 'z' {
				return false
			}
		}
		return true
	}
	return len(form) > 6 && strings.EqualFold(form[:4], "www.")
}

// unknown returns the form by which an unknown address or date is looked up, "" for other forms.
func (m *Model) unknown(form, norm string) string {
	switch {
	case len(form) < 4 || norm[0] == '\x01':
	case isHost(form):
		if !m.words.has(norm) {
			return formURL
		}
	case isDate(form):
		if !m.words.has(norm) && m.words.has("00") {
			return "00" // a number
		}
	}
	return ""
}

// hosts are frequent top-level domains. Words such as it and de are not in the list.
var hosts = []string{"com", "org", "net", "edu", "gov", "uk", "fr", "pl", "ru", "pt", "tr", "nl", "gr", "ua", "ру", "рф", "укр"}

// isHost reports whether a form is the name of a host with a known top-level domain in lower case,
// perhaps with a path: example.com, example.org/news.
func isHost(form string) bool {
	host, _, _ := strings.Cut(form, "/")
	dot := strings.LastIndexByte(host, '.')
	if dot < 2 || !slices.Contains(hosts, host[dot+1:]) {
		return false
	}
	letter := false
	for i, r := range host[:dot] {
		switch {
		case unicode.IsLetter(r):
			letter = true
		case unicode.IsDigit(r):
		case (r == '.' || r == '-') && i > 0 && host[i-1] != '.' && host[i-1] != '-':
		default:
			return false
		}
	}
	return letter && host[dot-1] != '.' && host[dot-1] != '-'
}

// isDate reports whether a form is a date or a time in digits: 14-05-2013, 14.05.2013, 5/14/2013,
// 12:30:15.
func isDate(form string) bool {
	mark, marks, digits := byte(0), 0, 0
	for i := range len(form) {
		c := form[i]
		switch {
		case c >= '0' && c <= '9':
			if digits++; digits > 4 {
				return false
			}
		case strings.IndexByte("-./:", c) < 0 || digits == 0 || mark != 0 && c != mark:
			return false
		default:
			mark, digits = c, 0
			marks++
		}
	}
	return digits > 0 && (marks == 2 || marks == 1 && mark == ':' && digits == 2)
}

// isEmail reports whether a form is an e-mail address.
func isEmail(form string) bool {
	name, host, ok := strings.Cut(form, "@")
	dot := strings.LastIndexByte(host, '.')
	return ok && name != "" && dot > 0 && dot < len(host)-2 && !strings.ContainsAny(host, "@/ ") && HasWord(host[dot:])
}

// isName reports whether s is a user name: ASCII letters, digits and underscores with a letter.
func isName(s string) bool {
	letter := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_':
			letter = true
		case c >= '0' && c <= '9' || c == '.' && i > 0:
		default:
			return false
		}
	}
	return letter
}

// isTag reports whether s is the name of a hashtag: letters, marks, digits and underscores with a
// letter.
func isTag(s string) bool {
	letter := false
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letter = true
		case r == '_' || unicode.IsDigit(r) || unicode.IsMark(r):
		default:
			return false
		}
	}
	return letter
}

// emoji are the blocks of pictographs.
var emoji = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x231a, Hi: 0x231b, Stride: 1}, {Lo: 0x2600, Hi: 0x27bf, Stride: 1}, {Lo: 0x2b50, Hi: 0x2b55, Stride: 5}},
	R32: []unicode.Range32{{Lo: 0x1f000, Hi: 0x1faff, Stride: 1}},
}

// isEmoji reports whether a form consists of pictographs, modifiers and joiners.
func isEmoji(form string) bool {
	r, _ := utf8.DecodeRuneInString(form)
	if !unicode.Is(emoji, r) {
		return false
	}
	for _, r := range form {
		if !unicode.Is(emoji, r) && r != 0x200d && r != 0xfe0f && r != 0x20e3 {
			return false
		}
	}
	return true
}

// Parts of emoticons.
const (
	emoticonStarts = ":;=8xX<^-TO>("
	emoticonMouths = ")(DPpOo/\\|3*]["
)

// isEmoticon reports whether a form is an emoticon, such as :-) or <3.
func isEmoticon(form string) bool {
	switch form {
	case "<3", "^^", "^_^", "-_-", "T_T", "O_o", "o_O", "xD", "XD", "</3", "(:", "(;", ">:(", ">:)":
		return true
	}
	if c := form[0]; c != ':' && c != ';' && c != '=' && c != '8' {
		return false
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(form[1:], "'"), "-")
	if rest == "" || form[0] == '8' && rest == form[1:] {
		return false
	}
	for i := range len(rest) {
		if strings.IndexByte(emoticonMouths, rest[i]) < 0 || rest[i] != rest[0] {
			return false
		}
	}
	return true
}

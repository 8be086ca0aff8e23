package extract

import (
	"strings"
	"unicode/utf8"
)

// quotation holds the quotation marks of a language, outer and inner.
type quotation struct{ open, close, innerOpen, innerClose string }

// quotations holds the quotation marks that browsers put around q elements, by language (CLDR,
// delimiters). Other languages use the English ones.
var quotations = func() map[string]quotation {
	m := map[string]quotation{}
	for langs, marks := range map[string]string{
		"cs de hr is mk sk sl":         "„ “ ‚ ‘",
		"bg lt":                        "„ “ „ “",
		"et ka":                        "„ “ « »",
		"ca el es it pt-pt sq":         "« » “ ”",
		"fr hy":                        "« » « »",
		"be ru uk":                     "« » „ “",
		"nb nn no":                     "« » ‘ ’",
		"pl ro":                        "„ ” « »",
		"fi he sv":                     "” ” ’ ’",
		"hu":                           "„ ” » «",
		"fa":                           "« » ‹ ›",
		"ja zh-hant zh-hk zh-mo zh-tw": "「 」 『 』",
		"ar":                           "” “ ’ ‘",
	} {
		f := strings.Fields(marks)
		for lang := range strings.FieldsSeq(langs) {
			m[lang] = quotation{f[0], f[1], f[2], f[3]}
		}
	}
	return m
}()

var englishQuotes = quotation{"“", "”", "‘", "’"}

// quotationOf returns the quotation marks for a language tag.
func quotationOf(lang string) quotation {
	lang = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(lang), "_", "-"))
	for lang != "" {
		if q, ok := quotations[lang]; ok {
			return q
		}
		lang = lang[:max(strings.LastIndexByte(lang, '-'), 0)]
	}
	return englishQuotes
}

// quote shows the quotation mark before or after the q element on top of the stack.
func (s *scan) quote(e *element, begins bool) {
	l := &s.lex
	if begins {
		e.quoted = s.muted == 0 && s.verbatim == 0 && !startsQuoted(l.src[l.pos:])
	}
	if !e.quoted || !begins && !s.w.open {
		return
	}
	q := s.quotation
	if s.openByTag[tagQ]%2 == 0 { // includes e
		q.open, q.close = q.innerOpen, q.innerClose
	}
	if begins {
		s.show(q.open, l.start, l.end)
		return
	}
	at := min(l.start, len(l.src)-1)
	s.show(q.close, at, at+1)
}

// startsQuoted reports whether the text of an element, at the start of src, begins with a quotation
// mark, or spans several blocks.
func startsQuoted(src string) bool {
	src = src[:min(len(src), 500)]
	for strings.HasPrefix(src, "<") { // tags before the text
		end := 1
		for end < len(src) && !endsName(src[end]) {
			end++
		}
		if lookup(src[1:end]).has(isBlock) {
			return true
		}
		_, src, _ = strings.Cut(src, ">")
	}
	r, _ := utf8.DecodeRuneInString(src)
	if r == '&' {
		val, _ := decodeRef(src)
		r, _ = utf8.DecodeRuneInString(val)
	}
	return strings.ContainsRune(`"“”„«»‘’‚‹›「『`, r)
}

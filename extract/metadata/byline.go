package metadata

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/lazyregexp"
)

// bylinePattern matches the start of a byline.
var bylinePattern = lazyregexp.New(`(?i)^\W*(?:(?:view all posts|show all articles|(?:\pL+ ){0,2}(?:written|posted|published|reported|reviewed|story|article|words|text|report|submitted|created|post|recipe|photos?)|geschrieben|veröffentlicht|verfasst|erstellt|artikel|beitrag|posté|publié|écrit|escrito|publicado|pubblicato|scritto)\s+)?` +
	`(?:(?:by|of|von|par|por|di|da|door|przez|od|av|af)\b\s*:?\s*|(?:authors?|by|autor(?:in|en|es|a)?|auteurs?|autore|автор|συντάκτης|text|interview|words|redaktion|reporter|作者|文|记者|撰文|来源|编辑)\s*[:：/|]\s*)+`)

// cutByline returns s without a match of bylinePattern.
func cutByline(s string) string {
	if !mayStartByline(s) {
		return s
	}
	return s[len(bylinePattern().FindString(s)):]
}

// bylineWords holds the words of ASCII letters that bylinePattern requires before a name. The first
// wholeWords of them are whole words; others may continue.
var bylineWords = [...]string{"by", "of", "von", "par", "por", "di", "da", "door", "przez", "od", "av", "af",
	"author", "autor", "auteur", "text", "interview", "words", "redaktion", "reporter"}

const wholeWords = 12

// bylineLeads holds the first bytes of the letters of other scripts in bylinePattern, and of the
// two that equal ASCII letters regardless of case, U+017F and U+212A.
var bylineLeads = [256]bool{0xC5: true, 0xCE: true, 0xCF: true, 0xD0: true, 0xE2: true, 0xE4: true, 0xE6: true, 0xE7: true, 0xE8: true}

// mayStartByline reports whether bylinePattern may match s: the first word or a word after white
// space is one of bylineWords, or s has letters of bylineLeads.
func mayStartByline(s string) bool {
	first := true
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			if bylineLeads[c] {
				return true
			}
		case isNameByte(c):
			if (first || strings.IndexByte("\t\n\f\r ", s[i-1]) >= 0) && isBylineWord(s[i:]) {
				return true
			}
			first = false
			for i+1 < len(s) && isNameByte(s[i+1]) {
				i++
			}
		}
	}
	return false
}

// isNameByte reports whether c is an ASCII letter, a digit or "_".
func isNameByte(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '_' }

// isBylineWord reports whether s begins with one of bylineWords.
func isBylineWord(s string) bool {
	for i, w := range &bylineWords {
		if s[0]|0x20 == w[0] && len(s) >= len(w) && strings.EqualFold(s[:len(w)], w) &&
			(i >= wholeWords || len(s) == len(w) || !isNameByte(s[len(w)])) {
			return true
		}
	}
	return false
}

// bylineStarts holds common starts of bylines.
var bylineStarts = [...]string{"by ", "by:", "von ", "von:", "par ", "por ", "por:", "written by", "posted by", "text by", "text:", "words by", "autor:", "autorin:", "author:", "auteur :", "автор:",
	"作者:", "作者：", "文/", "文|", "记者"}

// bylineStartBytes holds the first bytes of bylineStarts, in lower case.
var bylineStartBytes = func() (t [256]bool) {
	for _, o := range bylineStarts {
		t[o[0]|0x20] = true
		if o[0] >= utf8.RuneSelf {
			upper := strings.ToUpper(o)
			t[upper[0]|0x20] = true
		}
	}
	return t
}()

// startsByline reports whether a block begins like a byline.
func startsByline(s string) bool {
	for len(s) > 0 && s[0] < utf8.RuneSelf && !isLetter(s[0]) {
		s = s[1:]
	}
	if s == "" || !bylineStartBytes[s[0]|0x20] {
		return false
	}
	for _, o := range &bylineStarts {
		if len(s) > len(o) && (s[0]|0x20 == o[0] || s[0] >= utf8.RuneSelf) && strings.EqualFold(s[:len(o)], o) {
			return true
		}
	}
	// "By" and a name in adjacent elements
	rest, ok := strings.CutPrefix(s, "By")
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && unicode.IsUpper(r)
}

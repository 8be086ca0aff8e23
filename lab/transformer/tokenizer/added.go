package tokenizer

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token that is found in the text before the model is applied.
type addedToken struct {
	text       []byte // as searched
	id         int32
	singleWord bool // only if not adjacent to a letter or digit
	lstrip     bool // includes the white space before it
	rstrip     bool // includes the white space after it
}

// addedTokens finds tokens in a text: the leftmost, and of these the longest.
type addedTokens struct {
	byFirst [256][]addedToken // longest first
	firsts  []byte            // the bytes that begin a token
}

func newAddedTokens(tokens []addedToken) *addedTokens {
	if len(tokens) == 0 {
		return nil
	}
	a := &addedTokens{}
	for _, t := range tokens {
		c := t.text[0]
		if len(a.byFirst[c]) == 0 {
			a.firsts = append(a.firsts, c)
		}
		a.byFirst[c] = append(a.byFirst[c], t)
	}
	for _, list := range a.byFirst {
		slices.SortStableFunc(list, func(x, y addedToken) int { return len(y.text) - len(x.text) })
	}
	return a
}

// next finds the first token at or after from; ok is false if there is none.
func (a *addedTokens) next(text []byte, from int) (t addedToken, at int, ok bool) {
	for at = from; at < len(text); at++ {
		if len(a.firsts) == 1 {
			i := bytes.IndexByte(text[at:], a.firsts[0])
			if i < 0 {
				return t, 0, false
			}
			at += i
		}
		for _, t := range a.byFirst[text[at]] {
			if bytes.HasPrefix(text[at:], t.text) {
				return t, at, true
			}
		}
	}
	return t, 0, false
}

// section is a part of a text: a token, or the text between tokens.
type section struct {
	start, end int
	id         int32 // -1 for text
}

// cut appends the sections of text to dst. a may be nil.
func (a *addedTokens) cut(dst []section, text []byte) []section {
	done := 0
	for from := 0; a != nil; {
		t, at, ok := a.next(text, from)
		if !ok {
			break
		}
		start, end := at, at+len(t.text)
		from = end
		if t.singleWord && (wordBefore(text[:start]) || wordBehind(text[end:])) {
			continue
		}
		if t.lstrip {
			start = max(done, len(bytes.TrimRightFunc(text[:start], unicode.IsSpace)))
		}
		if t.rstrip {
			end = len(text) - len(bytes.TrimLeftFunc(text[end:], unicode.IsSpace))
		}
		if done < start {
			dst = append(dst, section{done, start, -1})
		}
		dst = append(dst, section{start, end, t.id})
		done = end
	}
	if done < len(text) {
		dst = append(dst, section{done, len(text), -1})
	}
	return dst
}

func wordBefore(b []byte) bool {
	r, n := utf8.DecodeLastRune(b)
	return n > 0 && isWord(r)
}

func wordBehind(b []byte) bool {
	r, n := utf8.DecodeRune(b)
	return n > 0 && isWord(r)
}

// isWord reports whether \w of Unicode's regular expressions matches r (UTS 18, annex C).
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}

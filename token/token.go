// Package token cuts text into sentences and words.
//
// A [Tokenizer] follows the rules of unitok, which are data of each language: one
// scanner goes over the text once and finds tokens and sentences in the same pass.
// In scripts without spaces between words a trained model finds them (package
// token/segment). [Words] alone uses the word boundaries of Unicode Standard
// Annex 29 (UAX 29).
package token

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// Span is a byte span of a text: text[Start:End].
type Span struct{ Start, End int }

// Words appends the words of text to dst and returns it. A word is a segment
// of UAX 29 that begins with a letter or a digit; punctuation, symbols and
// white space are left out. Scripts written without spaces give one word per
// character (Chinese) or per run (Thai), as in the annex.
func Words(text string, dst []Span) []Span {
	it := words.FromString(text)
	for it.Next() {
		s, e := it.Start(), it.End()
		c := text[s]
		if c < utf8.RuneSelf {
			if asciiAlnum[c] {
				dst = append(dst, Span{s, e})
			}
			continue
		}
		r, _ := utf8.DecodeRuneInString(text[s:e])
		if unicode.In(r, unicode.L, unicode.N) {
			dst = append(dst, Span{s, e})
		}
	}
	return dst
}

// asciiAlnum marks the ASCII letters and digits.
var asciiAlnum = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	}
	return t
}()

// Package token splits text into tokens and sentences. [For] returns the [Tokenizer] of a
// language, and [Tokenizer.Split] returns tokens and sentences.
//
// A [Tokenizer] follows the rules of unitok, which are data for each language. A single pass
// over the text finds both tokens and sentences. In scripts without spaces between words, a
// trained model finds the words (package text/token/segment). Programs embed the models by
// import _ "chaffinch/model/data/segmenters". Only [Words] uses the word boundaries of Unicode
// Standard Annex 29 (UAX 29).
package token

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// Span is a byte span of a text: text[Start:End].
type Span struct{ Start, End int }

// Words appends the words of text to dst and returns it. A word is a segment of UAX 29 that
// begins with a letter or a digit. Punctuation, symbols and white space are skipped. Scripts
// written without spaces yield one word per character (Chinese) or per run (Thai), as in the
// annex.
func Words(text string, dst []Span) []Span {
	it := words.FromString("")
	for i := 0; i < len(text); {
		c := text[i]
		if end := asciiSegment(text, i); end > 0 {
			if asciiAlnum[c] {
				dst = append(dst, Span{i, end})
			}
			i = end
			continue
		}
		it.SetText(text[i:])
		it.Next()
		end := i + it.End()
		if c < utf8.RuneSelf {
			if asciiAlnum[c] {
				dst = append(dst, Span{i, end})
			}
		} else if r, _ := utf8.DecodeRuneInString(text[i:end]); unicode.In(r, unicode.L, unicode.N) {
			dst = append(dst, Span{i, end})
		}
		i = end
	}
	return dst
}

// asciiSegment returns the end of the segment that begins at i, or of a part of a segment that
// is not a word. It returns 0 if the ASCII bytes at i do not suffice to decide.
func asciiSegment(text string, i int) (end int) {
	if c := text[i]; c >= utf8.RuneSelf || c == '_' {
		return 0
	}
	end = i + 1
	word := asciiAlnum[text[i]]
	for word && end < len(text) && text[end] < utf8.RuneSelf && asciiAlnum[text[end]] {
		end++
	}
	if end == len(text) {
		return end
	}
	next := text[end]
	if next >= utf8.RuneSelf {
		return 0 // it may join
	}
	if word && asciiJoins[next] && (end+1 == len(text) || next == '_' || text[end+1] >= utf8.RuneSelf || asciiAlnum[text[end+1]]) {
		return 0
	}
	return end
}

// asciiJoins marks bytes that may join letters or digits.
var asciiJoins = func() (t [utf8.RuneSelf]bool) {
	for _, c := range "_'.:,;" {
		t[c] = true
	}
	return t
}()

// asciiAlnum marks the ASCII letters and digits.
var asciiAlnum = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	}
	return t
}()

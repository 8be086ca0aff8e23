package token

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// Tokenizer cuts text of one language into tokens and sentences. It is safe
// for concurrent use.
type Tokenizer struct{ lang string }

// For returns the tokenizer of a language, named by a BCP 47 tag ("de",
// "pt-BR", "zh-Hant"). A language without rules of its own, "" and "und" get
// the general rules. It never returns nil.
func For(lang string) *Tokenizer { return &Tokenizer{lang} }

// Words appends the tokens of text to dst and returns it: words, numbers,
// punctuation, everything that is not white space (see [IsSpace]). The spans
// are in order, do not overlap, are not empty and hold no white space, and
// each byte of text that is not white space lies in one of them, invalid UTF-8
// too. So the tokens and the white space between them are the text, byte for
// byte; two tokens with nothing between them stand together ("glue").
func (t *Tokenizer) Words(text string, dst []Span) []Span {
	it := words.FromString(text)
	for it.Next() {
		for s, end := it.Start(), it.End(); s < end; {
			n := strings.IndexFunc(text[s:end], IsSpace)
			switch {
			case n < 0:
				dst = append(dst, Span{s, end})
				s = end
			case n > 0:
				dst = append(dst, Span{s, s + n})
				s += n
			default:
				_, k := utf8.DecodeRuneInString(text[s:end])
				s += k
			}
		}
	}
	return dst
}

// Sentences appends the sentences of text to dst and returns it. The spans are
// in order, do not overlap, and begin and end with a token; only white space
// lies between them, and no token crosses an end.
func (t *Tokenizer) Sentences(text string, dst []Span) []Span {
	return Sentences(text, dst)
}

// IsSpace reports whether r is white space between tokens: the white space of
// Unicode (as [unicode.IsSpace]), the zero width space, which parts words in
// Thai, Lao, Khmer and Myanmar text, and the byte order mark. All other
// invisible characters belong to tokens.
func IsSpace(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' }

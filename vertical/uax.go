package vertical

import (
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"chaffinch/token"
)

// tokenizer is what a writer needs of a language.
type tokenizer interface {
	Words(text string, dst []token.Span) []token.Span
	Sentences(text string, dst []token.Span) []token.Span
}

// tokenizerFor returns the rules of a language.
func tokenizerFor(string) tokenizer { return uax{} }

// uax are the rules of Unicode Standard Annex 29 for every language.
type uax struct{}

func (uax) Sentences(text string, dst []token.Span) []token.Span { return token.Sentences(text, dst) }

func (uax) Words(text string, dst []token.Span) []token.Span {
	it := words.FromString(text)
	for it.Next() {
		if r, _ := utf8.DecodeRuneInString(text[it.Start():it.End()]); !unicode.IsSpace(r) {
			dst = append(dst, token.Span{Start: it.Start(), End: it.End()})
		}
	}
	return dst
}

package token_test

import (
	"strings"
	"testing"

	"chaffinch/text/token"
)

var benchTexts = map[string]string{
	"en": benchText,
	"de": "Am 3. Oktober fuhr Herr Dr. Krause, z.B. mit dem Zug, nach Köln. Er blieb dort 2,5 Tage; geht's gut? „Nichts hält“, schrieb er. ",
	"ru": "В 1985 г. он переехал в г. Москву и продал дом. «Ничто не вечно», — писал А. С. Иванов. Что он имел в виду? ",
}

// BenchmarkTokenizer reports tokens per second, of words and sentences in one go.
func BenchmarkTokenizer(b *testing.B) {
	for _, lang := range []string{"en", "de", "ru"} {
		b.Run(lang, func(b *testing.B) {
			text := strings.Repeat(benchTexts[lang], 500)
			tok := token.For(lang)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var words, sentences []token.Span
			for b.Loop() {
				words, sentences = tok.Split(text, words[:0], sentences[:0])
			}
			b.ReportMetric(float64(len(words))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mtokens/s")
		})
	}
}

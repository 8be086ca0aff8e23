package token

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPlain compares tokens and sentences with and without the fast path of plain words.
func TestPlain(t *testing.T) {
	parts := []string{" ", " ", " ", "  ", "\n", "a", "word", "cannot", "Gonna", "isn't", "l'eau", "C++", "z.B.", "Dr. ", ", ", ".", "@", "x@y.de", "-", "R&D",
		"extraordinarily", "ABC", "Zz", "12", "_", "é", "été", "`", "{", "[a]", "\x00", "\xff", "漢", "\u2019s", "http://a.b/c", ":", ";", "\"", "(", ")", "'tis ", "U.S.A. "}
	r := rand.New(rand.NewPCG(1, 2))
	for _, lang := range []string{"en", "fr", "de", "it", "fi", "he", "el", ""} {
		fast := For(lang)
		slow, rules := *fast, *fast.rules
		rules.plainEnd = [256]bool{}
		slow.rules = &rules
		for range 4000 {
			var b strings.Builder
			for range r.IntN(20) {
				b.WriteString(parts[r.IntN(len(parts))])
			}
			text := b.String()
			words, sentences := fast.Split(text, nil, nil)
			wantWords, wantSentences := slow.Split(text, nil, nil)
			if !slices.Equal(words, wantWords) || !slices.Equal(sentences, wantSentences) {
				t.Fatalf("%s: %q: %v %v, want %v %v", lang, text, words, sentences, wantWords, wantSentences)
			}
		}
	}
}

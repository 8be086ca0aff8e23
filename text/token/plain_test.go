package token

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPlain compares tokens and sentences with and without the fast paths of plain words and marks.
// It also compares the tokens of sentences with those of each sentence alone.
func TestPlain(t *testing.T) {
	parts := []string{" ", " ", " ", "  ", "\n", "a", "word", "cannot", "Gonna", "isn't", "l'eau", "C++", "z.B.", "Dr. ", ", ", ".", "@", "x@y.de", "-", "R&D",
		"extraordinarily", "end. ", "vs. ", "No. ", "Mr. X. ", "B. ", "word! ", "\u2026", " -1", " +2", ".NET", "#tag", "'90", "\u3002", "3. ", "1999. ", "\u00a0", "\u200b", " 's-x", "urn:", "z. B. ", "ABC", "Zz", "12", "_", "é", "été", "`", "{", "[a]", "\x00", "\xff", "漢", "\u2019s", "http://a.b/c", ":", ";", "\"", "(", ")", "'tis ", "U.S.A. "}
	r := rand.New(rand.NewPCG(1, 2))
	for _, lang := range []string{"en", "fr", "de", "it", "fi", "he", "el", "zh", "th", ""} {
		fast := For(lang)
		slow, rules := *fast, *fast.rules
		rules.plainEnd, rules.spacedEnd, rules.lone = [256]bool{}, [256]bool{}, [256]kind{}
		slow.rules = &rules
		for range 6000 {
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
			wantWords = wantWords[:0]
			for _, s := range wantSentences {
				wantWords = slow.WordsIn(text, s, wantWords)
			}
			if words, sentences = fast.SentenceWords(text, nil, nil); !slices.Equal(words, wantWords) || !slices.Equal(sentences, wantSentences) {
				t.Fatalf("%s: %q: of sentences %v %v, want %v %v", lang, text, words, sentences, wantWords, wantSentences)
			}
		}
	}
}

package token

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTokens compares Tokens with Words without fast paths and filters, for parts of a text.
func TestTokens(t *testing.T) {
	parts := []string{" ", " ", " ", " ", "  ", "\n", "a", "I", "word", "node", "node.js", "parts. ", "down", "d'ye", "more'n", "The", "vol", "etc", "No", "cannot", "can", "isn't", "don\u2019t", "l'eau", "L\u2019eau", "n't", "we'll", "'ve", "-t-il", "dammi-lo", "DON'T", "qu'", "b/C", "Y'all", "o'clock", "C++", "b/c", "z.B.", "z. B.", "Dr. ", ", ", ".", ". ", ". The ", "..", "...", "?", "! ", ": ", ";", ":)", "::", ",,",
		"@", "#tag", "x@y.de", "-", "R&D", "extraordinarily", "ABC", "Zz", "12", "12,", "7", "- ", "$ ", "7:", "7'", "7)", "3. ", "1,000", "_", "\u00e9", "\u00e9t\u00e9", "`", "{", "}", "[a]", "[12]", "\x00", "\xff", "\u6f22", "\u0301", "\u2019s", "http://a.b/c", "doi:10", "\"", "\"\"", "(", ")", "((", ")))", "'tis ", "U.S.A. ", "\u00a0"}
	only := map[TokenKind]*regexp.Regexp{OtherToken: regexp.MustCompile(``), LettersToken: regexp.MustCompile(`^[A-Za-z]+$`),
		DigitsToken: regexp.MustCompile(`^[0-9]+$`), MarkToken: regexp.MustCompile(`^[^\s\w[:^ascii:]]$`)}
	r := rand.New(rand.NewPCG(3, 2))
	for _, lang := range []string{"en", "fr", "de", "it", "fi", "he", "el", "hy", "sv", ""} {
		fast := For(lang)
		slow, rules := *fast, *fast.rules
		rules.plainEnd, rules.proclitics = [256]bool{}, true
		for i := range 256 {
			rules.literalBits[i], rules.enclitics[i] = 1<<64-1, bareEnclitic|withN
		}
		for i := range rules.spots {
			rules.spots[i], rules.splitSpots[i] = 1<<64-1, 1<<64-1
		}
		slow.rules = &rules
		for range 4000 {
			var b strings.Builder
			for range 3 + r.IntN(20) {
				b.WriteString(parts[r.IntN(len(parts))])
			}
			text := b.String()
			start := r.IntN(len(text) + 1)
			end := start + r.IntN(len(text)-start+1)
			if r.IntN(2) == 0 {
				start, end = 0, len(text)
			}
			var got []Span
			for _, w := range fast.Tokens(text, start, end, nil) {
				got = append(got, Span{int(w.Start), int(w.End)})
				word := text[w.Start:w.End]
				if !only[w.Kind].MatchString(word) {
					t.Fatalf("%q: %q has kind %d", text, word, w.Kind)
				}
				if n := utf8.RuneCountInString(word); int(w.Chars) != n {
					t.Fatalf("%q: %q has %d characters, want %d", text, word, w.Chars, n)
				}
			}
			want := slow.Words(text[start:end], nil)
			for i := range want {
				want[i].Start += start
				want[i].End += start
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %q: %v, want %v", lang, text[start:end], got, want)
			}
		}
	}
}

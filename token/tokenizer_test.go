package token_test

import (
	"strings"
	"testing"

	"chaffinch/token"
)

// checkWords checks the contract of Words: in order, no overlap, nothing lost,
// no white space inside.
func checkWords(t *testing.T, text string, words []token.Span) {
	t.Helper()
	end := 0
	for _, w := range words {
		if w.Start < end || w.End <= w.Start || w.End > len(text) {
			t.Fatalf("token %v after byte %d of %d", w, end, len(text))
		}
		if lost := strings.TrimFunc(text[end:w.Start], token.IsSpace); lost != "" {
			t.Fatalf("lost %q before byte %d", lost, w.Start)
		}
		if strings.IndexFunc(text[w.Start:w.End], token.IsSpace) >= 0 {
			t.Fatalf("white space in token %q", text[w.Start:w.End])
		}
		end = w.End
	}
	if lost := strings.TrimFunc(text[end:], token.IsSpace); lost != "" {
		t.Fatalf("lost %q at the end", lost)
	}
}

func FuzzWords(f *testing.F) {
	for _, c := range sentenceCases {
		f.Add("en", strings.ReplaceAll(c, "|", ""))
	}
	f.Add("", "a\u200db \u200d\xff\u200b\ufeff\x00\u0301 \r\n\u2028")
	f.Fuzz(func(t *testing.T, lang, text string) {
		checkWords(t, text, token.For(lang).Words(text, nil))
	})
}

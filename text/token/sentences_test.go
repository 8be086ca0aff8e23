package token

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/sentences"
	"pgregory.net/rapid"

	"chaffinch/internal/testkit/property"
)

// slowSentences is Sentences with the rules of UAX 29 applied to each character.
func slowSentences(text string) (dst []Span) {
	it := sentences.FromString(text)
	base, cut := 0, nextCut(text, 0)
	it.SetText(text[:cut])
	for {
		for it.Next() {
			s, e := trim(text, base+it.Start(), base+it.End())
			if s == e {
				continue
			}
			if n := len(dst); n > 0 && dst[n-1].End < s && dst[n-1].Start >= base && joins(text, dst[n-1], s) {
				dst[n-1].End = e
				continue
			}
			dst = append(dst, Span{s, e})
		}
		if cut == len(text) {
			return dst
		}
		base, cut = cut, nextCut(text, cut)
		it.SetText(text[base:cut])
	}
}

func checkSlow(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string) {
	t.Helper()
	if got, want := Sentences(text, nil), slowSentences(text); !slices.Equal(got, want) {
		t.Fatalf("%q: %v, wanted %v", text, got, want)
	}
}

// TestSentencesSlow compares Sentences with the rules applied to each character.
func TestSentencesSlow(t *testing.T) {
	pieces := []string{"a", "B", "7", " ", "  ", ".", "!", "?", ",", "\n", "\r\n", "\"", "(", ")", "'", "-", "\t", "é", "É", "ж", "Ω", "中", "。", "…", "’", "”", "“", "–",
		"\u00a0", "\u0301", "\u00ad", "\u200d", "\u2028", "\u0085", "\u037e", "\u0387", "\u2024", "\u203c", "\ufeff", "\xc3", "\x80", "\xe2\x80", "\xff", "word", "Mr.", "U.S.", "3.5", "e.g. so"}
	property.Check(t, func(t *rapid.T) {
		checkSlow(t, strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), ""))
	})
}

// TestSentencesCharacters compares texts with each character before and after an end.
func TestSentencesCharacters(t *testing.T) {
	for r := rune(0); r < 0x20000; r++ {
		if r > 0x500 && r < 0x2000 || r > 0x3100 && r < 0xfe00 {
			r += 6
		}
		if utf8.ValidRune(r) {
			c := string(r)
			checkSlow(t, "one "+c+" Two"+c+"Three. "+c+" Four"+c+". Five "+c+"six")
		}
	}
}

func FuzzSentencesSlow(f *testing.F) {
	f.Add("One “two.” Three’s a. b\xff. C\xc3")
	f.Fuzz(func(t *testing.T, text string) { checkSlow(t, text) })
}

package minhash

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/pytext"

	"golang.org/x/text/unicode/norm"

	"chaffinch/internal/testkit/must"
)

var (
	numbers = regexp.MustCompile(`\p{Nd}+([.,،٫⎖⎗⎘]\p{Nd}+)?`)
	texts   = []string{
		"", " ", "Straße ΟΔΟΣ İZMİR", "3.14 1,000,000.5 ٣٫١٤", "a\u0301 e\u0301\u0302 \u0301 \u0301x", "“quote” – dash… «x»",
		"tab\tand\nline\r\nend  ", "under_score ½ x² ǅ", "\xff\xfe broken \xc3", "한국어 각", "。，！？１２％", "0.", ".5", "1.2.3", "\u2000\u2001x\u00a0",
		"ohm \u2126 and sum \u03a3", "Ⱥ Ⱥ Ⱥ ΑΣ", "\u212a\u212b İ", "ẞ ΣΣ Ⱦ İ", "\u0130",
	}
)

// simpleSimplify does what datatrove does, step by step over the whole text.
func simpleSimplify(s string) string {
	s = numbers.ReplaceAllString(pytext.Lower(s), "0")
	s = strings.Map(func(r rune) rune {
		if punctuation(r) && !pytext.IsSpace(r) {
			return ' '
		}
		return r
	}, s)
	s = norm.NFD.String(pytext.Collapse(s))
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' })
	return strings.Join(words, " ")
}

// TestLower: simplify relies on what lower case does to single characters.
func TestLower(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		low := unicode.ToLower(r)
		if unicode.ToLower(low) != low {
			t.Errorf("%c: %c is not in lower case", r, low)
		}
		if utf8.ValidRune(r) && 2*utf8.RuneLen(low) > 3*utf8.RuneLen(r) {
			t.Errorf("%c: %c has more than half as many bytes more", r, low)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		valid := string(pytext.Decode([]byte(s)))
		if got, want := string(simplify(nil, []byte(valid))), simpleSimplify(valid); got != want {
			t.Errorf("simplify(%q)\n got %q\nwant %q", valid, got, want)
		}
		if got, want := string(appendLower([]byte("x"), []byte(valid))), "x"+pytext.Lower(valid); got != want {
			t.Errorf("lower(%q) = %q, want %q", valid, got, want)
		}
		notWord := func(r rune) bool { return !pytext.IsWord(r) }
		var words []string
		for from, low := 0, pytext.Lower(valid); ; {
			n := strings.IndexFunc(low[from:], notWord)
			if n < 0 {
				words = append(words, low[from:])
				break
			}
			words = append(words, low[from:from+n])
			from += n
			for from++; from < len(low) && low[from]&0xc0 == 0x80; from++ {
			}
		}
		if got, want := string(nonWords(nil, []byte(valid))), strings.Join(words, " "); got != want {
			t.Errorf("nonWords(%q) = %q, want %q", valid, got, want)
		}
		blank := func(r rune) bool { return r == ' ' }
		if got, want := string(spaces(nil, []byte(valid))), strings.Join(strings.FieldsFunc(pytext.Lower(valid), blank), " "); got != want {
			t.Errorf("spaces(%q) = %q, want %q", valid, got, want)
		}
		for _, p := range Presets { // broken UTF-8 as it stands
			m := must.Get(New(p.Config))(t)
			signer := m.newSigner()
			if shingles, ok := signer.Shingles(docOf(s)); ok {
				signer.Keys(nil, signer.Sign(shingles))
			}
		}
	})
}

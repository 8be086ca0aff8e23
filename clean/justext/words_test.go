package justext

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"chaffinch/internal/testkit/property"
)

func words(s string) (out []string) {
	if f := fold(s); f != "" {
		out = strings.Split(f, " ")
	}
	return out
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"The cat, the dog.":              "the|cat|the|dog",
		"Don't say 'no'!":                "don't|say|no",
		"l’eau d'ʼor rock ’n’ roll":      "l'eau|d|or|rock|n|roll",
		"dogs' tails''":                  "dogs|tails",
		"a''b":                           "a|b",
		"well-known e-mail":              "well|known|e|mail",
		"ÉTÉ Straße ΤΗΣ":                 "été|straße|τησ",
		"П'ять п’ять пʼять":              "п'ять|п'ять|п'ять",
		"soft\u00adhyphen می\u200cخواهم": "softhyphen|میخواهم",
		"3,5 % of 12 000":                "3|5|of|12|000",
		"हिन्दी भाषा":                    "हिन्दी|भाषा",
		"x\xffy":                         "x|y",
		"𐐀𐐁 word":                        "𐐨𐐩|word",
		" … – \u200b ' ":                 "",
		"":                               "",
	} {
		if got := strings.Join(words(in), "|"); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestPunctuationDoesNotHideStopWords(t *testing.T) {
	list := NewStoplist("en", []string{"the", "and"})
	const s = "The, (the) \"and\" the. trees"
	var m measurer
	if w, n := m.countWords(s, list); w != 5 || n != 4 {
		t.Errorf("words %d, stop words %d, want 5 and 4", w, n)
	}
	if w, n := m.countFields(s, list); w != 5 || n != 0 {
		t.Errorf("fields %d, stop words %d, want 5 and 0", w, n)
	}
	if w, n := m.countFields("THE\u00a0and\x1cthe—and the", list); w != 4 || n != 3 {
		t.Errorf("fields %d, stop words %d, want 4 and 3", w, n)
	}
}

// TestTables compares the tables for speed with the functions of unicode.
func TestTables(t *testing.T) {
	table := wideTable()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got, want := table.isWord(r), unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r); got != want {
			t.Errorf("%U: in words %v, want %v", r, got, want)
		}
		if got, want := table.toLower(r), unicode.ToLower(r); got != want && unicode.IsLetter(r) {
			t.Errorf("%U: lower case %U, want %U", r, got, want)
		}
	}
}

// plainWords cuts words by regular means, for text without apostrophes and
// joiners.
func plainWords(s string) []string {
	out := strings.FieldsFunc(strings.Map(unicode.ToLower, s), func(r rune) bool {
		return r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	})
	for i, w := range out {
		if strings.ContainsFunc(w, func(r rune) bool { return 0x300 <= r && r < 0x370 }) {
			out[i] = norm.NFC.String(w)
		}
	}
	return out
}

func TestWordsAgainstPlain(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		s := strings.Map(func(r rune) rune {
			if isApostrophe(r) || isJoiner(r) {
				return -1
			}
			return r
		}, rapid.String().Draw(t, "text"))
		if got, want := words(s), plainWords(s); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
	})
}

func TestCountAllocatesNothing(t *testing.T) {
	list := Embedded("en")
	s := strings.Repeat("It isn’t the ÉTÉ that we were waiting for, but пʼять. ", 20)
	var m measurer
	m.countWords(s, list)
	if n := testing.AllocsPerRun(20, func() { m.countWords(s, list); m.countFields(s, list) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCountWords(b *testing.B) {
	for _, c := range []struct{ lang, text string }{
		{"en", "The keeper of the light walked down to the harbour, as she did every evening, and counted the boats that had come home. "},
		{"ru", "Смотритель маяка спустилась к гавани, как делала это каждый вечер, и пересчитала лодки, которые вернулись домой. "},
		{"hi", "हर शाम की तरह वह बंदरगाह तक गई और घर लौटी हुई नावों को गिनती रही। "},
	} {
		s, list := strings.Repeat(c.text, 100), Embedded(c.lang)
		b.Run(c.lang, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			var m measurer
			for b.Loop() {
				m.countWords(s, list)
			}
		})
	}
}

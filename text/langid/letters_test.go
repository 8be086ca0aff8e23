package langid

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"chaffinch/text/langid/evidence"
)

// TestLetters: the script of most letters, regardless of other characters between them.
func TestLetters(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"12:30, 4 % + 7", ""},
		{"Ein Satz.", "Latn"},
		{"Việt Nam", "Latn"},
		{"Новости www.example.org", "Latn"},
		{"Новости дня www.ru", "Cyrl"},
		{"ひらがなと漢字", "Hani"},
		{"한국어 신문", "Hang"},
		{"اقرأ المزيد", "Arab"},
		{"d é", "Latn"},
	} {
		var l Letters
		l.Add(c.text)
		if got := l.Script(); got != c.want {
			t.Errorf("%q is written in %q, want %q", c.text, got, c.want)
		}
	}
	var l Letters
	l.Add("one two ")
	l.Add("три четыре пять")
	if got := l.Script(); got != "Cyrl" {
		t.Errorf("two texts are written in %q", got)
	}
}

// TestLettersOfASCII compares the counts of eight ASCII characters at once with single ones.
func TestLettersOfASCII(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		text := make([]byte, r.IntN(40))
		for i := range text {
			if text[i] = byte(r.IntN(utf8.RuneSelf)); r.IntN(20) == 0 {
				text[i] |= 0x80
			}
		}
		var got, want Letters
		got.Add(string(text))
		for i := 0; i < len(text); {
			s, size, ok := evidence.ScriptAt(string(text[i:]))
			if ok {
				want.n[s]++
			}
			i += size
		}
		if got != want {
			t.Fatalf("%q: %v, want %v", text, got.n, want.n)
		}
	}
}

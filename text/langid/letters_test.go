package langid

import "testing"

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

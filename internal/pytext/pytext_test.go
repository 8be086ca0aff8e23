package pytext

import (
	"slices"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/testkit/must"
)

// TestPython holds values that CPython 3.11.7 printed.
func TestPython(t *testing.T) {
	for in, want := range map[string]string{
		"ΟΔΟΣ": "οδος", "ΟΔΟΣ.": "οδος.", "Σ": "σ", "ΑΣΑ": "ασα", "Α.Σ": "α.ς", "ΑΣ'Β": "ασ'β",
		"İstanbul": "i̇stanbul", "ẞ": "ß", "ǅ": "ǆ", "ÀÉ": "àé", "Ω": "ω", "K": "k", "ᲐᲑ": "აბ", "Ꭰ": "ꭰ",
	} {
		if got := Lower(in); got != want {
			t.Errorf("Lower(%q) = %q, want %q", in, got, want)
		}
	}
	must.Same(t, Fields("a\x1cb\u3000c\u200bd\u00a0e\n"), []string{"a", "b", "c\u200bd", "e"}, "Fields")
	if got, want := Words("naïve x_1 don't e\u0301a ½² ३ क्ष"), []string{"naïve", "x_1", "don", "t", "e", "a", "½²", "३", "क", "ष"}; !slices.Equal(got, want) {
		t.Errorf("Words: %q, want %q", got, want)
	}
	must.Equal(t, Collapse("\u2003 a \r\n\x1f b\t"), "a b", "Collapse")
	for in, want := range map[string]string{
		"a\xffb": "a\ufffdb", "\xe2\x82": "\ufffd", "\xe2\x82x": "\ufffdx", "\xed\xa0\x80": "\ufffd\ufffd\ufffd",
		"\xf0\x9f\x98": "\ufffd", "\xf0\x80\x80": "\ufffd\ufffd\ufffd", "\xc0\xaf": "\ufffd\ufffd", "\xf4\x90\x80\x80": "\ufffd\ufffd\ufffd\ufffd",
		"\xe0\x80": "\ufffd\ufffd", "é\ufffd": "é\ufffd",
	} {
		if got := Decode([]byte(in)); got != want {
			t.Errorf("Decode(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestClasses(t *testing.T) {
	for _, c := range []struct {
		name string
		fn   func(rune) bool
		yes  string
		no   string
	}{
		{"IsUpper", IsUpper, "AÀΩⅣⒶ", "aß1中ǅ"},
		{"IsLower", IsLower, "aªⅳⓐß", "A1中ǅ"},
		{"IsDigit", IsDigit, "0٣९", "½²Ⅳ"},
		{"IsSpace", IsSpace, "\x1f\u0085\u2028\u205f", "\u200b\ufeff\u180e"},
	} {
		for _, r := range c.yes {
			if !c.fn(r) {
				t.Errorf("%s(%q) is false", c.name, r)
			}
		}
		for _, r := range c.no {
			if c.fn(r) {
				t.Errorf("%s(%q) is true", c.name, r)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("plain"))
	f.Add([]byte("\xe2\x82\xff\xf0\x9f\x98"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := Decode(b)
		if !utf8.ValidString(s) {
			t.Errorf("Decode(%q) = %q is not UTF-8", b, s)
		}
		if utf8.Valid(b) && s != string(b) {
			t.Errorf("Decode(%q) = %q", b, s)
		}
	})
}

package exact

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// appendSimply is [fold.append] one character at a time.
func (f fold) appendSimply(dst, text []byte) (out []byte, words int) {
	if !norm.NFC.IsNormal(text) {
		text = norm.NFC.Bytes(text)
	}
	in, number := false, false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		c := text[i : i+size]
		i += size
		switch {
		case unicode.IsSpace(r):
			in, number = false, false
			continue
		case f.punct && (unicode.IsPunct(r) || unicode.IsSymbol(r)):
			in, number = false, false
			continue
		}
		if !in {
			if words > 0 {
				dst = append(dst, ' ')
			}
			words++
			in = true
		}
		switch {
		case f.digits && unicode.IsDigit(r):
			if !number {
				dst = append(dst, '0')
			}
			number = true
			continue
		case f.lower:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		default:
			dst = append(dst, c...)
		}
		number = false
	}
	return dst, words
}

// FuzzFold compares with appendSimply, for each combination of settings.
func FuzzFold(f *testing.F) {
	for _, s := range []string{
		"", " ", "        ", "a b c d e f g h i", "One two  three\tfour \r\n five ", "1234567 1234567  x", " 12345678 ", "12345678 12345678", "1234567 \u00a0 1234567",
		"e\u0301tude \u00e9tude, caf\u00e9 cre\u0300me", "\u201cThe \u2019 end\u201d \u2000\u2001\u2002 x", "\u3000\u4e2d\u6587\u3000\u6587", "\xff\xc3\xe2\x80 abcdefgh \xe2\x80\xff abcdefgh\xcc",
		"abcdefg\u0301 \u0300abc", "Price 12,345 $ (No. 7)", "\u1100\u1161\u11a8", "\uac00\u11a8 \uac00", "\u03b1\u0301 \u0439", "\u0915\u093c\u0958", "\u09c7\u09be", "a\x00b\x1c\x1f \x7f\x85 x",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for k := range 8 {
			fold := fold{lower: k&1 > 0, digits: k&2 > 0, punct: k&4 > 0}
			got, n := fold.append([]byte("before"), text)
			want, m := fold.appendSimply([]byte("before"), text)
			if string(got) != string(want) || n != m {
				t.Fatalf("%+v: %q becomes %q of %d words, want %q of %d", fold, text, got, n, want, m)
			}
		}
	})
}

// TestCharacters compares the tests of single characters with Unicode.
func TestCharacters(t *testing.T) {
	for r := range rune(unicode.MaxRune + 1) {
		if got, want := isSpace(r), unicode.IsSpace(r); got != want {
			t.Errorf("%U is a space: %v, want %v", r, got, want)
		}
		if b := []byte("e" + string(r) + "e"); quickNormal(b) && !norm.NFC.IsNormal(b) {
			t.Errorf("%q is not NFC", b)
		}
	}
}

package lm

import (
	"slices"
	"strings"
	"testing"
)

func tokens(k Tokeniser, text string) (out []string) {
	t := NewTokens(k, text)
	for b := t.Next(); b != nil; b = t.Next() {
		out = append(out, string(b))
	}
	return out
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \t\n\x00", ""},
		{"The cat sat.", "the cat sat ."},
		{"Don't panic", "don't panic"},
		{"Don’t ‘quote’ “me”", "don't ' quote ' \" me \""},
		{"dogs' tails 'tis", "dogs ' tails ' tis"},
		{"In 1984, 3.14 or 1,000.", "in 0000 , 0.00 or 0,000 ."},
		{"v1.2 a.b e.g. 5.", "v0.0 a . b e . g . 0 ."},
		{"well-known — or – not", "well - known - or - not"},
		{"wait... what…?!", "wait ... what ... ? !"},
		{"---------- ====", "--- ==="},
		{"ÉCOLE Straße ΣΊΣΥΦΟΣ", "école straße σίσυφοσ"},
		{"İstanbul ıl K", "istanbul ıl k"},
		{"soft\u00adhyphen zero\u200bwidth", "softhyphen zerowidth"},
		{"日本語 テスト", "日 本 語 テ ス ト"},
		{"x日y", "x 日 y"},
		{"cafe\u0301 नमस्ते", "cafe\u0301 नमस्ते"},
		{"a_b foo@bar.com", "a_b foo @ bar . com"},
		{"٣٤ ½", "00 ½"},
		{"bad\xff\xfebytes", "bad \ufffd\ufffd bytes"},
		{"😀😀😀😀", "😀😀😀"},
		{strings.Repeat("X", 100) + " y", strings.Repeat("x", MaxTokenBytes) + " y"},
		{strings.Repeat("é", 100), strings.Repeat("é", MaxTokenBytes/2)},
	} {
		if got := strings.Join(tokens(Words, c.text), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := tokens(Blanks, " The  cat's\tA.\n"); !slices.Equal(got, []string{"The", "cat's", "A."}) {
		t.Errorf("blanks: %q", got)
	}
}

// What the tokeniser makes, it leaves as it is, but for tokens that were cut.
func FuzzTokens(f *testing.F) {
	for _, s := range []string{"The cat's 3.14 — “x”…", "日本", "\xff", "a\u0301'b", "'''a''b'", "İ1.2.3,,4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := tokens(Words, s)
		for _, w := range once {
			if len(w) == 0 || len(w) > MaxTokenBytes {
				t.Fatalf("%q: token %q", s, w)
			}
			if len(w) > MaxTokenBytes-4 {
				return
			}
		}
		text := strings.Join(once, " ")
		if twice := tokens(Words, text); !slices.Equal(once, twice) {
			t.Fatalf("%q: %q, then %q", s, once, twice)
		}
	})
}

package lm

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
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
		{strings.Repeat("X", 100) + " y", strings.Repeat("x", maxTokenBytes) + " y"},
		{strings.Repeat("é", 100), strings.Repeat("é", maxTokenBytes/2)},
	} {
		if got := strings.Join(tokens(Words, c.text), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	if got := tokens(Blanks, " The  cat's\tA.\n"); !slices.Equal(got, []string{"The", "cat's", "A."}) {
		t.Errorf("blanks: %q", got)
	}
}

// byBytes is next for the tokeniser Words without the loop over eight letters.
func (t *Tokens) byBytes() (n int) {
	for t.pos < len(t.text) && class[t.text[t.pos]] == skip {
		t.pos++
	}
	for ; t.pos < len(t.text) && class[t.text[t.pos]] > wide; t.pos++ {
		if n < maxTokenBytes {
			t.buf[n] = class[t.text[t.pos]]
			n++
		}
	}
	if n == 0 || t.pos < len(t.text) && glue[t.text[t.pos]] {
		n = t.slow(n)
	}
	return n
}

// TestWords compares words of all lengths with words that are read byte by byte. Eight zeros follow
// each word.
func TestWords(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	signs := []rune("abzAZ_019 .,'’-@[`{é\x00")
	for range 3000 {
		var text strings.Builder
		for range rnd.IntN(6) {
			for range rnd.IntN(30) + rnd.IntN(2)*rnd.IntN(60) {
				text.WriteByte("abzAZ"[rnd.IntN(5)])
			}
			for range rnd.IntN(4) {
				text.WriteRune(signs[rnd.IntN(len(signs))])
			}
		}
		got, want := NewTokens(Words, text.String()), NewTokens(Words, text.String())
		for {
			n := got.next()
			if m := want.byBytes(); !bytes.Equal(got.buf[:n], want.buf[:m]) || got.pos != want.pos {
				t.Fatalf("%q: %q to byte %d, wanted %q to byte %d", text.String(), got.buf[:n], got.pos, want.buf[:m], want.pos)
			}
			if n == 0 {
				break
			}
			if binary.LittleEndian.Uint64(got.buf[n:]) != 0 {
				t.Fatalf("%q: %q follows %q", text.String(), got.buf[n:n+8], got.buf[:n])
			}
		}
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
			if len(w) == 0 || len(w) > maxTokenBytes {
				t.Fatalf("%q: token %q", s, w)
			}
			if len(w) > maxTokenBytes-4 {
				return
			}
		}
		text := strings.Join(once, " ")
		if twice := tokens(Words, text); !slices.Equal(once, twice) {
			t.Fatalf("%q: %q, then %q", s, once, twice)
		}
	})
}

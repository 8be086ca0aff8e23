package onion

import (
	"bytes"
	"testing"
	"unicode"
	"unicode/utf8"

	"chaffinch/input/records"
)

// TestKey compares the keys of paragraphs with the keys of the same paragraphs, of which a simple
// loop has replaced the tokens with digits.
func TestKey(t *testing.T) {
	text := []byte("a1 bcdefghijk 2lmnopqrstuvw3x yz0123456789 no éa5 ٣٤ x٣ \u0663x /:; 7 end 3.5 x9")
	key := func(p []byte) uint64 {
		cfg := Default
		x := newText(&cfg)
		x.read(&records.Doc{URL: "http://a.example/", Paras: []records.Para{{Text: p}}})
		return x.units[0].key
	}
	for from := range text {
		for to := from; to <= len(text); to++ {
			p := text[from:to]
			var simple [][]byte
			for _, token := range bytes.Fields(p) {
				first, _ := utf8.DecodeRune(token)
				if bytes.ContainsAny(token, "0123456789") || unicode.IsDigit(first) {
					token = []byte("0")
				}
				simple = append(simple, token)
			}
			if got, want := key(p), key(bytes.Join(simple, []byte(" "))); got != want {
				t.Fatalf("%q: %x, want %x of %q", p, got, want, simple)
			}
		}
	}
}

// TestNextDigit searches for digits from all positions of a text.
func TestNextDigit(t *testing.T) {
	text := []byte("a1 bcdefghijk 2lmnopqrstuvw3x yz0123456789 é5 ٣٤ x٣ /:;")
	for from := range text {
		want := bytes.IndexAny(text[from:], "0123456789") + from
		if want < from {
			want = len(text)
		}
		if got := nextDigit(text, from); got != want {
			t.Errorf("from %d: %d, want %d", from, got, want)
		}
	}
}

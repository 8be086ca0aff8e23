package table

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "word": 4, "Žluťoučký": 9, "e\u0301": 1, "漢字": 4, "ｶﾅ": 2, "ＡＢ": 4, "한국": 4, "\u1112\u1161\u11ab": 2, "हिन्दी": 5, "a\u200db": 2, "co\u00adop": 4, "🙂": 2, "a\tb": 3,
	} {
		if got := Width(s); got != want {
			t.Errorf("%q: %d cells, want %d", s, got, want)
		}
	}
}

func TestWrite(t *testing.T) {
	x := New("word", ">hits", "note")
	x.Add("the", "1,204", "")
	x.Add("漢字", "7", "two wide")
	x.Add("a\tb", "33")
	var b strings.Builder
	must.Succeed(t, x.Write(&b, "| "))
	want := "" +
		"| word   hits  note\n" +
		"| the   1,204\n" +
		"| 漢字      7  two wide\n" +
		"| a b      33\n"
	must.Equal(t, b.String(), want)
}

// TestAligned: whatever the cells hold, numbers end at the same cell and every
// row is one line.
func TestAligned(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.String(), 1, 6).Draw(t, "words")
		x := New("w", ">n")
		for _, w := range words {
			x.Add(w, "9")
		}
		var b strings.Builder
		x.Write(&b, "")
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		if len(lines) != len(words)+1 {
			t.Fatalf("%d lines for %d rows", len(lines), len(words)+1)
		}
		for i, l := range lines {
			if Width(l) != Width(lines[0]) {
				t.Fatalf("line %d is %d cells wide, want %d: %q", i, Width(l), Width(lines[0]), l)
			}
		}
		if !utf8.ValidString(b.String()) && utf8.ValidString(strings.Join(words, "")) {
			t.Fatal("invalid UTF-8")
		}
	})
}

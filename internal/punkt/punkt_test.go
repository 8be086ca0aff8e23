package punkt

import (
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/pytext"
)

// TestEnglish holds what NLTK 3.10.4 printed for texts written here:
// PunktTokenizer("english").tokenize(text).
func TestEnglish(t *testing.T) {
	for _, want := range [][]string{
		{""},
		{"One", "One"},
		{"One. Two? Three!  ", "One.", "Two?", "Three!"},
		{"The ferry left at 7.30 p.m. on St. John's Eve. Nobody came.", "The ferry left at 7.30 p.m. on St. John's Eve.", "Nobody came."},
		{"Mr. Okafor met Dr. Lindqvist. She smiled.", "Mr. Okafor met Dr. Lindqvist.", "She smiled."},
		{"\"Whose is it?\" asked A. Moreau. (It was late.) 'No!' he said.", "\"Whose is it?\"", "asked A. Moreau.", "(It was late.)", "'No!'", "he said."},
		{"Wait... what?! Well. . . . Yes.", "Wait...", "what?!", "Well.", ".", ".", ".", "Yes."},
		{"The U.S. Navy came. The U.S. The end.", "The U.S. Navy came.", "The U.S.", "The end."},
		{"No. 4 raised her hand. no. 5 did not.", "No.", "4 raised her hand.", "no.", "5 did not."},
		{"She lives in Washington D.C. It snowed. In 1911. The bridge closed.", "She lives in Washington D.C.", "It snowed.", "In 1911.", "The bridge closed."},
		{"«Oui.» Elle part. “Fine.” He left.—So. -- And", "«Oui.»", "Elle part.", "“Fine.”", "He left.—So.", "-- And"},
		{"e.g. here, vs. there; cf. p. 12. Ok", "e.g.", "here, vs. there; cf.", "p. 12.", "Ok"},
		{"Prices: 3.50, 4.75 and 12. Buy now.", "Prices: 3.50, 4.75 and 12.", "Buy now."},
		{"line one.\nline two\n\nline three.", "line one.", "line two\n\nline three."},
		{"今天。 雨? 是", "今天。 雨?", "是"},
		{"a.b.c. D", "a.b.c.", "D"},
		{"end.) -- next. ] x", "end.)", "-- next. ]", "x"},
		{"J. Bach wrote it. I. Newton did not.", "J. Bach wrote it.", "I. Newton did not."},
		{"Inc. and Co. were. Corp. Was.", "Inc. and Co. were.", "Corp. Was."},
		{"ΑΒΓ. Δεν.", "ΑΒΓ.", "Δεν."},
		{"..", ".."},
		{"?　!x . y", "?", "!x .", "y"},
		{"etc.). Then (etc.) Now", "etc.).", "Then (etc.)", "Now"},
		{"Mt. Blanc etc. It rains. i. e. this", "Mt.", "Blanc etc.", "It rains.", "i. e. this"},
	} {
		text := want[0]
		var got []string
		for _, s := range English().Split(text) {
			got = append(got, text[s.Start:s.End])
		}
		if !slices.Equal(got, want[1:]) {
			t.Errorf("%q:\n got %q\nwant %q", text, got, want[1:])
		}
	}
}

func TestLoad(t *testing.T) {
	for _, s := range []string{"{", `{"Collocations": {"one": 1}}`} {
		if _, err := load([]byte(s)); err == nil || !strings.HasPrefix(err.Error(), "punkt parameters: ") {
			t.Errorf("load(%s): %v", s, err)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"", "A. B. C?! \"D.\" (E.)", "... . . . --", "a.\n\n\u3000b", "\xff. \xc3", "1. 2.3. -4,5."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, x := range English().Split(s) {
			if x.Start < end || x.End < x.Start || x.End > len(s) {
				t.Fatalf("%q: span %v after byte %d", s, x, end)
			}
			if pytext.Strip(s[end:x.Start]) != "" {
				t.Fatalf("%q: %q is in no sentence", s, s[end:x.Start])
			}
			end = x.End
		}
		if pytext.Strip(s[end:]) != "" {
			t.Fatalf("%q: %q is in no sentence", s, s[end:])
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	text := strings.Repeat("The ferry left at 7.30 p.m. on St. John's Eve. \"Whose is it?\" asked Mr. Okafor. No. 4 raised her hand! ", 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		English().Split(text)
	}
}

package token

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode"

	"chaffinch/internal/testkit"
	"chaffinch/page"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"", 0},
		{" - ", 0},
		{"one", 1},
		{"The well-kept dog's bone, 3.", 5},
		{"l’été de 1999", 3},
		{"Добрый день", 2},
		{"日本語です", 5},
		{"a\tb\nc", 3},
		{"Go言語 runs", 4},
		{"\xff\xfe", 0},
	} {
		if got := Count(c.text); got != c.want {
			t.Errorf("Count(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}

// simpleCount is Count without tables.
func simpleCount(text string) int {
	n, in := 0, false
	for _, r := range text {
		switch {
		case r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			n, in = n+1, false
		case r == '’' || r == 0xAD || r == '\'' || r == '-':
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			if !in {
				n, in = n+1, true
			}
		default:
			in = false
		}
	}
	return n
}

func TestCountEveryRune(t *testing.T) {
	testkit.Slow(t)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		for _, text := range []string{string(r), "a" + string(r) + "b", " " + string(r) + string(r) + "'"} {
			if got, want := Count(text), simpleCount(text); got != want {
				t.Fatalf("Count(%q) = %d, want %d", text, got, want)
			}
		}
	}
}

// TestCountBlocks compares the counts of blocks of bytes with the simple count, wherever words begin and
// end.
func TestCountBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const signs = "azAZ09 @[`{/:-'_.\n\x00\x7f"
	for range 50000 {
		text := make([]byte, rng.IntN(160))
		for i := range text {
			if text[i] = 'x'; rng.IntN(3) == 0 {
				text[i] = signs[rng.IntN(len(signs))]
			}
		}
		if rng.IntN(2) == 0 {
			text = slices.Insert(text, rng.IntN(len(text)+1), []byte("é言’ and so on")...)
		}
		if got, want := Count(string(text)), simpleCount(string(text)); got != want {
			t.Fatalf("Count(%q) = %d, want %d", text, got, want)
		}
	}
}

func FuzzCount(f *testing.F) {
	for _, s := range []string{"The well-kept dog's bone, 3.", "l’été", "日本語です x", "\xff-\xfe'a", "𠀀𠀁 𐐀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := Count(text), simpleCount(text); got != want {
			t.Errorf("Count(%q) = %d, want %d", text, got, want)
		}
	})
}

func TestCountPage(t *testing.T) {
	good, bad := page.Verdict{Label: page.Good}, page.Verdict{Label: page.Bad}
	half := page.Verdict{Label: page.Good, Sentences: []page.Sentence{{Start: 0, End: 4, Label: page.Bad}, {Start: 5, End: 14, Label: page.Good}}}
	p := &page.Page{Blocks: []page.Block{
		{Text: "Home", Verdict: bad}, {Text: "two words", Verdict: good}, {Text: "One. Two words.", Verdict: half},
		{Text: "not shown", Hidden: true, Verdict: bad}, {Text: "kept though hidden", Hidden: true, Verdict: good},
	}}
	if got, want := CountPage(p), (Tally{Blocks: 4, BlocksKept: 3, Words: 9, WordsKept: 7}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	p.Drop = page.AllBad
	if got, want := CountPage(p), (Tally{Blocks: 4, Words: 9}); got != want {
		t.Errorf("dropped: %+v, want %+v", got, want)
	}
}

func BenchmarkCount(b *testing.B) {
	const text = "The quick brown fox jumps over the lazy dog, and nobody knows why it did. "
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Count(text)
	}
}

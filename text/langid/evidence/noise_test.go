package evidence

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// plainToken is token byte by byte: its oracle.
func (s *shape) plainToken(text string, i int) int {
	start, prev := i, uint8(kindSpace)
	var sum struct{ chars, letters, ascii, digits, symbols, camel, inner int }
	vowel, broken := false, false
	for ; i < len(text) && kinds[text[i]] != kindSpace; i++ {
		c := text[i]
		k := kinds[c]
		switch k {
		case kindLower, kindUpper:
			sum.letters++
			if c < 0x80 {
				sum.ascii++
			}
			switch c | 0x20 {
			case 'a', 'e', 'i', 'o', 'u', 'y':
				vowel = true
			}
			vowel = vowel || c >= 0x80
			if prev == kindPoint && sum.letters > 1 && text[i-1] != '\'' && text[i-1] != '-' && text[i-1] < 0x80 {
				sum.inner++
			}
			if c < threeBytes && prev == kindPoint && text[i-1] >= 0x80 && text[i-1] < 0xc0 && sum.letters > 1 && !joins(text[start:i]) {
				broken = true
			}
			if k == kindUpper && prev == kindLower {
				sum.camel++
			}
		case kindDigit:
			sum.digits++
		case kindSymbol, kindSeparator:
			sum.symbols++
		}
		if k != kindMore {
			sum.chars++
			prev = k
		}
	}
	s.chars, s.letters, s.digits, s.symbols = s.chars+sum.chars, s.letters+sum.letters, s.digits+sum.digits, s.symbols+sum.symbols
	s.tokens++
	first := text[start]
	if sum.letters == 0 {
		if sum.chars == 1 && kinds[first] >= kindSymbol || kinds[first] == kindPoint && first >= 0x80 && i-start <= 3 {
			s.single++
		}
		return i
	}
	s.worded++
	s.camel += sum.camel
	if kinds[first] == kindUpper {
		s.capitals++
	}
	if sum.digits+sum.symbols+sum.inner > 0 {
		s.joined += sum.ascii
	}
	if sum.ascii > 25 {
		s.long += sum.ascii
	}
	if broken {
		s.broken++
	}
	if !vowel && sum.letters >= 4 {
		s.consonants++
	}
	return i
}

// TestToken compares token with its oracle.
func TestToken(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	parts := []string{"a", "b", "xyz", "rhtm", "B", "AB", "1", "20", ".", ",", "-", "'", "/", "|", "_", "é", "Ж", "ж", "’", "·", "\x80", "\xff", "averylongwordofmanyletters"}
	for range 20000 {
		text := ""
		for range 1 + rng.IntN(6) {
			text += parts[rng.IntN(len(parts))]
		}
		text += []string{"", " ", "\n"}[rng.IntN(3)]
		var got, want shape
		if g, w := got.token(text, 0), want.plainToken(text, 0); g != w || got != want {
			t.Fatalf("%q: %d, %+v, wanted %d, %+v", text, g, got, w, want)
		}
	}
}

// TestLook compares the tokens of whole texts with the oracle.
func TestLook(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	parts := []string{"a", "b", "the", "Word", "rhtm", "USA", "1", "20", ".", ", ", "-", "'", "/", "|", "_", "é", "Ж", "ж", "слово", "’", "«", "\x80", "\xff", "\xc2", "averylongwordofmanyletters",
		" ", " ", "  ", "\n", " (", ") ", "日本", "длинноеслово", strings.Repeat("é", 30), strings.Repeat("xyz", 30)}
	for range 50000 {
		text := ""
		for range rng.IntN(40) {
			if text += parts[rng.IntN(len(parts))]; rng.IntN(3) == 0 {
				text += " "
			}
		}
		var got, want shape
		got.look(text)
		for i := 0; i < len(text); i++ {
			if kinds[text[i]] != kindSpace {
				i = want.plainToken(text, i)
			}
		}
		if got != want {
			t.Fatalf("%q: %+v, wanted %+v", text, got, want)
		}
	}
}

func TestRepeats(t *testing.T) {
	for text, want := range map[string]int{"": 0, "aa": 0, "aaa": 1, "brrrr!!!!": 2, "ййй": 1, "йййц": 1, "йцйцйц": 0, "....": 0, "\xff\xff\xff\xff": 0, "a a a": 0} {
		if got := repeats(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// TestVectors compares the classes and the repeats of texts with their oracles.
func TestVectors(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	for size := range 200 {
		for range 100 {
			text := make([]byte, size)
			kinds := 1 + rng.IntN(256) // few different bytes have many repeats
			first := rng.IntN(256)
			for i := range text {
				if text[i] = byte(first + rng.IntN(kinds)); i >= 2 && rng.IntN(2) == 0 {
					text[i] = text[i-1-rng.IntN(2)]
				}
			}
			var got, want block
			got.read(string(text))
			if want.readGo(string(text)); got != want {
				t.Fatalf("%q: classes %x, want %x", text, got, want)
			}
			if got, want := repeats(string(text)), repeatsGo(string(text), 2); got != want {
				t.Fatalf("%q: %d repeats, want %d", text, got, want)
			}
		}
	}
}

// TestWeights holds what Model.sure takes for granted: a script of nine letters in ten is
// that of the text.
func TestWeights(t *testing.T) {
	for i, a := range weights[1:] {
		for k, b := range weights[1:] {
			if 9*a <= b {
				t.Errorf("%s weighs %d, %s %d: nine letters of the first do not outweigh one of the other", Scripts[i+1].Name, a, Scripts[k+1].Name, b)
			}
		}
	}
}

// TestBroken wants symbols between letters to count, but not spaces and dashes.
func TestBroken(t *testing.T) {
	for text, want := range map[string]int{"Ã©tÃ© dÃ©jÃ": 2, "wyjechał\u00a0z\u00a0domu na\u00a0dwa dni": 0, "tous\u202fles, voilà\u2009tout": 0, "l’été – déjà": 0} {
		var s shape
		s.look(text)
		if s.broken != want {
			t.Errorf("%q: %d, want %d", text, s.broken, want)
		}
	}
}

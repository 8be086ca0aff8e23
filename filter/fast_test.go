package filter

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// randomText is text of a few characters, so that rare ones meet.
func randomText(rnd *rand.Rand) string {
	chars := []string{"a", "Z", "A", "z", "@", "[", "`", "{", "\n", "\r", "\x1c", "\t", " ", "\x00", "\x1f", "\x7f", "é", "\u0085", "\u2028", "\u212a", "漢", "\xff"}
	var b strings.Builder
	plain := rnd.IntN(2) == 0 // so that eight of ASCII stand in a row
	for range rnd.IntN(40) {
		if plain && rnd.IntN(12) > 0 {
			b.WriteByte("aAzZ@[`{ "[rnd.IntN(9)])
		} else {
			b.WriteString(chars[rnd.IntN(len(chars))])
		}
	}
	return b.String()
}

// TestEightBytes compares what is done eight bytes at a time with the same byte by
// byte.
func TestEightBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := randomText(rnd)
		found := uint8(0)
		for i := range len(text) {
			found |= byteClass[text[i]]
		}
		if got := classesOf(text); got != found {
			t.Fatalf("%q: classes %b, want %b", text, got, found)
		}
		lower := strings.Map(func(r rune) rune {
			if r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
			return r
		}, strings.ReplaceAll(strings.ToValidUTF8(text, "?"), "\u212a", "k"))
		if got := string(appendLower(nil, strings.ToValidUTF8(text, "?"))); got != lower {
			t.Fatalf("%q: in lower case %q, want %q", text, got, lower)
		}
		if i := rnd.IntN(len(text) + 1); hashToken(text, 0, i) != hashToken(text[:i], 0, i) || hashToken(text, i, len(text)) != hashToken(text[i:]+"01234567", 0, len(text)-i) {
			t.Fatalf("%q: the hash of a part depends on what stands beside it", text)
		}
	}
}

// TestSieve: what was added twice is always told, of the rest nearly nothing.
func TestSieve(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	var s sieve
	for _, n := range []int{0, 1, 60, 5000, 100} {
		count := map[uint64]int{}
		s.reset(n)
		for range n {
			h := rnd.Uint64()
			if rnd.IntN(4) == 0 {
				h %= 16
			}
			count[h]++
			s.add(h)
		}
		wrong := 0
		for h, c := range count {
			switch again := s.again(h); {
			case c > 1 && !again:
				t.Fatalf("of %d hashes %x, which was added %d times, is not told", n, h, c)
			case c == 1 && again:
				wrong++
			}
		}
		if wrong > 2+n/8 {
			t.Errorf("of %d hashes %d are told though they were added once", n, wrong)
		}
	}
}

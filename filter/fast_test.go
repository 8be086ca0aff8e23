package filter

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/testkit/must"
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

// TestEightBytes compares the functions that read eight bytes at a time with reading byte by
// byte.
func TestEightBytes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := randomText(rnd)
		got := *(&doc{text: text}).measure()
		if want := (measured{true, utf8.RuneCountInString(text), !strings.ContainsAny(text, "\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"), strings.Contains(text, "\n\n"), strings.ContainsRune(text, kelvin)}); got != want {
			t.Fatalf("%q: %+v, want %+v", text, got, want)
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

// TestSieve: elements that were added twice are always reported, others almost never.
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

// oracleRepetition compares the scores of gopher_repetition with those found in the
// simplest way, and what [Scorer.Judge] says with a decision over all of them.
func oracleRepetition(t *testing.T, set *Set, s *Scorer, text string) (drop bool) {
	t.Helper()
	in := Text{Lang: "en", Whole: text, Paras: parasOf(text)}
	got := s.Score(in)
	o := &oracle{lang: "en", text: text}
	for i, want := range o.gopherRepetition() {
		if g := got.Scores[i]; g != want && !(math.IsNaN(g) && math.IsNaN(want)) {
			t.Fatalf("%s of %q: %v, want %v", set.Scores()[i], text, g, want)
		}
	}
	want, drop := set.Decide("en", got.Scores)
	if _, first, out := s.Judge(in); first != want || out != drop {
		t.Fatalf("%q: %v %v, want %v %v", text, out, first, drop, want)
	}
	return drop
}

func repetitionSet(t testing.TB) *Set {
	cfg := Default
	cfg.Use = []string{"gopher_repetition"}
	return must.Get(New(cfg))(t)
}

// TestRepetition: texts of which some words, strings and n-grams come again, so that
// about half of them break a limit and many are near one.
func TestRepetition(t *testing.T) {
	set := repetitionSet(t)
	s := set.Scorer()
	rnd := rand.New(rand.NewPCG(11, 12))
	words := strings.Fields("a I of the and , . was ferry harbour incomprehensible 漢 été don't 3.14 internationalization x")
	rules, kept := map[string]int{}, 0
	for range 1500 {
		var b strings.Builder
		kinds := 3 + rnd.IntN(400)
		for range 5 + rnd.IntN(200) {
			if k := rnd.IntN(kinds); k < len(words) {
				b.WriteString(words[k])
			} else {
				b.WriteString("w" + strings.Repeat("o", k%9) + string(rune('a'+k%26)) + string(rune('a'+k/26)))
			}
			b.WriteString([]string{" ", " ", " ", " ", "\n", "-", ""}[rnd.IntN(7)])
			if text := b.String(); rnd.IntN(50) == 0 { // a stretch again
				k := rnd.IntN(len(text))
				b.WriteString(strings.ToValidUTF8(text[k:min(len(text), k+rnd.IntN(90))], ""))
			}
		}
		text := b.String()
		if oracleRepetition(t, set, s, text) {
			_, d, _ := s.Judge(Text{Lang: "en", Whole: text, Paras: parasOf(text)})
			rules[d.Rule]++
		} else {
			kept++
		}
	}
	if kept < 300 || len(rules) < 6 {
		t.Errorf("%d texts stay, others go by %v: not much of a test", kept, rules)
	}
}

// FuzzRepetition is TestRepetition for any text.
func FuzzRepetition(f *testing.F) {
	for _, text := range []string{"", "a a a a a a", strings.Repeat("to be or not to be, ", 5), "漢字漢字漢字漢字漢字漢字", "ab c a bc d e f g h\nabc a b c d e f g h", strings.Repeat("x", 300), "1 2 3 4 5 6 7 8 9\n\n1 2 3 4 5 6 7 8 9", "0 0 1 00 d e a e a 0"} {
		f.Add(text)
	}
	set := repetitionSet(f)
	s := set.Scorer()
	f.Fuzz(func(t *testing.T, text string) { oracleRepetition(t, set, s, strings.ToValidUTF8(text, "\ufffd")) })
}

// TestLongerWord: hopping from blank to blank finds what a walk over all characters does.
func TestLongerWord(t *testing.T) {
	rnd := rand.New(rand.NewPCG(13, 14))
	long := 0
	for range 20_000 {
		text, n := randomText(rnd), 1+rnd.IntN(12)
		want := longest(text) > n
		if got := longerWord(text, n); got != want {
			t.Fatalf("%q has a word of more than %d characters: %v, want %v", text, n, got, want)
		}
		if want {
			long++
		}
	}
	if long < 1000 {
		t.Errorf("%d texts have one: not much of a test", long)
	}
}

package shingle

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"chaffinch/internal/testkit/property"
)

var samples = []string{
	"",
	"The quick brown fox isn't 3.14 or 1,000 feet; e.g. THE END.",
	"L’été où l'Été… naïve cafe\u0301 Straße ΣΊΣΥΦΟΣ σίσυφος İstanbul ſo K",
	"東京タワーは高いです。カタカナと、ひらがな々",
	"ภาษาไทยไม่มีช่องว่างระหว่างคำ ๑๒๓",
	"ភាសាខ្មែរ မြန်မာဘာသာ ພາສາລາວ བོད་སྐད་",
	"한국어 텍스트 हिन्दी में पाठ العربية نص",
	"soft\u00adhyphen zero\u200bwidth a\u200db \ufeffx",
	"bad \xff\xfe bytes\xc3 here",
	"''' ... ,,, 1. .1 a' 'b x,y",
	"\u0301start 😀 𝒜 𠀀𠀁 １２３",
}

func TestWordsAgainstSimple(t *testing.T) {
	s := New(Default)
	check := func(t interface{ Fatalf(string, ...any) }, text string) {
		valid := strings.ToValidUTF8(text, "?")
		want := hashAll(simpleTokens(Default, valid))
		got, spans := s.Spans(nil, nil, []byte(valid), false)
		if !slices.Equal(got, want) {
			t.Fatalf("%q: tokens differ: %q by the simple version, places %v", valid, simpleTokens(Default, valid), spans)
		}
		if len(spans) != len(got) {
			t.Fatalf("%q: %d places for %d tokens", valid, len(spans), len(got))
		}
		end := 0
		for _, p := range spans {
			if p.Start < end || p.End <= p.Start || p.End > len(valid) {
				t.Fatalf("%q: places %v", valid, spans)
			}
			end = p.End
		}
	}
	for _, text := range samples {
		check(t, text)
	}
	letters := []rune("aAbB1209 '’.,-éÉßΣς漢字かなカナーกาไ่កខ្កမြန် \n\u0301\u200b\u00ad😀_%")
	property.Check(t, func(t *rapid.T) {
		check(t, string(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(letters), rapid.Rune()), 0, 60).Draw(t, "text")))
	})
}

func TestCanonical(t *testing.T) {
	for _, cfg := range []Config{Default, {Unit: Char, N: 5, Lower: true, Canonical: true}} {
		s := New(cfg)
		for _, text := range samples {
			text = strings.ToValidUTF8(text, "")
			a := s.Tokens(nil, norm.NFC.AppendString(nil, text), false)
			b := s.Tokens(nil, norm.NFD.AppendString(nil, text), false)
			if !slices.Equal(a, b) {
				t.Errorf("%+v: %q: composed and decomposed forms differ", cfg, text)
			}
		}
	}
	s := New(Default)
	for _, pair := range [][2]string{
		{"ΣΊΣΥΦΟΣ", "σίσυφος"}, {"STRASSE Don’t", "strasse don't"}, {"İ", "i\u0307"}, {"K", "k"}, {"co\u00adoperate", "cooperate"},
	} {
		if !slices.Equal(s.Tokens(nil, []byte(pair[0]), false), s.Tokens(nil, []byte(pair[1]), false)) {
			t.Errorf("%q and %q differ", pair[0], pair[1])
		}
	}
}

// TestConfig: which texts have the same tokens under which setting.
func TestConfig(t *testing.T) {
	chars := Config{Unit: Char}
	for _, c := range []struct {
		name string
		cfg  Config
		a, b string
		same bool
	}{
		{"blanks count", chars, "a  b", "a b", false},
		{"case counts", chars, "A", "a", false},
		{"blanks collapse", Config{Unit: Char, Lower: true, Canonical: true}, "A \n b", "a b", true},
		{"punctuation", Config{DropPunct: true}, "a — b, (c)", "a b c", true},
	} {
		s := New(c.cfg)
		a, b := s.Tokens(nil, []byte(c.a), false), s.Tokens(nil, []byte(c.b), false)
		if slices.Equal(a, b) != c.same {
			t.Errorf("%s: %q and %q: same is %v", c.name, c.a, c.b, !c.same)
		}
	}
	for _, c := range []struct {
		cfg  Config
		text string
		n    int
	}{
		{Default, "東京タワーは高い。", 6}, {Default, "one two, three", 3}, {chars, "añb", 3},
	} {
		if got := len(New(c.cfg).Tokens(nil, []byte(c.text), false)); got != c.n {
			t.Errorf("%q: %d tokens, wanted %d", c.text, got, c.n)
		}
	}
}

func TestTokenized(t *testing.T) {
	text := []byte("The\n.\n\nfoo bar\nend")
	s := New(Default)
	got, spans := s.Spans(nil, nil, text, true)
	if want := hashAll([]string{"The", ".", "foo bar", "end"}); !slices.Equal(got, want) {
		t.Errorf("%x, wanted %x", got, want)
	}
	if want := []Span{{0, 3}, {4, 5}, {7, 14}, {15, 18}}; !slices.Equal(spans, want) {
		t.Errorf("places %v, wanted %v", spans, want)
	}
	cfg := Default
	cfg.FoldTokens = true
	if got, want := New(cfg).Tokens(nil, text, true), hashAll([]string{"the", "foo bar", "end"}); !slices.Equal(got, want) {
		t.Errorf("folded: %x, wanted %x", got, want)
	}
}

func TestNGrams(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		tokens := rapid.SliceOf(rapid.Uint64()).Draw(t, "tokens")
		n := rapid.IntRange(1, 20).Draw(t, "n")
		got := NGrams([]uint64{7}, tokens, n)
		if want := append([]uint64{7}, simpleNGrams(tokens, n)...); !slices.Equal(got, want) {
			t.Fatalf("%x, wanted %x", got, want)
		}
	})
	if len(NGrams(nil, []uint64{1, 2}, 3)) != 0 || len(NGrams(nil, nil, 0)) != 0 {
		t.Error("n-grams of too few tokens")
	}
}

// The order of tokens counts, and n-grams that differ in one place or in the
// order of two tokens do not collide.
func TestNoCollisions(t *testing.T) {
	s := New(Default)
	seen := map[uint64]string{}
	words := strings.Fields("a b c d e f g")
	try := func() {
		text := strings.Join(words, " ")
		h := NGrams(nil, s.Tokens(nil, []byte(text), false), 7)[0]
		if old, ok := seen[h]; ok && old != text {
			t.Fatalf("%q and %q collide", old, text)
		}
		seen[h] = text
	}
	for x := range 1 << 14 {
		for i := range words {
			words[i] = string(rune('a' + x>>(2*i)&3))
		}
		try()
	}
}

// Stored hashes must not change.
func TestStable(t *testing.T) {
	text := []byte("The Quick brown fox, naïve 漢字 ภาษาไทย don’t 3.14")
	for i, c := range []struct {
		cfg  Config
		want uint64
	}{
		{Default, 0xfd556679c530c485}, {Config{Unit: Char}, 0x918a1554c3a43821},
	} {
		c.cfg.N = 3
		h := uint64(0)
		for _, g := range NGrams(nil, New(c.cfg).Tokens(nil, text, false), c.cfg.N) {
			h = h*31 + g
		}
		if h != c.want {
			t.Errorf("setting %d: %#x, wanted %#x", i, h, c.want)
		}
	}
}

// A line of any length is one token, held in pieces.
func TestLongToken(t *testing.T) {
	long := bytes.Repeat([]byte("abcÉ"), 5000)
	for _, cfg := range []Config{Default, {Lower: true}} {
		s := New(cfg)
		a := s.Tokens(nil, long, false)
		b := s.Tokens(nil, bytes.ToLower(long), false)
		c := s.Tokens(nil, append(bytes.Clone(long), 'x'), false)
		if len(a) != 1 || !slices.Equal(a, b) || slices.Equal(a, c) {
			t.Errorf("%+v: %x %x %x", cfg, a, b, c)
		}
	}
}

// TestPieces compares long words of ASCII with hashes of their pieces.
func TestPieces(t *testing.T) {
	s := New(Default)
	for n := pieceBytes - 20; n < pieceBytes+20; n++ {
		word := bytes.Repeat([]byte("a"), n)
		want := xxh3.Hash(word)
		if n >= pieceBytes {
			want = xxh3.HashSeed(word[pieceBytes:], xxh3.HashSeed(word[:pieceBytes], 0))
		}
		for _, before := range []string{"", "abc "} {
			if got := s.Tokens(nil, append([]byte(before), word...), false); got[len(got)-1] != want {
				t.Errorf("%d letters after %q: %#x, want %#x", n, before, got[len(got)-1], want)
			}
		}
	}
}

func TestNoAllocations(t *testing.T) {
	dst, grams := make([]uint64, 0, 1000), make([]uint64, 0, 1000)
	for _, cfg := range []Config{Default, {Unit: Char, N: 24}} {
		s := New(cfg)
		for _, text := range samples {
			b := []byte(text)
			if n := testing.AllocsPerRun(10, func() { grams = NGrams(grams[:0], s.Tokens(dst[:0], b, false), cfg.N) }); n > 0 {
				t.Errorf("%+v: %q: %v allocations", cfg, text, n)
			}
		}
	}
}

func FuzzTokens(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s))
	}
	cfgs := []Config{Default, {Unit: Char}, {Unit: Char, Lower: true, Canonical: true}}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, cfg := range cfgs {
			s := New(cfg)
			got, spans := s.Spans(nil, nil, text, false)
			if len(got) != len(spans) {
				t.Fatalf("%d tokens, %d places", len(got), len(spans))
			}
			end := 0
			for _, p := range spans {
				if p.Start < 0 || p.End < p.Start || p.End > len(text) || p.Start < end && cfg.Unit == Word {
					t.Fatalf("%+v: place %v", cfg, p)
				}
				end = p.End
			}
			s.Tokens(nil, text, true)
		}
	})
}

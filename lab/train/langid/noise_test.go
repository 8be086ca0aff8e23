package langid

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestRomanize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for text, want := range map[string]string{"Привет, мир 2": "et, m", "καλή μέρα": "mera", "नमस्ते दोस्त": "dost", "کتاب": "kt", "שלום": "shl"} {
		got := romanize(text, rng)
		ok := false
		for _, w := range strings.Split(want, "|") {
			ok = ok || strings.Contains(got, w)
		}
		if !ok {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"", "12", "Straße", "中文", "да", "пиво 中"} {
		if got := romanize(text, rng); got != "" {
			t.Errorf("%q: %q", text, got)
		}
	}
	for range 1000 {
		b := make([]byte, rng.IntN(40))
		for i := range b {
			b[i] = byte(rng.IntN(256))
		}
		for _, r := range romanize(string(b)+"привет", rng) {
			if r >= 0x80 && unicode.IsLetter(r) && r != utf8.RuneError {
				t.Fatalf("%q: %q is no Latin letter of ASCII", b, r)
			}
		}
	}
}

// TestNoiseKinds wants text of every kind, and no kind without a sign of noise.
func TestNoiseKinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	n := noiseMaker{rng, func() string { return "word" }, func() string { return "Größe, été, да" }}
	for name, kind := range map[string]func() string{"amounts": n.amounts, "undecoded": n.undecoded, "scraps": n.scraps, "mash": n.mash, "menu": n.menu} {
		for range 200 {
			if s := kind(); s == "" || !utf8.ValidString(s) || s == n.line() {
				t.Fatalf("%s: %q", name, s)
			}
		}
	}
}

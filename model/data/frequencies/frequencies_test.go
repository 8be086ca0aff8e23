package frequencies

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/internal/testkit/must"
)

// TestPerMillion reads all lists: 10,000 lower-case words each, which cover most of a text.
func TestPerMillion(t *testing.T) {
	frequent := map[string]string{"cs": "a", "de": "der", "en": "the", "es": "de", "fr": "de", "it": "di", "nl": "de", "pl": "w", "pt": "de", "ru": "и", "sv": "och", "uk": "в"}
	for _, lang := range Languages() {
		list := must.Get(PerMillion(lang))(t)
		sum := 0.0
		for w, f := range list {
			if w == "" || !utf8.ValidString(w) || w != strings.ToLower(w) || f <= 0 {
				t.Errorf("%s: word %q, %v per million", lang, w, f)
			}
			sum += f
		}
		if len(list) != 10_000 || sum < 700_000 || sum > 1_050_000 {
			t.Errorf("%s: %d words, %.0f of a million", lang, len(list), sum)
		}
		if f := list[frequent[lang]]; f < 15_000 {
			t.Errorf("%s: %q has %v per million", lang, frequent[lang], f)
		}
	}
	must.Equal(t, len(Languages()), len(frequent), "languages")
	must.Fail(t, must.Err(PerMillion("xx")), "have cs, de, en")
}

// TestBin reads the share of a bin within 5 %.
func TestBin(t *testing.T) {
	for _, share := range []float64{.07, .001, 3e-6} {
		if got := math.Pow(10, -float64(Bin(share))/25); math.Abs(got/share-1) > .05 {
			t.Errorf("share %v is read as %v", share, got)
		}
	}
}

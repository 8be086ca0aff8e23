package runes

import (
	"testing"
	"unicode"
)

// TestScripts compares the predicates with Unicode's tables over all characters.
func TestScripts(t *testing.T) {
	for r := range rune(unicode.MaxRune + 2) {
		east := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		some := east || unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
		all := some || unicode.Is(unicode.Tibetan, r)
		if IsEastAsian(r) != east || IsUnspaced(r) != some || IsUnspacedOrTibetan(r) != all {
			t.Fatalf("%U: %t, %t, %t, wanted %t, %t, %t", r, IsEastAsian(r), IsUnspaced(r), IsUnspacedOrTibetan(r), east, some, all)
		}
	}
}

func TestTable(t *testing.T) {
	calls := 0
	table := NewTable(func(r rune) rune { calls++; return r + 1 })
	for range 2 {
		for _, r := range "aß語ﬁ\U0001F600" {
			if got := table.At(r); got != r+1 {
				t.Errorf("%q: %q", r, got)
			}
		}
	}
	if want := 128 + 3*256 + 2; calls != want {
		t.Errorf("the function was called %d times, wanted %d", calls, want)
	}
}

func TestIsWide(t *testing.T) {
	for text, want := range map[string]bool{"語ひカー々、。「」　！Ａｶﾞ￥㐀𠀀": true, "aß한ﾡ€“”…ไဃ😀": false} {
		for _, r := range text {
			if IsWide(r) != want {
				t.Errorf("%q: %t, wanted %t", r, !want, want)
			}
		}
	}
}

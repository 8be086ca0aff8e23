package alphabet

import (
	"testing"
	"unicode"
)

// TestHan wants of the characters that take the short way what the tables of Unicode say:
// letters without case, of no script that has a number of its own.
func TestHan(t *testing.T) {
	n := 0
	for r := rune(0); r <= 0xFFFF; r++ {
		if !han(r) {
			continue
		}
		n++
		if sign(r) || !unicode.IsLetter(r) || unicode.ToLower(r) != r || unicode.ToUpper(r) != r || unicode.IsLower(r) ||
			unicode.In(r, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew, unicode.Arabic, unicode.Thai) {
			t.Errorf("%U", r)
		}
	}
	if n != 0x5200+11172 {
		t.Errorf("%d characters", n)
	}
}

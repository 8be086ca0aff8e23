package corpus

import (
	"bytes"
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folding says what a comparison of values leaves out of account: the flags %c
// and %d of a query.
type folding struct {
	letterCase bool
	diacritics bool
}

// of returns s without what is left out of account.
func (f folding) of(s string) string {
	if f.diacritics {
		s = norm.NFC.String(strings.Map(func(r rune) rune {
			if isDiacritic(r) {
				return -1
			}
			return r
		}, norm.NFD.String(s)))
	}
	if f.letterCase {
		return lower(s)
	}
	return s
}

// lower returns s in lower case, as the index has it: see appendLower.
func lower(s string) string {
	if utf8.ValidString(s) {
		return strings.ToLower(s)
	}
	return string(appendLower(nil, []byte(s)))
}

// isDiacritic tells whether r is a mark that a reader can do without: accents,
// Hebrew points, Arabic vowels; not the vowels and tones of India and Thailand
// or the voicing of kana, which make another letter.
func isDiacritic(r rune) bool {
	if r < 0x300 || !unicode.Is(unicode.Mn, r) {
		return false
	}
	class := norm.NFD.PropertiesString(string(r)).CCC()
	return 10 <= class && class <= 36 || class >= 200
}

// compareNatural compares values as people count: runs of digits by their
// number, everything else by bytes, so that b9 comes before b10.
func compareNatural(a, b []byte) int {
	for len(a) > 0 && len(b) > 0 {
		m, n := digits(a), digits(b)
		if m == 0 || n == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := bytes.TrimLeft(a[:m], "0"), bytes.TrimLeft(b[:n], "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), bytes.Compare(x, y)); c != 0 {
			return c
		}
		a, b = a[m:], b[n:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns the number of ASCII digits with which b begins.
func digits(b []byte) (n int) {
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return n
}

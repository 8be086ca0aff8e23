package clean

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/punkt"
	"chaffinch/internal/pytext"
)

var (
	// marker is a segment marker of the CleanEval gold standard.
	marker = regexp.MustCompile(`(?i)<[phl]>`)
	// address is the line on top of a gold file as distributed; its class is
	// Python's \s.
	address = regexp.MustCompile(`\A[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*URL:[^\n]*\n`)
)

// unspaced reports whether r is a character of a script that writes no blanks
// between words: Thai, kana, Han.
func unspaced(r rune) bool {
	switch {
	case r < 0x0e00:
		return false
	case r <= 0x0e7f, 0x3040 <= r && r <= 0x30ff, 0x3400 <= r && r <= 0x4dbf, 0x4e00 <= r && r <= 0x9fff, 0xf900 <= r && r <= 0xfaff:
		return true
	}
	return false
}

// isUnspaced reports whether more than a fifth of the characters of s, white
// space aside, are of a script without blanks.
func isUnspaced(s string) bool {
	all, of := 0, 0
	for _, r := range s {
		if !pytext.IsSpace(r) {
			all++
		}
		if unspaced(r) {
			of++
		}
	}
	return float64(of) > 0.2*float64(max(1, all))
}

// spread sets a blank on both sides of each character of a script without
// blanks, so that each is a word of its own.
func spread(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/2)
	for _, r := range s {
		if unspaced(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// alignmentWords cuts text into words as Evert's cleaneval.py does: at white
// space, control characters and segment markers.
func alignmentWords(text string) []string {
	return strings.FieldsFunc(marker.ReplaceAllString(text, " "), func(r rune) bool { return r < ' ' || pytext.IsSpace(r) })
}

// sentences cuts text into sentences, and these into words at white space.
func sentences(text string) [][]string {
	var out [][]string
	for _, s := range punkt.English().Split(text) {
		out = append(out, pytext.Fields(text[s.Start:s.End]))
	}
	return out
}

func runes(s string) []int32 {
	out := make([]int32, 0, utf8.RuneCountInString(s))
	for _, r := range s {
		out = append(out, r)
	}
	return out
}

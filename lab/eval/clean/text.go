package clean

import (
	"strings"

	"chaffinch/internal/lazyregexp"
	"chaffinch/internal/punkt"
	"chaffinch/internal/pytext"
)

var (
	// marker matches a segment marker of the CleanEval gold standard.
	marker = lazyregexp.New(`(?i)<[phl]>`)
	// address matches the first line of a gold file as distributed. Its class is Python's \s.
	address = lazyregexp.New(`\A[\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}]*URL:[^\n]*\n`)
)

// alignmentWords divides text into words like Evert's cleaneval.py: at white space, control
// characters and segment markers.
func alignmentWords(text string) []string {
	return strings.FieldsFunc(marker().ReplaceAllString(text, " "), func(r rune) bool { return r < ' ' || pytext.IsSpace(r) })
}

// sentences divides text into sentences, and these into words at white space.
func sentences(text string) [][]string {
	var out [][]string
	for _, s := range punkt.English().Split(text) {
		out = append(out, pytext.Fields(text[s.Start:s.End]))
	}
	return out
}

package corpus

import (
	"bytes"
	"cmp"
	"regexp/syntax"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// folding selects the differences that a comparison of values ignores: the flags %c
// and %d of a query.
type folding struct {
	letterCase bool
	diacritics bool
}

// of returns s without the ignored differences.
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
		return foldCase(s)
	}
	return s
}

// caseFolds returns the characters that full case folding changes, with their foldings
// (Unicode, CaseFolding.txt, C and F). I, i, ı and İ all become i. Which of them are
// equivalent depends on the language, which is unknown for a query.
var caseFolds = sync.OnceValue(func() map[rune]string {
	folds, c := map[rune]string{}, cases.Fold()
	for _, table := range []*unicode.RangeTable{unicode.Lu, unicode.Ll, unicode.Lt, unicode.Mn, unicode.Nl, unicode.So} {
		for _, x := range table.R16 {
			addFolds(folds, c, rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
		for _, x := range table.R32 {
			addFolds(folds, c, rune(x.Lo), rune(x.Hi), rune(x.Stride))
		}
	}
	folds['ı'], folds['İ'] = "i", "i"
	for r := 'Ꭰ'; r <= 'Ᏽ'; r++ {
		delete(folds, r) // the lower case of Cherokee folds to its upper case, as here; x/text has both
	}
	return folds
})

func addFolds(folds map[rune]string, c cases.Caser, lo, hi, stride rune) {
	for r := lo; r <= hi; r += stride {
		if s := string(r); c.String(s) != s {
			folds[r] = c.String(s)
		}
	}
}

// foldCase returns s with its case folded: ς and Σ become σ, ß becomes ss.
func foldCase(s string) string {
	for i, r := range s {
		if r < utf8.RuneSelf && (r < 'A' || 'Z' < r) {
			continue
		}
		if to, folded := caseFolds()[r]; folded {
			b := append(make([]byte, 0, len(s)+len(to)), s[:i]...)
			return string(appendFold(append(b, to...), s[i+utf8.RuneLen(r):]))
		}
	}
	return s
}

// appendFold appends s with its case folded. Bytes that are not UTF-8 are unchanged.
func appendFold(dst []byte, s string) []byte {
	folds := caseFolds()
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if to, folded := folds[r]; folded {
			dst = append(dst, to...)
		} else {
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	return dst
}

// foldTree folds the literals of a regular expression that was parsed to ignore case.
// Small classes become alternatives, since a character may fold to several. Large
// classes, such as \PL, are unchanged.
func foldTree(re *syntax.Regexp) {
	for _, sub := range re.Sub {
		foldTree(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		re.Rune = []rune(foldCase(string(re.Rune)))
	case syntax.OpCharClass:
		vs, ok := spell(re)
		if !ok {
			return
		}
		*re = syntax.Regexp{Op: syntax.OpAlternate, Sub: []*syntax.Regexp{{Op: syntax.OpNoMatch}}}
		for _, v := range vs {
			re.Sub = append(re.Sub, &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune(foldCase(v))})
		}
	}
}

// lower returns s in lower case, with the mapping of the index (see appendLower).
func lower(s string) string {
	if utf8.ValidString(s) {
		return strings.ToLower(s)
	}
	return string(appendLower(nil, []byte(s)))
}

// isDiacritic reports whether r is an optional mark: an accent, a Hebrew point or
// an Arabic vowel. Vowels and tones of India and Thailand and the voicing of kana
// are not optional, because they make another letter.
func isDiacritic(r rune) bool {
	if r < 0x300 || !unicode.Is(unicode.Mn, r) {
		return false
	}
	class := norm.NFD.PropertiesString(string(r)).CCC()
	return 10 <= class && class <= 36 || class >= 200
}

// compareNatural compares values in natural order. Runs of digits are compared as
// numbers, everything else by bytes, so that b9 precedes b10.
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

// digits returns the number of ASCII digits at the start of b.
func digits(b []byte) (n int) {
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	return n
}

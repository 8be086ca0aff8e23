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
		return foldCase(s)
	}
	return s
}

// caseFolds returns the characters that full case folding changes (Unicode, CaseFolding.txt,
// C and F), and what they become. I, i, ı and İ all become i: which of them belong together
// depends on the language, and a query does not name it.
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

// foldCase returns s without differences of case: ς and Σ become σ, ß becomes ss.
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

// appendFold appends s without differences of case. Bytes that are not UTF-8 stay.
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

// foldTree folds the literals of a regular expression that was read without regard to case.
// Small classes become alternatives, since a character may fold to several; large ones, such
// as \PL, stay.
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

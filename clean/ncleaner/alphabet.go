package ncleaner

import (
	"fmt"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
)

// symbol is a letter of a model's alphabet.
type symbol = uint16

const (
	// boundary stands before the first and after the last character of a
	// segment.
	boundary symbol = 0
	// blank is the one symbol of all white space.
	blank symbol = 1
	// skip marks characters that are in no alphabet: control characters and
	// format characters of no width.
	skip symbol = 0xffff

	// MaxSymbols is the greatest size of an alphabet.
	MaxSymbols = 1 << 15
	lowRunes   = 0x800 // runes below are looked up in a table
)

// The classes of the characters that are too rare for a symbol of their own
// in a Unicode alphabet, in the order of their symbols.
const (
	classPunct = iota
	classSymbol
	classOther
	classUpper // from here on in lexical alphabets only
	classLower
	classLetter
	classMark
	classDigit
	numClasses
)

// Alphabet folds text into symbols (paper, section 3). There are four kinds:
//
//   - ASCII: the boundary, the blank, the 94 visible ASCII characters.
//     Quotation marks, dashes and the like become the ASCII characters nearest
//     to them, every other character "~".
//   - ASCII, non-lexical: the boundary, the blank, "a" for every letter and
//     combining mark of any script, "0" for every decimal digit, the 32 ASCII
//     punctuation marks; others as in ASCII.
//   - Unicode: as ASCII, with the learned characters of the training text in
//     place of "~", and eight classes for what was not learned.
//   - Unicode, non-lexical: as ASCII non-lexical, with learned characters and
//     three classes (punctuation, symbol, other) in place of "~".
//
// Letters of scripts that put no spaces between words are written in
// non-lexical alphabets as if there were blanks, see blankless.
//
// In all of them runs of white space are one space, and control characters
// and format characters (zero-width space, soft hyphen, byte-order mark) do
// not exist.
type Alphabet struct {
	unicode    bool
	nonLexical bool
	runes      []rune // learned, ascending, above ASCII
	size       int    // number of symbols
	bits       int    // of one symbol
	classes    symbol // Unicode only: the number of classes,
	firstClass symbol // the symbol of the first one,
	firstRune  symbol // and that of the first learned character
	ascii      [utf8.RuneSelf]symbol
	low        [lowRunes]symbol
}

// NewAlphabet returns the alphabet of one of the four kinds. runes are the
// learned characters in ascending order, none for ASCII.
func NewAlphabet(unicode, nonLexical bool, runes []rune) (*Alphabet, error) {
	a := &Alphabet{unicode: unicode, nonLexical: nonLexical, runes: runes, size: 2}
	for c := rune(0); c < utf8.RuneSelf; c++ {
		switch {
		case isSpace(c):
			a.ascii[c] = blank
		case c < ' ' || c == 0x7f:
			a.ascii[c] = skip
		case nonLexical && isLetter(c) && c != 'a', nonLexical && isDigit(c) && c != '0':
			// filled below
		default:
			a.ascii[c] = symbol(a.size)
			a.size++
		}
	}
	if nonLexical {
		for c := range a.ascii {
			switch {
			case isLetter(rune(c)):
				a.ascii[c] = a.ascii['a']
			case isDigit(rune(c)):
				a.ascii[c] = a.ascii['0']
			}
		}
	}
	if unicode {
		a.classes = numClasses
		if nonLexical {
			a.classes = classOther + 1
		}
		if len(runes) > MaxSymbols {
			return nil, fmt.Errorf("%d learned characters, at most %d are possible", len(runes), MaxSymbols)
		}
		a.firstClass = symbol(a.size)
		a.firstRune = a.firstClass + a.classes
		a.size += int(a.classes) + len(runes)
	} else if len(runes) > 0 {
		return nil, fmt.Errorf("%d learned characters in an ASCII alphabet, wanted none", len(runes))
	}
	if a.size > MaxSymbols {
		return nil, fmt.Errorf("%d symbols, at most %d are possible", a.size, MaxSymbols)
	}
	for i, r := range runes {
		if r < utf8.RuneSelf || r > utf8.MaxRune || i > 0 && r <= runes[i-1] {
			return nil, fmt.Errorf("learned character %d is %#x: wanted ascending code points above ASCII", i, r)
		}
	}
	a.bits = bits.Len(uint(a.size - 1))
	for r := range rune(lowRunes) {
		a.low[r] = a.find(r)
	}
	return a, nil
}

// Size returns the number of symbols, with boundary and blank.
func (a *Alphabet) Size() int { return a.size }

// Rare reports whether a character shares its symbol with others since it was not learned.
func (a *Alphabet) Rare(r rune) bool {
	s := a.of(r)
	return s >= a.firstClass && s != skip
}

// of returns the symbol of r.
func (a *Alphabet) of(r rune) symbol {
	if r < lowRunes {
		return a.low[r]
	}
	return a.find(r)
}

// find is of without the table.
func (a *Alphabet) find(r rune) symbol {
	if !a.unicode {
		r = plainMark(r)
	}
	switch {
	case r < utf8.RuneSelf:
		return a.ascii[r]
	case isSpace(r):
		return blank
	case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r):
		return skip
	case a.nonLexical && (isLetter(r) || unicode.Is(unicode.M, r)):
		return a.ascii['a']
	case a.nonLexical && isDigit(r):
		return a.ascii['0']
	case !a.unicode:
		return a.ascii['~']
	}
	if i, ok := slices.BinarySearch(a.runes, r); ok {
		return a.firstRune + symbol(i)
	}
	return a.firstClass + class(r)
}

// class returns the class of a character that has no symbol of its own.
func class(r rune) symbol {
	switch {
	case unicode.IsUpper(r):
		return classUpper
	case unicode.IsLower(r):
		return classLower
	case unicode.IsLetter(r):
		return classLetter
	case unicode.Is(unicode.M, r):
		return classMark
	case unicode.IsDigit(r):
		return classDigit
	case unicode.IsPunct(r):
		return classPunct
	case unicode.Is(unicode.S, r):
		return classSymbol
	}
	return classOther
}

func isSpace(r rune) bool  { return unicode.IsSpace(r) }
func isLetter(r rune) bool { return unicode.IsLetter(r) }
func isDigit(r rune) bool  { return unicode.IsDigit(r) }

// plainMark returns the ASCII character nearest to a punctuation mark, r
// itself for all other characters.
func plainMark(r rune) rune {
	switch {
	case 0xff01 <= r && r <= 0xff5e: // fullwidth forms
		return r - 0xff01 + '!'
	case r < 0xa1:
		return r
	}
	switch r {
	case '“', '”', '„', '«', '»', '「', '」', '『', '』', '《', '》', '〈', '〉':
		return '"'
	case '‘', '’', '‚':
		return '\''
	case '‐', '‑', '–', '—', '―':
		return '-'
	case '…', '。', '．', '।':
		return '.'
	case '、', '，', '،':
		return ','
	case '¿', '؟':
		return '?'
	case '¡':
		return '!'
	case '؛':
		return ';'
	}
	return r
}

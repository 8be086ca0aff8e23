package ncleaner

import (
	"fmt"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
)

// symbol is a character of a model's alphabet.
type symbol = uint16

const (
	// boundary marks the start and the end of a segment.
	boundary symbol = 0
	// blank is the symbol of all white space.
	blank symbol = 1
	// skip marks characters outside all alphabets: control characters and zero-width format
	// characters.
	skip symbol = 0xffff

	// MaxSymbols is the maximum size of an alphabet.
	MaxSymbols = 1 << 15
	lowRunes   = 0x800 // runes below have a lookup table
)

// The classes of characters that are too rare for a separate symbol in a Unicode alphabet,
// in the order of their symbols.
const (
	classPunct = iota
	classSymbol
	classOther
	classUpper // this and later classes: lexical alphabets only
	classLower
	classLetter
	classMark
	classDigit
	numClasses
)

// Alphabet maps text to symbols (paper, section 3). There are four kinds:
//
//   - ASCII: the boundary, the blank, the 94 visible ASCII characters. Quotation
//     marks, dashes and similar characters become the nearest ASCII characters,
//     all other characters "~".
//   - ASCII, non-lexical: the boundary, the blank, "a" for every letter and
//     combining mark of any script, "0" for every decimal digit, the 32 ASCII
//     punctuation marks. Other characters are mapped as in ASCII.
//   - Unicode: like ASCII, with the learned characters of the training text and
//     eight classes of other characters in place of "~".
//   - Unicode, non-lexical: like ASCII non-lexical, with learned characters and
//     three classes (punctuation, symbol, other) in place of "~".
//
// In non-lexical alphabets, letters of scripts without spaces between words are written as
// if there were spaces, see blankless.
//
// All alphabets map a run of white space to one space. They skip control characters and
// format characters (zero-width space, soft hyphen, byte-order mark).
type Alphabet struct {
	unicode    bool
	nonLexical bool
	runes      []rune // learned, ascending, above ASCII
	size       int    // number of symbols
	bits       int    // bits per symbol
	classes    symbol // number of classes, Unicode only
	firstClass symbol // symbol of the first class
	firstRune  symbol // symbol of the first learned character
	ascii      [utf8.RuneSelf]symbol
	low        [lowRunes]symbol
}

// NewAlphabet returns the alphabet of one of the four kinds. runes are the learned
// characters in ascending order, empty for ASCII.
func NewAlphabet(unicode, nonLexical bool, runes []rune) (*Alphabet, error) {
	a := &Alphabet{unicode: unicode, nonLexical: nonLexical, runes: runes, size: 2}
	for c := rune(0); c < utf8.RuneSelf; c++ {
		switch {
		case isSpace(c):
			a.ascii[c] = blank
		case c < ' ' || c == 0x7f:
			a.ascii[c] = skip
		case nonLexical && isLetter(c) && c != 'a', nonLexical && isDigit(c) && c != '0':
			// set below
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

// Size returns the number of symbols, including boundary and blank.
func (a *Alphabet) Size() int { return a.size }

// Rare reports whether r was not learned and shares its symbol with other characters.
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

// find is of without the lookup table.
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

// class returns the class of a character without a separate symbol.
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

// plainMark returns the ASCII character nearest to a punctuation mark, or r itself for all
// other characters.
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

package lines

import (
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// class is the class of a character in the features.
type class uint8

const (
	classNone     class = iota // controls and zero-width characters, which are skipped
	classSpace                 // white space
	classLower                 // including marks and letters without case
	classUpper                 // including title case
	classDigit                 // decimal digits
	classUnspaced              // scripts without spaces between words
	classComma
	classStop // ends a sentence
	classColon
	classEllipsis
	classQuote        // quotation marks and apostrophes
	classBracket      // ( [ ) ]
	classBar          // | and similar characters
	classArrow        // » › → >
	classBullet       // bullets, dashes and stars
	classMoney        // currency signs
	classRight        // © ® ™
	classCode         // { } < = \ ; and other characters of program text
	classWrong        // replacement character, invalid UTF-8, private use
	classSymbol       // all other symbols
	classes      = 20 // number of classes
)

// letter reports whether c is a class of letters.
func (c class) letter() bool { return c == classLower || c == classUpper || c == classUnspaced }

// glyph is a character's class and, shifted left by 8, its lower case.
type glyph uint32

func (g glyph) class() class { return class(g & 0xff) }

// lower returns the character in lower case.
func (g glyph) lower() uint32 { return uint32(g >> 8) }

// glyphs holds the glyphs of all characters.
var glyphs = runes.NewTable(makeGlyph)

func makeGlyph(r rune) glyph {
	return glyph(unicode.ToLower(r))<<8 | glyph(classify(r))
}

func classify(r rune) class {
	switch r {
	case ',', '،', '、', '，', '؛', '·':
		return classComma
	case '.', '!', '?', '。', '！', '？', '؟', '।', '．', '｡', '։', '።':
		return classStop
	case ':', '：':
		return classColon
	case '…', '‥':
		return classEllipsis
	case '"', '\'', '«', '“', '”', '„', '‘', '’', '‚', '`', '´', '「', '」', '『', '』', '《', '》':
		return classQuote
	case '(', ')', '[', ']', '（', '）', '【', '】':
		return classBracket
	case '|', '｜', '¦', '│':
		return classBar
	case '>', '»', '›', '→', '►', '▶', '‹', '←', '↑', '↓', '▲', '▼':
		return classArrow
	case '•', '●', '■', '▪', '◦', '‣', '*', '-', '–', '—', '★', '☆', '○', '□', '◆', '~', '_', '+':
		return classBullet
	case '©', '®', '™':
		return classRight
	case '{', '}', '<', '=', '\\', ';', '^':
		return classCode
	case utf8.RuneError:
		return classWrong
	case 0xAD, 0xFEFF:
		return classNone
	}
	switch {
	case unicode.IsSpace(r):
		return classSpace
	case runes.IsUnspacedOrTibetan(r):
		return classUnspaced
	case unicode.IsUpper(r), unicode.IsTitle(r):
		return classUpper
	case unicode.IsLetter(r), unicode.IsMark(r):
		return classLower
	case unicode.IsDigit(r):
		return classDigit
	case unicode.Is(unicode.Sc, r):
		return classMoney
	case unicode.Is(unicode.Co, r):
		return classWrong
	case unicode.IsPunct(r), unicode.IsSymbol(r):
		return classSymbol
	}
	return classNone
}

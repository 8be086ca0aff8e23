package blocks

import (
	"unicode"

	"chaffinch/internal/runes"
)

// class is the class of a character in text features.
type class uint8

const (
	classOther class = iota // controls, marks and unassigned characters
	classSpace
	classLower // including letters without case
	classUpper
	classDigit
	classUnspaced // scripts without spaces between words
	classComma
	classTerminator // ends a sentence
	classColon
	classEllipsis
	classQuote // quotation marks and closing brackets
	classBullet
	classSymbol // all other symbols
)

// charClasses holds the classes of all characters.
var charClasses = runes.NewTable(classify)

func classify(r rune) class {
	switch r {
	case ',', ';', '،', '、', '，', '；', '؛', '·':
		return classComma
	case '.', '!', '?', '。', '！', '？', '؟', '।', '．', '｡', '։':
		return classTerminator
	case ':', '：':
		return classColon
	case '…', '‥':
		return classEllipsis
	case '"', '\'', '«', '»', '“', '”', '„', '‘', '’', '‚', '「', '」', '『', '』', '《', '》', ')', ']', '）', '】', '(', '[', '（', '【':
		return classQuote
	case '•', '●', '■', '▪', '◦', '‣', '›', '→', '►', '▶', '*', '-', '–', '—', '>', '|':
		return classBullet
	}
	switch {
	case unicode.IsSpace(r):
		return classSpace
	case runes.IsUnspaced(r):
		return classUnspaced
	case unicode.IsUpper(r):
		return classUpper
	case unicode.IsLetter(r), unicode.IsMark(r):
		return classLower
	case unicode.IsDigit(r):
		return classDigit
	case unicode.IsPunct(r), unicode.IsSymbol(r):
		return classSymbol
	}
	return classOther
}

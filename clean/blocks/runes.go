package blocks

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// class is what a character is to the features of text.
type class uint8

const (
	classOther class = iota // controls, marks and what is not assigned
	classSpace
	classLower // letters without case too
	classUpper
	classDigit
	classUnspaced // characters of scripts that put no blanks between words
	classComma
	classTerminator // ends a sentence
	classColon
	classEllipsis
	classQuote // quotation marks and closing brackets
	classBullet
	classSymbol // all other signs
)

// ascii holds the classes of the first 128 characters.
var ascii = func() (t [128]class) {
	for r := range t {
		t[r] = classify(rune(r))
	}
	return t
}()

// planes holds the classes of the characters below U+10000 by their upper
// byte, each filled when it is first needed.
var planes [256]atomic.Pointer[[256]class]

// classOf returns the class of r.
func classOf(r rune) class {
	if r < utf8.RuneSelf {
		return ascii[r]
	}
	if r >= 0x10000 {
		return classify(r)
	}
	p := planes[r>>8].Load()
	if p == nil {
		p = new([256]class)
		for i := range p {
			p[i] = classify(r&^0xFF | rune(i))
		}
		planes[r>>8].Store(p)
	}
	return p[r&0xFF]
}

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
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
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

package token

import (
	"strings"
	"unicode/utf8"
)

// Token is a token of [Tokenizer.Tokens]: text[Start:End].
type Token struct {
	Start, End int32
	// Chars is the number of characters, as [utf8.RuneCountInString] counts them.
	Chars int32
	// Kind is the kind of the token, if the scanner has found it without further rules.
	Kind TokenKind
}

// TokenKind is the kind of a [Token].
type TokenKind uint8

// Kinds of tokens.
const (
	OtherToken   TokenKind = iota
	LettersToken           // only ASCII letters
	DigitsToken            // only ASCII digits
	MarkToken              // one ASCII character that is no letter, digit or white space
)

// Tokens appends the tokens of text[start:end] to dst, with their spans in text. They are the tokens
// of [Tokenizer.Words] for this part. text must be shorter than 2 GiB.
//
// It allocates only to grow dst.
func (t *Tokenizer) Tokens(text string, start, end int, dst []Token) []Token {
	s := scanner{rules: t.rules, words: t.words, text: text[start:end]}
	var p piece
	for {
		if s.cut == s.cutn {
			dst = s.simple(text, start, dst)
		}
		if !s.next(&p) {
			return dst
		}
		dst = append(dst, Token{int32(start + p.start), int32(start + p.end), int32(utf8.RuneCountInString(s.text[p.start:p.end])), OtherToken})
	}
}

// Classes of ASCII bytes for [scanner.simple].
const (
	loneMark  = 1 << iota // a token of one byte before any other ASCII byte
	finalMark             // a token of one byte before a blank
)

var simpleMarks = func() (t [256]uint8) {
	for _, c := range []byte(`,()[]{}"`) {
		t[c] = loneMark
	}
	for _, c := range []byte(".!?:;") {
		t[c] = finalMark
	}
	return t
}()

// simple appends plain words, numbers and single marks, as most tokens are. s.text is at base in text.
func (s *scanner) simple(text string, base int, dst []Token) []Token {
	i, limit, r := base+s.pos, base+len(s.text), s.rules
	for {
		at := i
		if at < limit && text[at] == ' ' {
			at++
		}
		if end := r.plainWord(text, at, limit); end != 0 {
			dst = append(dst, Token{int32(at), int32(end), int32(end - at), LettersToken})
			i = end
			continue
		}
		if at == limit {
			break
		}
		if end := plainNumber(text, at, limit); end != 0 {
			dst = append(dst, Token{int32(at), int32(end), int32(end - at), DigitsToken})
			i = end
			continue
		}
		c := text[at]
		m := simpleMarks[c]
		if at+1 == limit {
			if m == 0 {
				break
			}
		} else if next := text[at+1]; next == ' ' {
			if m == 0 && r.lone[c] == wordToken {
				break
			}
		} else if m != loneMark || next >= utf8.RuneSelf || next == c {
			break
		}
		dst = append(dst, Token{int32(at), int32(at + 1), 1, MarkToken})
		i = at + 1
	}
	s.pos = i - base
	return dst
}

// plainNumber returns the end of the digits at i, if the bytes after them certainly end a number;
// otherwise 0. The text to divide ends at limit.
func plainNumber(text string, i, limit int) int {
	end := i
	for end < limit && text[end]-'0' <= 9 {
		end++
	}
	if end == i {
		return 0
	}
	if end < limit && !numberEnd[text[end]] && (text[end] != ',' || end+1 < limit && text[end+1] != ' ') {
		return 0
	}
	return end
}

// numberEnd marks the bytes that end a number regardless of the bytes after them.
var numberEnd = func() (t [256]bool) {
	for c := range utf8.RuneSelf {
		t[c] = !wordByte[c] && strings.IndexByte(".,':/-@", byte(c)) < 0
	}
	return t
}()

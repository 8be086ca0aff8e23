package token

import "unicode/utf8"

// Token is a token of [Tokenizer.Tokens]: text[Start:End].
type Token struct {
	Start, End int32
	// Kind is the kind of the token, if the scanner has found it without further rules.
	Kind TokenKind
}

// TokenKind is the kind of a [Token].
type TokenKind uint8

// Kinds of tokens.
const (
	OtherToken   TokenKind = iota
	LettersToken           // only ASCII letters
	MarkToken              // one ASCII punctuation mark
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
		dst = append(dst, Token{int32(start + p.start), int32(start + p.end), OtherToken})
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

// simple appends plain words and single marks, as most tokens are. s.text is at base in text.
func (s *scanner) simple(text string, base int, dst []Token) []Token {
	i, limit := base+s.pos, base+len(s.text)
	for {
		at := i
		if at < limit && text[at] == ' ' {
			at++
		}
		if end := s.rules.plainWord(text, at, limit); end != 0 {
			dst = append(dst, Token{int32(at), int32(end), LettersToken})
			i = end
			continue
		}
		if at == limit {
			break
		}
		c, next := text[at], byte(' ')
		if at+1 < limit {
			next = text[at+1]
		}
		if m := simpleMarks[c]; m == 0 || next != ' ' && (m != loneMark || next >= utf8.RuneSelf || next == c) {
			break
		}
		dst = append(dst, Token{int32(at), int32(at + 1), MarkToken})
		i = at + 1
	}
	s.pos = i - base
	return dst
}

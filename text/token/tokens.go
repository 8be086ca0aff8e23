package token

import (
	"math/bits"
	"unicode/utf8"

	"chaffinch/internal/swar"
)

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

// simple appends tokens as long as they follow from few bytes, as most tokens do: words of ASCII
// letters before a byte that certainly ends them, and single marks. s.text is at base in text.
func (s *scanner) simple(text string, base int, dst []Token) []Token {
	rules, i, limit := s.rules, base+s.pos, base+len(s.text)
	for {
		at := i
		if at < limit && text[at] == ' ' {
			at++
		}
		end := at
		for {
			if end+8 > len(text) {
				s.pos = i - base
				return dst
			}
			others := ^swar.Within(swar.Load(text[end:])|0x20*swar.Ones, 'a', 'z') & swar.Tops
			if others == 0 {
				end += 8
				continue
			}
			end += bits.TrailingZeros64(others) / 8
			break
		}
		end = min(end, limit)
		n := end - at
		if n > 0 {
			if rules.splitBits[text[at]]>>uint(n)&1 != 0 && rules.splitSpots.hasLetters(text[at:end]) {
				break
			}
			if end == limit || rules.plainEnd[text[end]] {
				dst = append(dst, Token{int32(at), int32(end), LettersToken})
				i = end
				continue
			}
		}
		if at == limit {
			break
		}
		c, next := text[end], byte(' ')
		if end+1 < limit {
			next = text[end+1]
		}
		switch {
		case n == 0:
			if m := simpleMarks[c]; m == 0 || next != ' ' && (m != loneMark || next >= utf8.RuneSelf || next == c) {
				s.pos = i - base
				return dst
			}
			dst = append(dst, Token{int32(at), int32(at + 1), MarkToken})
			i = at + 1
			continue
		case next == ' ' && c == ':' && !rules.literalNext[c]:
			dst = append(dst, Token{int32(at), int32(end), LettersToken})
			i = end
			continue
		case next == ' ' && c == '.' && n > 1 && rules.literalBits[text[at]]>>uint(n)&1 == 0 && !rules.spots.hasLetters(text[at:end]):
			dst = append(dst, Token{int32(at), int32(end), LettersToken}, Token{int32(end), int32(end + 1), MarkToken})
			i = end + 1
			continue
		}
		break
	}
	s.pos = i - base
	return dst
}

package shingle

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"chaffinch/internal/swar"
)

// next returns the first token of text from i on: its hash, its position and the
// offset at which to continue. If there is no token, next is start. It keeps the
// folded bytes of a token in s.buf and hashes longer tokens in pieces.
func (s *Shingler) next(text []byte, i int) (h uint64, start, end, next int) {
	t := s.table
	for ; i < len(text); i++ { // blanks and punctuation of ASCII
		if t.ascii[text[i]] != 0 || t.at(text[i]) != ends {
			break
		}
	}
	start, end = i, i
	var in class // of the open token, ends if none
	n := 0       // bytes of s.buf
	before := rune(0)
	for i < len(text) {
		if in <= letter { // the common case: letters of ASCII
			from := i
			for i+8 <= len(text) && n+8 <= pieceBytes {
				x := binary.LittleEndian.Uint64(text[i:])
				binary.LittleEndian.PutUint64(s.buf[n:], x|t.lower)
				k := bits.TrailingZeros64(swar.Tops&^plainLetters(x)) / 8
				n, i = n+k, i+k
				if k < 8 {
					break
				}
			}
			for i < len(text) && n < pieceBytes {
				f := t.ascii[text[i]]
				if f == 0 {
					break
				}
				s.buf[n] = f
				n++
				i++
			}
			if i > from {
				if in == ends {
					start, in = from, letter
				}
				end = i
				if n >= pieceBytes {
					h, n = xxh3.HashSeed(s.buf[:n], h), 0
				}
				if i < len(text) && t.at(text[i]) == ends {
					return s.close(h, n), start, end, i
				}
				continue
			}
		}
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		e := t.entry(r)
		c := e.class()
		switch c {
		case ends:
			if in != ends {
				return s.close(h, n), start, end, i
			}
			i += size
			continue
		case gone:
			i += size
			continue
		case mark:
			if in == ends {
				c = letter
			} else {
				c = in
			}
		case quote:
			if in != letter || !t.letters(text, i, size) {
				if in != ends {
					return s.close(h, n), start, end, i
				}
				i += size
				continue
			}
			c = letter
		case point:
			if in != letter || !digits(text, i) {
				if in != ends {
					return s.close(h, n), start, end, i
				}
				i += size
				continue
			}
			c = letter
		}
		if in != ends && (c != in || c == alone && e.class() != mark || c == cut && e.class() != mark && border(before, r)) {
			return s.close(h, n), start, end, i
		}
		if in == ends {
			start, in = i, c
		}
		if e.class() != mark {
			before = r
		}
		n += t.fold(r, e, s.buf[n:], text[i:i+size])
		i += size
		end = i
		if n >= pieceBytes {
			h, n = xxh3.HashSeed(s.buf[:n], h), 0
		}
	}
	if in == ends {
		return 0, len(text), len(text), len(text)
	}
	return s.close(h, n), start, end, i
}

// plainLetters sets the top bit of each byte of x that is a letter or digit of ASCII.
func plainLetters(x uint64) uint64 {
	return swar.Within(x|0x20*swar.Ones, 'a', 'z') | swar.Within(x, '0', '9')
}

// singles appends the tokens from i on that consist of one character, such as Han characters, while
// characters have three bytes. It returns the offset at which to continue.
func (s *Shingler) singles(dst []uint64, spans []Span, text []byte, i int) ([]uint64, []Span, int) {
	t := s.table
	for r := threeBytes(text, i); r > 0; {
		e := t.entry(r)
		next := rune(0) // unknown
		if i+3 == len(text) {
			next = '\n'
		} else if next = rune(text[i+3]); next >= utf8.RuneSelf {
			next = threeBytes(text, i+3)
		}
		if e.class() == alone {
			if after := t.entry(next).class(); next == 0 || after == mark || after == gone || e.length() > 0 {
				break
			}
			dst = append(dst, xxh3.Hash(text[i:i+3]))
			if spans != nil {
				spans = append(spans, Span{i, i + 3})
			}
		} else if e.class() != ends {
			break
		}
		i += 3
		if r = next; r < utf8.RuneSelf {
			break
		}
	}
	return dst, spans, i
}

// threeBytes decodes the character at i if it has three bytes. Otherwise, it returns 0.
func threeBytes(text []byte, i int) rune {
	if i+3 > len(text) {
		return 0
	}
	b := text[i : i+3]
	if b[0] < 0xe1 || b[0] > 0xef || b[0] == 0xed || b[1]&0xc0 != 0x80 || b[2]&0xc0 != 0x80 {
		return 0 // or one of the characters whose second byte is limited
	}
	return rune(b[0]&15)<<12 | rune(b[1]&63)<<6 | rune(b[2]&63)
}

// close hashes the remaining bytes of a token.
func (s *Shingler) close(h uint64, n int) uint64 {
	if h == 0 {
		return xxh3.Hash(s.buf[:n])
	}
	return xxh3.HashSeed(s.buf[:n], h)
}

// letters reports whether there are letters before and after the character of size
// bytes at i.
func (t *table) letters(text []byte, i, size int) bool {
	before, _ := utf8.DecodeLastRune(text[:i])
	after, _ := utf8.DecodeRune(text[i+size:])
	return i+size < len(text) && isLetter(before) && isLetter(after)
}

// digits reports whether there are ASCII digits before and after the byte at i.
func digits(text []byte, i int) bool {
	return i > 0 && i+1 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1])
}

func isDigit(c byte) bool { return c-'0' < 10 }

// border reports whether a token ends between two characters of a script without
// spaces between words.
func border(a, b rune) bool { return Mix(uint64(a)<<21|uint64(b))&3 == 0 }

// chars hashes characters.
func (s *Shingler) chars(dst []uint64, spans []Span, text []byte) ([]uint64, []Span) {
	t := s.table
	blank := false
	for i := 0; i < len(text); {
		if f := t.ascii[text[i]]; f != 0 {
			dst = append(dst, Mix(uint64(f)+1))
			if spans != nil {
				spans = append(spans, Span{i, i + 1})
			}
			blank = false
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		e := t.entry(r)
		c := e.class()
		if c == gone || c == ends && s.cfg.Canonical && blank {
			i += size
			continue
		}
		blank = c == ends
		n := size
		folded := text[i : i+size]
		switch {
		case c == ends && s.cfg.Canonical:
			folded = blankText
		case e.length() > 0:
			n = t.fold(r, e, s.buf[:], folded)
			folded = s.buf[:n]
		}
		for len(folded) > 0 {
			f, k := utf8.DecodeRune(folded)
			if k == 1 && f == utf8.RuneError {
				f = rune(folded[0]) | 1<<21 // an invalid byte differs from all characters
			}
			folded = folded[k:]
			dst = append(dst, Mix(uint64(f)+1))
			if spans != nil {
				spans = append(spans, Span{i, i + size})
			}
		}
		i += size
	}
	return dst, spans
}

var blankText = []byte(" ")

// lines hashes one token per line and skips empty lines. With FoldTokens it
// also skips tokens without a letter or digit, as in running text.
func (s *Shingler) lines(dst []uint64, spans []Span, text []byte) ([]uint64, []Span) {
	for i := 0; i < len(text); {
		end := len(text)
		if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n
		}
		if end > i && !(s.cfg.FoldTokens && s.wordless(text[i:end])) {
			h := uint64(0)
			if s.cfg.FoldTokens {
				h = s.folded(text[i:end])
			} else {
				h = xxh3.Hash(text[i:end])
			}
			dst = append(dst, h)
			if spans != nil {
				spans = append(spans, Span{i, end})
			}
		}
		i = end + 1
	}
	return dst, spans
}

// wordless reports whether a token has no character that can be in a word, such as a
// comma.
func (s *Shingler) wordless(token []byte) bool {
	for i := 0; i < len(token); {
		r, size := utf8.DecodeRune(token[i:])
		switch s.table.entry(r).class() {
		case ends, quote, point, gone:
		default:
			return false
		}
		i += size
	}
	return true
}

// folded hashes a token after folding.
func (s *Shingler) folded(token []byte) uint64 {
	t := s.table
	h, n := uint64(0), 0
	for i := 0; i < len(token); {
		r, size := rune(token[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(token[i:])
		}
		n += t.fold(r, t.entry(r), s.buf[n:], token[i:i+size])
		i += size
		if n >= pieceBytes {
			h, n = xxh3.HashSeed(s.buf[:n], h), 0
		}
	}
	return s.close(h, n)
}

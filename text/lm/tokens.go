package lm

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
	"chaffinch/internal/swar"
)

// maxTokenBytes is the maximum length of a token in bytes. The rest of a longer token is read
// and dropped, so that a line of 200 MB without a blank is one token and takes no memory.
const maxTokenBytes = 64

// Tokeniser identifies how a model tokenizes text. It is stored in the model, so that training
// and scoring agree.
type Tokeniser string

// The tokenizers.
const (
	// Words is the default. It applies Unicode simple case folding.
	//
	//   - Consecutive letters, marks and digits are a word. An apostrophe between letters
	//     belongs to the word ("don't").
	//   - Every digit becomes 0. A full stop or comma between digits belongs to the number.
	//   - Ideographs and kana are words of one character.
	//   - Any other visible character is a token. A run of the same character is one token of
	//     at most three ("...").
	//   - Typographic quotes and dashes become ' " and -. Format characters (soft hyphen,
	//     joiners) are removed.
	Words Tokeniser = "words/1"
	// Blanks reads text that is already tokenized: tokens are separated by ASCII white space
	// and kept verbatim. It is meant for ARPA files from other programs.
	Blanks Tokeniser = "blanks/1"
)

// Tokens iterates over the tokens of a text. It allocates nothing: the bytes of a token are
// valid until the next call. See [NewTokens].
type Tokens struct {
	text   string
	pos    int
	blanks bool
	buf    [maxTokenBytes + 16]byte
}

// NewTokens returns an iterator over the tokens of text.
func NewTokens(k Tokeniser, text string) Tokens {
	return Tokens{text: text, blanks: k == Blanks}
}

// Classes of ASCII bytes. Any other value of class is the folded byte of a letter or digit.
const (
	skip  = 0
	punct = 1
	wide  = 2
)

var class = func() (t [256]byte) {
	for c := range t {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = wide
		case 'a' <= c && c <= 'z', c == '_':
			t[c] = byte(c)
		case 'A' <= c && c <= 'Z':
			t[c] = byte(c) | 0x20
		case '0' <= c && c <= '9':
			t[c] = '0'
		case c > ' ' && c < 0x7f:
			t[c] = punct
		}
	}
	return t
}()

// Next returns the next token, folded, or nil at the end of the text.
func (t *Tokens) Next() []byte {
	n := t.next()
	if n == 0 {
		return nil
	}
	return t.buf[:n]
}

// next reads the next token into buf, followed by at least eight zero bytes. It returns the
// length of the token, 0 at the end.
func (t *Tokens) next() int {
	if t.blanks {
		return t.nextBlank()
	}
	text, pos, n := t.text, t.pos, 0
	for pos < len(text) && class[text[pos]] == skip {
		pos++
	}
	for k := 8; k == 8 && len(text)-pos >= 8 && n < maxTokenBytes; {
		x := swar.Load(text[pos:])
		k = bits.TrailingZeros64(swar.NoLetter(x)) / 8
		binary.LittleEndian.PutUint64(t.buf[n+8:], 0)
		binary.LittleEndian.PutUint64(t.buf[n:], (x|0x20*swar.Ones)&(1<<(8*k)-1))
		n += k
		pos += k
	}
	if pos < len(text) {
		switch c := text[pos]; {
		case n > 0 && ends[c]:
			t.pos = pos
			return n
		case n == 0 && isAlone(text, pos):
			binary.LittleEndian.PutUint64(t.buf[1:], 0)
			t.buf[0], t.pos = c, pos+1
			return 1
		}
	}
	for pos < len(text) {
		f := class[text[pos]]
		if f <= wide {
			break
		}
		if n < maxTokenBytes {
			t.buf[n] = f
			n++
		}
		pos++
	}
	t.pos = pos
	if n == 0 || pos < len(text) && glue[text[pos]] {
		n = t.slow(n)
	}
	binary.LittleEndian.PutUint64(t.buf[n:], 0)
	return n
}

// glue marks bytes that may occur inside a word.
var glue = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= utf8.RuneSelf || c == '\'' || c == '.' || c == ','
	}
	return t
}()

// ends marks bytes that end a word of ASCII letters.
var ends = func() (t [256]bool) {
	for c := range t {
		t[c] = class[c] < wide && c != '\''
	}
	return t
}()

// isAlone reports whether the byte at i is punctuation that is a token without the next character.
func isAlone(text string, i int) bool {
	c := text[i]
	if class[c] != punct || c == '\'' || c == '`' {
		return false
	}
	return i+1 == len(text) || text[i+1] < utf8.RuneSelf && text[i+1] != c
}

// slow continues a token with n bytes in buf at a position that the fast loop does not handle.
func (t *Tokens) slow(n int) int {
	for t.pos < len(t.text) {
		r, size := t.peek(t.pos)
		k := kindOf(r)
		switch {
		case k == kindNone:
			if n > 0 && !unicode.Is(unicode.Cf, r) {
				return n
			}
			t.pos += size
		case k == kindWord:
			n = t.put(n, fold(r))
			t.pos += size
		case k == kindAlone:
			if n == 0 {
				t.pos += size
				n = t.put(n, r)
			}
			return n
		case n == 0:
			return t.run(r)
		case t.joins(n, r, size):
			n = t.put(n, foldPunct(r))
			t.pos += size
		default:
			return n
		}
	}
	return n
}

// joins reports whether the punctuation r at pos belongs to the word in buf.
func (t *Tokens) joins(n int, r rune, size int) bool {
	after, _ := t.peek(t.pos + size)
	switch foldPunct(r) {
	case '\'':
		return kindOf(after) == kindWord && !isDigit(after) && t.buf[n-1] != '0' && t.buf[n-1] != '\''
	case '.', ',':
		return isDigit(after) && t.buf[n-1] == '0'
	}
	return false
}

// run reads a run of the same punctuation.
func (t *Tokens) run(r rune) (n int) {
	f := foldPunct(r)
	if r == '…' {
		f = '.'
		n = t.put(t.put(0, '.'), '.')
	}
	for i := 0; ; i++ {
		r, size := t.peek(t.pos)
		if size == 0 || foldPunct(r) != f && !(r == '…' && f == '.') {
			return n
		}
		t.pos += size
		if i < 3 && n < 3*utf8.RuneLen(f) {
			n = t.put(n, f)
		}
	}
}

// put appends the bytes of r to the token, unless it is full.
func (t *Tokens) put(n int, r rune) int {
	if n+utf8.RuneLen(r) > maxTokenBytes {
		return n
	}
	return n + utf8.EncodeRune(t.buf[n:], r)
}

// peek decodes the rune at pos. size is 0 at the end.
func (t *Tokens) peek(pos int) (r rune, size int) {
	if pos >= len(t.text) {
		return 0, 0
	}
	if c := t.text[pos]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(t.text[pos:])
}

type kind uint8

const (
	kindNone  kind = iota // white space, controls, format characters
	kindWord              // letters, marks, digits
	kindAlone             // a word of one character
	kindPunct             // everything else
)

func kindOf(r rune) kind {
	if r < utf8.RuneSelf {
		switch f := class[r]; {
		case f > wide:
			return kindWord
		case f == punct:
			return kindPunct
		}
		return kindNone
	}
	switch {
	case runes.IsEastAsian(r) && unicode.IsLetter(r):
		return kindAlone
	case unicode.In(r, unicode.L, unicode.M, unicode.N):
		return kindWord
	case unicode.In(r, unicode.Z, unicode.Cc, unicode.Cf):
		return kindNone
	}
	return kindPunct
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' || r >= utf8.RuneSelf && unicode.IsDigit(r) }

// fold applies Unicode simple case folding and maps every decimal digit to 0.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		return rune(class[r])
	}
	switch {
	case unicode.IsDigit(r):
		return '0'
	case r == 'ı': // its upper case is I, but it does not fold to i
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}

// foldPunct maps typographic quotes and dashes to ASCII.
func foldPunct(r rune) rune {
	if r < utf8.RuneSelf {
		if r == '`' {
			return '\''
		}
		return r
	}
	switch r {
	case '‘', '’', '‚', '‛', '′', '´':
		return '\''
	case '“', '”', '„', '‟', '″', '«', '»':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	}
	return r
}

// nextBlank is next for the tokeniser Blanks.
func (t *Tokens) nextBlank() (n int) {
	for t.pos < len(t.text) && isSpace(t.text[t.pos]) {
		t.pos++
	}
	for t.pos < len(t.text) && !isSpace(t.text[t.pos]) {
		if n < maxTokenBytes {
			t.buf[n] = t.text[t.pos]
			n++
		}
		t.pos++
	}
	binary.LittleEndian.PutUint64(t.buf[n:], 0)
	return n
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' || c == 0 }

package minhash

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/pytext"
	"chaffinch/internal/truth"

	"golang.org/x/text/unicode/norm"
)

// lowered is each character of ASCII in lower case, and words the same for what belongs to
// a word, a blank for the rest.
var lowered, words = func() (lower, word [256]byte) {
	for c := range utf8.RuneSelf {
		lower[c], word[c] = byte(c), ' '
		if 'A' <= c && c <= 'Z' {
			lower[c] += 'a' - 'A'
		}
		if pytext.IsWord(rune(c)) {
			word[c] = lower[c]
		}
	}
	return lower, word
}()

// simple holds ASCII characters as simplify writes them: in lower case, with a blank for white space
// and punctuation. It is 0 for digits and for bytes of other characters.
var simple = func() (t [256]byte) {
	for c := range utf8.RuneSelf {
		switch r := rune(c); {
		case pytext.IsSpace(r) || punctuation(r):
			t[c] = ' '
		case !unicode.IsDigit(r):
			t[c] = lowered[c]
		}
	}
	return t
}()

// appendLower appends src in lower case, as Python's str.lower has it. That may
// be longer than src (Ⱥ) or shorter (the sign of the ohm).
func appendLower(dst, src []byte) []byte {
	from := len(dst)
	for i := 0; i < len(src); {
		if n := asciiPrefix(src[i:]); n > 0 {
			at := len(dst)
			dst = append(dst, src[i:i+n]...)
			for j, c := range dst[at:] {
				dst[at+j] = lowered[c]
			}
			i += n
			continue
		}
		c := src[i]
		r, n := utf8.DecodeRune(src[i:])
		switch {
		case r == 'Σ' || r == 'İ': // the result depends on the context
			return append(dst[:from], pytext.Lower(string(src))...)
		case r == utf8.RuneError && n == 1:
			dst = append(dst, c)
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += n
	}
	return dst
}

// asciiPrefix returns how many characters of ASCII b begins with.
func asciiPrefix(b []byte) (n int) {
	for n < len(b) && b[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// simplify is datatrove's simplify_text: lower case, numbers to 0, punctuation
// to blanks, one space for each run of white space, canonical decomposition
// without non-spacing marks.
func simplify(dst, src []byte) []byte {
	from := len(dst)
	dst = slices.Grow(dst, len(src)+len(src)/2) // ⱥ has one byte more than Ⱥ
	text := dst[from : from+len(src)+len(src)/2]
	w := 0        // bytes written
	ascii := true // whether text[:w] is ASCII
	blank := 1    // 1 at the beginning and after a blank
	for i := 0; i < len(src); {
		if c := simple[src[i]]; c != 0 { // without branches that depend on the lengths of words
			text[w] = c
			space := truth.Int(c == ' ')
			w += 1 - space&blank
			blank = space
			i++
			continue
		}
		r, n := utf8.DecodeRune(src[i:])
		switch {
		case r == 'Σ' || r == 'İ': // lower case depends on the context
			return simplify(dst[:from], appendLower(nil, src))
		case unicode.IsDigit(r):
			i = number(src, i)
			text[w] = '0'
			w++
			blank = 0
			continue
		case pytext.IsSpace(r) || punctuation(r):
			text[w] = ' '
			w += 1 - blank
			blank = 1
		case r == utf8.RuneError && n == 1:
			text[w] = src[i]
			w++
			ascii, blank = false, 0
		default:
			w += utf8.EncodeRune(text[w:], unicode.ToLower(r))
			ascii, blank = false, 0
		}
		i += n
	}
	if w > 0 && blank > 0 {
		w--
	}
	text = text[:w]
	if ascii {
		return dst[:from+w]
	}
	dec := norm.NFD.Bytes(text)
	dst = dst[:from]
	before := true // as blank
	for i := 0; i < len(dec); {
		if c := dec[i]; c < utf8.RuneSelf && c != ' ' {
			dst = append(dst, c)
			before = false
			i++
			continue
		}
		r, n := utf8.DecodeRune(dec[i:])
		// A word of marks alone leaves two blanks, of which the tokenizer that
		// follows makes one.
		if space := r == ' '; !unicode.Is(unicode.Mn, r) && !(space && before) {
			dst = append(dst, dec[i:i+n]...)
			before = space
		}
		i += n
	}
	if len(dst) > from && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// number returns where the number that begins at i ends: digits, and once a
// decimal separator and digits.
func number(text []byte, i int) int {
	i = digits(text, i)
	if r, n := utf8.DecodeRune(text[i:]); r == '.' || r == ',' || r == '،' || r == '٫' || r >= '⎖' && r <= '⎘' {
		if j := digits(text, i+n); j > i+n {
			return j
		}
	}
	return i
}

func digits(text []byte, i int) int {
	for i < len(text) {
		r, n := utf8.DecodeRune(text[i:])
		if !unicode.IsDigit(r) {
			break
		}
		i += n
	}
	return i
}

// punctuation reports whether datatrove makes a blank of r: the punctuation of
// ASCII, controls but for white space (which is a blank anyhow), and marks that
// occur often on the web.
func punctuation(r rune) bool {
	switch {
	case r < 0xa0:
		return r < ' ' || r >= 0x7f || r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{'
	case r < 0x2013:
		return r == 0xab || r == 0xb4 || r == 0xbb
	case r < 0x3000:
		switch r {
		case 0x2013, 0x2014, 0x2019, 0x201c, 0x201d, 0x201e, 0x2026, 0x2236, 0x2501, 0x25ba:
			return true
		}
		return false
	case r < 0x3100:
		return r == 0x3001 || r == 0x3002 || r >= 0x3008 && r <= 0x300d || r == 0x3010 || r == 0x3011
	}
	switch r {
	case 0xff01, 0xff05, 0xff08, 0xff09, 0xff0c, 0xff0e, 0xff11, 0xff1a, 0xff1b, 0xff1f, 0xff5e:
		return true
	}
	return false
}

// nonWords implements the split of text-dedup at \W, in lower case. Each character
// that is not a letter, number or underscore becomes a space. Between two spaces is an
// empty token.
func nonWords(dst, src []byte) []byte {
	from := len(dst)
	dst = appendLower(dst, src)
	text := dst[from:]
	w := 0
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			text[w] = words[c]
			w++
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if pytext.IsWord(r) {
			w += copy(text[w:], text[i:i+n])
		} else {
			text[w] = ' '
			w++
		}
		i += n
	}
	return dst[:from+w]
}

// spaces implements split_on_whitespace of data-juicer, in lower case. Tokens are
// separated by spaces; line breaks and tabs are parts of tokens.
func spaces(dst, src []byte) []byte {
	from := len(dst)
	dst = appendLower(dst, src)
	text := dst[from:]
	w := 0
	for i, c := range text {
		if c != ' ' || w > 0 && i+1 < len(text) && text[i+1] != ' ' {
			text[w] = c
			w++
		}
	}
	return dst[:from+w]
}

// unchanged appends the unchanged text, for NeMo.
func unchanged(dst, src []byte) []byte { return append(dst, src...) }

// starts appends where the units of text begin, and len(text)+1 at last for
// words, len(text) for characters. Words are separated by single spaces.
func starts(dst []int, text []byte, chars bool) []int {
	if chars {
		for i := range text {
			if utf8.RuneStart(text[i]) {
				dst = append(dst, i)
			}
		}
		return append(dst, len(text))
	}
	for i := 0; ; {
		dst = append(dst, i)
		n := bytes.IndexByte(text[i:], ' ')
		if n < 0 {
			return append(dst, len(text)+1)
		}
		i += n + 1
	}
}

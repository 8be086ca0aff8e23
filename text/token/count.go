package token

import (
	"math/bits"
	"unicode/utf8"
	"unsafe"

	"chaffinch/internal/runes"
	"chaffinch/internal/swar"
	"chaffinch/page"
)

// Count returns the number of words of text as a reader would count them: runs of letters,
// digits and marks, with apostrophes and hyphens inside. Each Han character, Hiragana or
// Katakana letter counts as one word, because these scripts are written without spaces. Count
// allocates nothing.
func Count(text string) int {
	n, in := 0, uint8(0) // in is 1 inside a word
	byBytes := 0         // bytes before this position are processed one by one
	for i := 0; i < len(text); {
		if vectors && i >= byBytes && i+64 <= len(text) {
			words, inner, top := flagsVector(unsafe.StringData(text[i:]))
			size := bits.TrailingZeros64(top)
			// A sum carries from the first of adjacent inner bytes through all of them.
			inside := words | inner&^(inner+inner&(words<<1|uint64(in)))
			n += bits.OnesCount64(words &^ (inside<<1 | uint64(in)) & (1<<size - 1))
			if size > 0 {
				in = uint8(inside >> (size - 1) & 1)
			}
			if i += size; size < 64 {
				byBytes = i + 16
			}
			continue
		}
		if i >= byBytes {
			if words, inner, ok := eightFlags(eightBytes(text, i)); ok && inner&(inner<<8) == 0 {
				before := uint64(in) << 7 // bytes after a byte inside a word
				inside := words | inner&(words<<8|before)
				n += bits.OnesCount64(words &^ (inside<<8 | before))
				in = uint8(inside >> 63)
				i += 8
				continue
			}
			byBytes = i + 8
		}
		f := flags[text[i]]
		if f&notASCII == 0 {
			i++
			n += int(f & isWord &^ in)
			in = f&isWord | f>>1&in
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch wordClasses.At(r) {
		case wordRune:
			n += int(1 - in)
			in = 1
		case breakRune:
			in = 0
		case loneRune:
			n, in = n+1, 0
		}
	}
	return n
}

// eightBytes returns the bytes of text from i on, the first one lowest. Bytes after the end are 0,
// which is no part of a word.
func eightBytes(text string, i int) (x uint64) {
	switch n := len(text); {
	case i+8 <= n:
		return swar.Load(text[i:])
	case n >= 8:
		return swar.Load(text[n-8:]) >> (8 * (i + 8 - n))
	}
	for k := len(text) - 1; k >= i; k-- {
		x = x<<8 | uint64(text[k])
	}
	return x
}

// eightFlags returns bit sets of the top bits of eight bytes. words marks bytes that begin or
// continue a word, inner marks bytes that only continue one. ok reports whether all bytes are ASCII.
func eightFlags(x uint64) (words, inner uint64, ok bool) {
	if x&swar.Tops != 0 {
		return 0, 0, false
	}
	lower, hyphen, apostrophe := x|0x20*swar.Ones, x^'-'*swar.Ones, x^'\''*swar.Ones
	letters := (lower + (0x80-'a')*swar.Ones) &^ (lower + (0x7F-'z')*swar.Ones)
	digits := (x + (0x80-'0')*swar.Ones) &^ (x + (0x7F-'9')*swar.Ones)
	inner = ^((hyphen + 0x7F*swar.Ones) & (apostrophe + 0x7F*swar.Ones)) & swar.Tops // of which one is 0
	return (letters | digits) & swar.Tops, inner, true
}

// Tally counts the blocks and words of a page, in total and kept. Hidden blocks count only if
// they are kept.
type Tally struct{ Blocks, BlocksKept, Words, WordsKept int }

// CountPage counts the blocks and words of p.
func CountPage(p *page.Page) (t Tally) {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		keep := b.Label.Keep()
		if b.Hidden && !keep {
			continue
		}
		n := Count(b.Text)
		t.Blocks++
		t.Words += n
		if !keep || p.Drop != page.None {
			continue
		}
		t.BlocksKept++
		if len(b.Sentences) > 0 {
			n = Count(b.Kept())
		}
		t.WordsKept += n
	}
	return t
}

// Flags of bytes. A byte with neither of the first two flags ends a word.
const (
	isWord   = 1 << iota // begins or continues a word
	isInner              // continues a word
	notASCII             // part of a non-ASCII character
)

var flags = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= utf8.RuneSelf:
			t[c] = notASCII
		case c == '\'' || c == '-':
			t[c] = isInner
		case asciiAlnum[c]:
			t[c] = isWord
		}
	}
	return t
}()

// Classes of non-ASCII characters.
const (
	breakRune = iota
	wordRune
	innerRune // continues a word
	loneRune  // is a word of one character
)

// wordClasses caches the classes. A lookup in the tables of package unicode takes as long as
// counting a line.
var wordClasses = runes.NewTable(classOf)

func classOf(r rune) uint8 {
	switch {
	case runes.IsEastAsian(r):
		return loneRune
	case r == '’' || r == 0xAD:
		return innerRune
	case runes.IsWord(r):
		return wordRune
	}
	return breakRune
}

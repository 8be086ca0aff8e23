package nontext

import (
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// Classes of characters, as far as words and what stands between them go.
const (
	charSpace = iota
	charBreak
	charOther // quotes, brackets, dashes
	charComma
	charTerminal
	charSymbol
	charLetter // from here on parts of words
	charUpper
	charDigit
	charAlone // of a script without spaces: a word by itself
)

// char is what the scanner knows of a character.
type char struct {
	lower rune
	class uint8
}

// chars remembers the classes, ascii holds those of the first 128 characters.
var (
	chars = runes.NewTable(func(r rune) char { return char{unicode.ToLower(r), classOf(r)} })
	ascii = func() (t [utf8.RuneSelf]uint8) {
		for r := range t {
			t[r] = classOf(rune(r))
		}
		return t
	}()
)

func classOf(r rune) uint8 {
	switch {
	case r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029:
		return charBreak
	case unicode.IsSpace(r) || r == 0x200b || r == 0xfeff:
		return charSpace
	case runes.IsUnspaced(r):
		return charAlone
	case unicode.IsUpper(r) || unicode.IsTitle(r):
		return charUpper
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return charLetter
	case unicode.IsDigit(r):
		return charDigit
	case r == ':' || r == ',' || r == ';' || unicode.In(r, unicode.Terminal_Punctuation) && !unicode.In(r, unicode.STerm):
		return charComma
	case unicode.In(r, unicode.STerm) || r == '…':
		return charTerminal
	case unicode.IsSymbol(r) || r < utf8.RuneSelf && r != '"' && r != '\'' && r != '(' && r != ')' && r != '-':
		return charSymbol
	}
	return charOther
}

// Forms of words.
const (
	formLower = iota
	formTitle
	formUpper
	formMixed
	formNumber
	formAlone
)

// gaps are what stands between a word and the next.
const (
	gapSpace = iota
	gapNone  // a mark without a space, as in don't
	gapMark
	gapComma
	gapTerminal
	gapSymbol
	gapLine
	gapSentenceLine // a line break behind the end of a sentence
)

// word is a word of a window, with what follows it.
type word struct {
	start, end int
	hash       uint32 // of the characters in lower case
	tail       uint32 // the last two of them, hashed
	chars      uint8  // at most 255
	form       uint8
	gap        uint8
	loose      bool // a comma or a sentence end follows that has a space before it
	cut        bool // the mark behind it is no space
}

const hashPrime = 0x01000193

// scan reads the words of text from place at, at most WindowWords of them, into
// words, and returns the place behind what follows the last.
func scan(text string, at int, words []word) ([]word, int) {
	words = words[:0]
	for at < len(text) { // what stands before the first word
		c, n := charAt(text, at)
		if c.class >= charLetter {
			break
		}
		at += n
	}
	for at < len(text) && len(words) < WindowWords {
		w := word{start: at}
		at = w.read(text, at)
		at = w.readGap(text, at)
		words = append(words, w)
	}
	return words, at
}

func charAt(text string, at int) (char, int) {
	if c := text[at]; c < utf8.RuneSelf {
		return chars.ASCII[c], 1
	}
	r, n := utf8.DecodeRuneInString(text[at:])
	return chars.At(r), n
}

// read reads the word at a place that has one.
func (w *word) read(text string, at int) int {
	h, prev, last := uint32(0x811c9dc5), rune(0), rune(0)
	upper, digits, n := 0, 0, 0
	first := false
	for at < len(text) {
		c, size := char{rune(text[at]), 0}, 1
		if c.lower < utf8.RuneSelf {
			if c.class = ascii[c.lower]; c.class == charUpper {
				c.lower |= 0x20
			}
		} else {
			c, size = charAt(text, at)
		}
		if c.class < charLetter || c.class == charAlone && n > 0 {
			break
		}
		if c.class > charLetter {
			switch c.class {
			case charUpper:
				upper++
				first = first || n == 0
			case charDigit:
				digits++
			case charAlone:
				w.form = formAlone
			}
		}
		h = (h ^ uint32(c.lower)) * hashPrime
		prev, last = last, c.lower
		n++
		at += size
		if w.form == formAlone {
			break
		}
	}
	w.end, w.hash, w.tail = at, h, uint32(prev)*hashPrime^uint32(last)
	w.chars = uint8(min(n, 255))
	switch {
	case w.form == formAlone:
	case digits > 0:
		w.form = formNumber
	case upper == 0:
		w.form = formLower
	case upper == 1 && first:
		w.form = formTitle
	case upper == n:
		w.form = formUpper
	default:
		w.form = formMixed
	}
	return at
}

// readGap reads what stands between a word and the next.
func (w *word) readGap(text string, at int) int {
	if at+1 < len(text) && text[at] == ' ' && text[at+1] < utf8.RuneSelf && ascii[text[at+1]] >= charLetter {
		return at + 1 // as most often
	}
	best, spaced, broken := uint8(charSpace), false, false
	start := at
	for at < len(text) {
		c, size := charAt(text, at)
		if c.class >= charLetter {
			break
		}
		switch c.class {
		case charSpace:
			spaced = true
		case charBreak:
			spaced, broken = true, true
		default:
			if spaced && !broken && c.class >= charComma && c.class <= charTerminal && best < c.class {
				w.loose = true
			}
			best = max(best, c.class)
		}
		at += size
	}
	w.cut = at > start && !spaced
	switch {
	case broken && best == charTerminal:
		w.gap = gapSentenceLine
	case broken || at == len(text):
		w.gap = gapLine
	case best == charSymbol:
		w.gap = gapSymbol
	case best == charTerminal && !spaced && w.form != formAlone:
		w.gap = gapNone // within an address or a number
	case best == charTerminal:
		w.gap = gapTerminal
	case best == charComma:
		w.gap = gapComma
	case best == charOther && spaced:
		w.gap = gapMark
	case best == charOther:
		w.gap = gapNone
	}
	if at == len(text) && best == charTerminal {
		w.gap = gapSentenceLine
	}
	return at
}

// starts tells for a word whether it begins a sentence or a line, by what stood
// before it.
func starts(before uint8) bool {
	return before == gapTerminal || before == gapLine || before == gapSentenceLine
}

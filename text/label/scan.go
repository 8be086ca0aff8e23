package label

import (
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// Classes of characters in words and between them.
const (
	charSpace = iota
	charBreak
	charOther // quotes, brackets, dashes
	charComma
	charColon
	charTerminal
	charSymbol
	charLetter // this and the following classes are parts of words
	charUpper
	charDigit
	charAlone // of a script without spaces: a word of one character
)

// char holds the properties of a character.
type char struct {
	lower rune
	class uint8
}

// chars caches the classes.
var chars = runes.NewTable(func(r rune) char { return char{unicode.ToLower(r), classOf(r)} })

// letters holds the properties of bytes as parts of words: the character in lower case (8
// bits), 1 for a capital (32 bits), 1 for a digit (the remaining bits). It is 0 for other
// bytes.
var letters = func() (t [256]uint64) {
	for r := range utf8.RuneSelf {
		c := chars.ASCII[r]
		if c.class < charLetter {
			continue
		}
		t[r] = uint64(c.lower)
		switch c.class {
		case charUpper:
			t[r] |= 1 << 8
		case charDigit:
			t[r] |= 1 << 40
		}
	}
	return t
}()

// gapOf maps an ASCII mark followed by a space to the gap that it forms between words, noGap
// for other characters.
var gapOf = func() (t [256]uint8) {
	for r := range t {
		t[r] = noGap
		if r >= utf8.RuneSelf {
			continue
		}
		switch chars.ASCII[r].class {
		case charSymbol:
			t[r] = gapSymbol
		case charTerminal:
			t[r] = gapTerminal
		case charComma:
			t[r] = gapComma
		case charColon:
			t[r] = gapColon
		case charOther:
			t[r] = gapMark
		}
	}
	return t
}()

const noGap = 255

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
	case r == ':' || r == '：':
		return charColon
	case r == ',' || r == ';' || unicode.In(r, unicode.Terminal_Punctuation) && !unicode.In(r, unicode.STerm):
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

// The gaps between a word and the next.
const (
	gapSpace = iota
	gapNone  // a mark without a space, as in don't
	gapMark
	gapApart // a mark between two spaces, such as a dash
	gapComma
	gapColon
	gapTerminal
	gapEllipsis
	gapSymbol
	gapLine
	gapSentenceLine // a line break after the end of a sentence
)

// word is a word of a window, with the gap after it.
type word struct {
	start, end int
	hash       uint32 // of the lower-case characters
	tail       uint32 // hash of the last two characters
	chars      uint8  // at most 255
	form       uint8
	gap        uint8
	script     uint8
	loose      uint8 // 1 if a comma or a sentence end with a space before it follows
}

// Scripts of words.
const (
	scriptNone = iota
	scriptLatin
	scriptOther
)

const hashPrime = 0x01000193

// scan appends up to windowWords words of text from position at to words. It returns the
// position after the gap that follows the last word. If flat is true, line breaks are spaces.
func scan(text string, at int, words []word, flat bool) ([]word, int) {
	limit := len(words) + windowWords
	for at < len(text) { // skip text before the first word
		c, n := charAt(text, at)
		if c.class >= charLetter {
			break
		}
		at += n
	}
	for at < len(text) && len(words) < limit {
		w := word{start: at}
		at = w.read(text, at)
		at = w.readGap(text, at, flat)
		words = append(words, w)
	}
	return words, at
}

func charAt(text string, at int) (char, int) {
	if c := text[at]; c < utf8.RuneSelf {
		return chars.ASCII[c], 1
	}
	r, n := runes.Decode(text[at:])
	return chars.At(r), n
}

// read reads the word at position at and returns the position after it.
func (w *word) read(text string, at int) int {
	h, counts := uint32(hashStart), uint64(0)
	start := at
	for ; at < len(text); at++ {
		c := letters[text[at]]
		if c == 0 {
			if text[at] >= utf8.RuneSelf {
				return w.readAny(text, start)
			}
			break
		}
		h = (h ^ uint32(c)&0x7f) * hashPrime
		counts += c >> 8
	}
	n, upper, digits := at-start, int(uint32(counts)), int(counts>>32)
	var prev, last rune
	if n > 0 {
		last = rune(letters[text[at-1]] & 0x7f)
	}
	if n > 1 {
		prev = rune(letters[text[at-2]] & 0x7f)
	}
	if digits < n {
		w.script = scriptLatin
	}
	w.hash, w.tail = h, tailOf(prev, last)
	w.end, w.chars, w.form = at, uint8(min(n, 255)), formOf(n, upper, digits, text[start] <= 'Z')
	return at
}

// readAny is like read for words of any characters.
func (w *word) readAny(text string, at int) int {
	h, prev, last := uint32(hashStart), rune(0), rune(0)
	upper, digits, n := 0, 0, 0
	first := false
	for at < len(text) {
		c, size := charAt(text, at)
		if c.class < charLetter || c.class == charAlone && n > 0 {
			break
		}
		switch c.class {
		case charUpper:
			upper++
			first = first || n == 0
		case charDigit:
			digits++
		}
		if c.class != charDigit && c.lower >= firstOther {
			w.script = scriptOther
		}
		h = (h ^ uint32(c.lower)) * hashPrime
		prev, last = last, c.lower
		n++
		at += size
		if c.class == charAlone {
			w.form = formAlone
			break
		}
	}
	if w.script == scriptNone && digits < n {
		w.script = scriptLatin
	}
	w.end, w.hash, w.tail, w.chars = at, h, tailOf(prev, last), uint8(min(n, 255))
	if w.form != formAlone {
		w.form = formOf(n, upper, digits, first)
	}
	return at
}

// firstOther is the first character after the Latin ones.
const firstOther = 0x370

const hashStart = 0x811c9dc5

// tailOf combines the last two characters of a word.
func tailOf(prev, last rune) uint32 { return uint32(prev)*hashPrime ^ uint32(last) }

// formOf returns the form of a word of n characters, with the given numbers of capitals and
// digits. first reports whether the first character is a capital.
func formOf(n, upper, digits int, first bool) uint8 {
	switch {
	case digits > 0:
		return formNumber
	case upper == 0:
		return formLower
	case upper == 1 && first:
		return formTitle
	case upper == n:
		return formUpper
	}
	return formMixed
}

// readGap reads the gap between a word and the next.
func (w *word) readGap(text string, at int, flat bool) int {
	if at+2 < len(text) { // the most frequent case
		if text[at] == ' ' && letters[text[at+1]] != 0 {
			return at + 1
		}
		if gap := gapOf[text[at]]; gap != noGap && text[at+1] == ' ' && letters[text[at+2]] != 0 {
			w.gap = gap
			return at + 2
		}
	}
	return w.readAnyGap(text, at, flat)
}

// readAnyGap is like readGap for any characters.
func (w *word) readAnyGap(text string, at int, flat bool) int {
	best, spaced, broken, start, points := uint8(charSpace), false, false, at, 0
	last := uint8(charOther)
	for at < len(text) {
		c, size := charAt(text, at)
		if c.class >= charLetter {
			break
		}
		if c.class == charBreak && flat {
			c.class = charSpace
		}
		switch last = c.class; c.class {
		case charSpace:
			spaced = true
		case charBreak:
			spaced, broken = true, true
		default:
			if spaced && !broken && c.class >= charComma && c.class <= charTerminal && best < c.class {
				w.loose = 1
			}
			best = max(best, c.class)
			if c.class == charTerminal {
				points += size // an ellipsis of one character has several bytes
			}
		}
		at += size
	}
	switch {
	case broken && best == charTerminal:
		w.gap = gapSentenceLine
	case broken || at == len(text) && !flat:
		w.gap = gapLine
	case best == charSymbol:
		w.gap = gapSymbol
	case best == charTerminal && !spaced && w.form != formAlone:
		w.gap = gapNone // within an address or a number
	case best == charTerminal && points > 1 && text[start] != 0xe3:
		w.gap = gapEllipsis
	case best == charTerminal:
		w.gap = gapTerminal
	case best == charColon && spaced:
		w.gap = gapColon
	case best == charColon, best == charComma:
		w.gap = gapComma
	case best == charOther && last == charSpace && (text[start] == ' ' || text[start] == '\n'):
		w.gap = gapApart
	case best == charOther && spaced:
		w.gap = gapMark
	case best == charOther:
		w.gap = gapNone
	}
	if at == len(text) && best == charTerminal && !flat {
		w.gap = gapSentenceLine
	}
	return at
}

// starts reports whether a word after the given gap begins a sentence or a line.
func starts(before uint8) bool {
	return before == gapTerminal || before == gapEllipsis || before == gapLine || before == gapSentenceLine
}

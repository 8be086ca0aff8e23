package evidence

import "unsafe"

// marks holds a bit for each byte of a block, by property.
type marks struct {
	space  uint64 // kindSpace
	letter uint64 // ASCII letters
	small  uint64 // bytes with the bit that small ASCII letters have
	top    uint64 // bytes that are not ASCII
	first  uint64 // first bytes of characters that are not ASCII
	odd    uint64 // first bytes that are kindPoint
	vowel  uint64 // ASCII vowels
	symbol uint64 // digits, symbols and separators
}

// marksVector sets m to the properties of the blockBytes bytes at text.
//
//go:noescape
func marksVector(m *marks, text *byte)

// repeatsVector counts as repeats does, in n bytes of text, a positive multiple of 32. At least five
// bytes precede text.
//
//go:noescape
func repeatsVector(text *byte, n int) int

// read sets b to the classes of the first 64 bytes of text. After the end of text there are spaces.
func (b *block) read(text string) {
	if !vectors {
		b.readGo(text)
		return
	}
	var m marks
	if len(text) >= blockBytes {
		marksVector(&m, unsafe.StringData(text))
	} else {
		var last [blockBytes]byte // of zeros, which are spaces
		copy(last[:], text)
		marksVector(&m, &last[0])
	}
	wide := m.first &^ m.odd
	*b = block{
		isSpace: m.space, isLetter: m.letter | wide, isUpper: m.letter &^ m.small, isMore: m.top &^ m.first,
		isVowel: m.vowel | wide, isOdd: m.symbol | m.odd, isWide: wide,
	}
}

// repeats returns the number of letters that equal the two letters before them.
func repeats(text string) int {
	const first = 5
	n := (len(text) - first) &^ 31
	if !vectors || n <= 0 {
		return repeatsGo(text, 2)
	}
	return repeatsGo(text[:first], 2) + repeatsVector(unsafe.StringData(text[first:]), n) + repeatsGo(text, first+n)
}

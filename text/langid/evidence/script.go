package evidence

import (
	"unicode"
)

// Script is the index of a script in Scripts; 0 is not a letter.
type Script uint8

// Classes of characters that are not letters of a script.
const (
	noLetter   Script = 0
	apostrophe Script = 254 // ends a word and belongs to it
	mark       Script = 255 // belongs to the word that contains it
)

// Scripts holds all scripts in which at least one living language is written, each with the
// weight of one letter relative to a Latin letter (2). Han and the Japanese syllabaries are one
// script, because the choice of letters distinguishes Japanese from Chinese.
var Scripts = []struct {
	Name   string
	Weight int32
	tables []*unicode.RangeTable
}{
	{},
	{"Latn", 2, []*unicode.RangeTable{unicode.Latin}},
	{"Cyrl", 2, []*unicode.RangeTable{unicode.Cyrillic}},
	{"Arab", 2, []*unicode.RangeTable{unicode.Arabic}},
	{"Deva", 2, []*unicode.RangeTable{unicode.Devanagari}},
	{"Hani", 5, []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo}},
	{"Beng", 2, []*unicode.RangeTable{unicode.Bengali}},
	{"Grek", 2, []*unicode.RangeTable{unicode.Greek}},
	{"Hebr", 2, []*unicode.RangeTable{unicode.Hebrew}},
	{"Hang", 5, []*unicode.RangeTable{unicode.Hangul}},
	{"Armn", 2, []*unicode.RangeTable{unicode.Armenian}},
	{"Geor", 2, []*unicode.RangeTable{unicode.Georgian}},
	{"Thai", 2, []*unicode.RangeTable{unicode.Thai}},
	{"Laoo", 2, []*unicode.RangeTable{unicode.Lao}},
	{"Khmr", 2, []*unicode.RangeTable{unicode.Khmer}},
	{"Mymr", 2, []*unicode.RangeTable{unicode.Myanmar}},
	{"Tibt", 2, []*unicode.RangeTable{unicode.Tibetan}},
	{"Sinh", 2, []*unicode.RangeTable{unicode.Sinhala}},
	{"Gujr", 2, []*unicode.RangeTable{unicode.Gujarati}},
	{"Guru", 2, []*unicode.RangeTable{unicode.Gurmukhi}},
	{"Orya", 2, []*unicode.RangeTable{unicode.Oriya}},
	{"Taml", 2, []*unicode.RangeTable{unicode.Tamil}},
	{"Telu", 2, []*unicode.RangeTable{unicode.Telugu}},
	{"Knda", 2, []*unicode.RangeTable{unicode.Kannada}},
	{"Mlym", 2, []*unicode.RangeTable{unicode.Malayalam}},
	{"Ethi", 4, []*unicode.RangeTable{unicode.Ethiopic}},
	{"Thaa", 2, []*unicode.RangeTable{unicode.Thaana}},
	{"Cher", 4, []*unicode.RangeTable{unicode.Cherokee}},
	{"Cans", 4, []*unicode.RangeTable{unicode.Canadian_Aboriginal}},
	{"Mong", 2, []*unicode.RangeTable{unicode.Mongolian}},
	{"Tfng", 2, []*unicode.RangeTable{unicode.Tifinagh}},
	{"Syrc", 2, []*unicode.RangeTable{unicode.Syriac}},
	{"Yiii", 5, []*unicode.RangeTable{unicode.Yi}},
	{"Nkoo", 2, []*unicode.RangeTable{unicode.Nko}},
}

const (
	MaxScripts = 64        // upper bound on the number of scripts
	Hani       = Script(5) // Han, and Japanese syllabaries
	latn       = Script(1)
	cyrl       = Script(2)
	tableRunes = 0x3000 // the classes of characters below are in a table
)

// glyphs holds, for each character below tableRunes, its folded form << 8 and its script.
var glyphs = makeGlyphs()

func makeGlyphs() *[tableRunes]uint32 {
	g := new([tableRunes]uint32)
	var letter [tableRunes]bool // or a mark
	for _, t := range []*unicode.RangeTable{unicode.L, unicode.M} {
		for _, r := range t.R16 {
			for c := uint32(r.Lo); c <= uint32(r.Hi) && c < tableRunes; c += uint32(r.Stride) {
				letter[c] = true
			}
		}
	}
	for s, sc := range Scripts {
		for _, t := range sc.tables {
			for _, r := range t.R16 {
				for c := uint32(r.Lo); c <= uint32(r.Hi) && c < tableRunes; c += uint32(r.Stride) {
					if letter[c] {
						g[c] = fold(rune(c))<<8 | uint32(s)
					}
				}
			}
		}
	}
	for c := rune(0x300); c < 0x370; c++ {
		g[c] = uint32(c)<<8 | uint32(mark)
	}
	for _, c := range "'’ʼ‘ʻ`´" {
		g[c&0x2fff] = '\''<<8 | uint32(apostrophe)
	}
	g['ـ'] = 0 // tatweel stretches a word
	return g
}

// fold maps a letter to lower case, and merges pairs of letters that are used interchangeably.
func fold(c rune) uint32 {
	switch c {
	case 'İ':
		return 'i'
	case 'ş', 'Ş':
		return 'ș'
	case 'ţ', 'Ţ':
		return 'ț'
	}
	c = unicode.ToLower(c)
	if c >= tableRunes {
		return uint32(c) & 0x2fff
	}
	return uint32(c)
}

// wide returns the script of a character outside the table.
func wide(c rune) Script {
	switch {
	case c >= 0x4e00 && c < 0xa000, c >= 0x3040 && c < 0x3130, c >= 0x3400 && c < 0x4dc0, c >= 0xf900 && c < 0xfb00,
		c >= 0x20000 && c < 0x32000, c == 0x3005, c >= 0xff66 && c < 0xff9f:
		return Hani
	case c >= 0xac00 && c < 0xd7a4, c >= 0x3130 && c < 0x3190, c >= 0xa960 && c < 0xa980, c >= 0xd7b0 && c < 0xd800:
		return 9 // Hang
	case c >= 0xa000 && c < 0xa4d0:
		return 32 // Yiii
	case c >= 0xa640 && c < 0xa6a0:
		return 2 // Cyrl
	case c >= 0xfb1d && c < 0xfb50:
		return 8 // Hebr
	case c >= 0xfb50 && c < 0xfe00, c >= 0xfe70 && c < 0xfeff:
		return 3 // Arab
	case c >= 0xab70 && c < 0xabc0:
		return 27 // Cher
	case c >= 0xa720 && c < 0xa800, c >= 0xfb00 && c < 0xfb07, c >= 0xff21 && c < 0xff5b:
		return 1 // Latn
	case c >= 0xaa60 && c < 0xaa80:
		return 15 // Mymr
	}
	return noLetter
}

// ScriptAt returns the script of the first character of text and its length in bytes. ok
// reports whether it is a letter.
func ScriptAt(text string) (s Script, size int, ok bool) {
	g, size := glyph(text)
	s = Script(g)
	return s, size, s != noLetter && s < MaxScripts
}

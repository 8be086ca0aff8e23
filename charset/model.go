package charset

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"unicode"
	"unicode/utf8"

	"chaffinch/model"
	"chaffinch/model/data"
)

// Kind and Behaviour of the model files of this package.
//
//	1  bits of unigrams, bigrams and trigrams of letters, of symbols and of cases
const (
	Kind      = "charset"
	Behaviour = 1
)

// unit is the number of steps in which a bit is counted; even is the cost
// zero where costs may be negative.
const (
	unit = 8
	even = 128
)

// Sections of a model file.
const (
	sectionLetters = "letters" // uint16 letter, uint8 cost, uint8 best cost in a language
	sectionSymbols = "symbols" // a symbolRow each
	sectionCases   = "cases"   // costs of a small letter and of a capital behind each pair of classes
	sectionFloors  = "floors"  // uint8 a language: bits of any letter that was not seen in it
	sectionStarts  = "starts"  // uint32: first entry of each bucket, and the number of entries
	sectionEntries = "entries" // uint32: check<<16 | language<<8 | uint8(bits)
)

// What a key stands for.
const (
	unigram  = 1 + iota // bits of a letter in a language beyond those in none
	bigram              // bits of a letter behind another, beyond those of the letter
	trigram             // the same behind two
	backoff1            // bits of any letter behind one that was not seen there
	backoff2            // the same behind two
)

// ngram returns the place of an n-gram of letters: the bucket in the upper 32
// bits, and 16 bits to check.
func ngram(kind int, a, b, c uint16) uint64 {
	k := uint64(kind)<<48 | uint64(a)<<32 | uint64(b)<<16 | uint64(c)
	k *= 0x9E3779B97F4A7C15
	k ^= k >> 32
	k *= 0xD6E8FEB86659FD93
	return k ^ k>>29
}

// symbolRow are the costs of a symbol by the class of its neighbour.
type symbolRow struct {
	Symbol uint16
	// Behind is the cost of the symbol behind a class, and behind itself.
	Behind [classes + 1]uint8
	// Before is the cost, from even, of a class behind the symbol beyond that
	// behind a space.
	Before [classes]uint8
}

const symbolRowSize = 2 + int(classes) + 1 + int(classes)

// tables are a model as the detector reads it.
type tables struct {
	langs   []string
	glyphs  [1 << 16]glyph
	best    [1 << 16]uint8
	symbols []symbolRow // 0 is none, 1 to 4 are those of stranger
	cases   [classes][classes][2]uint8
	floors  []uint8
	starts  []uint32
	entries []uint32
	shift   uint
}

// Costs of what the model has not seen, in bits.
const (
	costUnknown  = 24 // a letter of no language of the model
	costSymbol   = 16 // a symbol
	costControl  = 24 // a control character
	costReserved = 28 // a code point of nobody
	costNothing  = 31 // bytes that are no character
)

// card is the model card in the header.
type card struct {
	Langs []LangCard `json:"langs"`
}

// LangCard says what a language of a model was learned from.
type LangCard struct {
	Lang    string `json:"lang"`
	Letters int    `json:"letters"` // of text
	Entries int    `json:"entries"` // weights
}

func open(path string) (*tables, error) {
	if path == "" {
		f, err := model.Parse("charset.chf (embedded)", data.Charset)
		if err != nil {
			return nil, err
		}
		return parse(f)
	}
	f, err := model.Open(path)
	if err != nil {
		return nil, err
	}
	t, err := parse(f)
	return t, errors.Join(err, f.Close()) // everything was copied
}

// parse reads the sections of f.
func parse(f *model.File) (*tables, error) {
	fail := func(format string, a ...any) (*tables, error) {
		return nil, fmt.Errorf("charset model %s: %s", f.Name, fmt.Sprintf(format, a...))
	}
	if f.Kind != Kind {
		return fail("it is a model of kind %q, wanted %q", f.Kind, Kind)
	}
	if f.Behaviour != Behaviour {
		return fail("behaviour %d, this build reads %d: train it again with chaffinch train charset", f.Behaviour, Behaviour)
	}
	var c card
	if err := json.Unmarshal(f.Card, &c); err != nil {
		return fail("card: %v", err)
	}
	if len(c.Langs) > math.MaxUint8 {
		return fail("%d languages, at most %d", len(c.Langs), math.MaxUint8)
	}
	sections := map[string][]byte{}
	for _, name := range []string{sectionLetters, sectionSymbols, sectionCases, sectionFloors, sectionStarts, sectionEntries} {
		b, ok := f.Section(name)
		if !ok {
			return fail("no section %q: train it again", name)
		}
		sections[name] = b
	}
	t := &tables{}
	for _, l := range c.Langs {
		t.langs = append(t.langs, l.Lang)
	}
	cases := sections[sectionCases]
	letters, symbols := sections[sectionLetters], sections[sectionSymbols]
	if len(cases) != int(classes)*int(classes)*2 || len(letters)%4 != 0 || len(symbols)%symbolRowSize != 0 || len(symbols)/symbolRowSize > 254 {
		return fail("sections of wrong sizes (%d, %d, %d): copy it again", len(letters), len(symbols), len(cases))
	}
	for i := range t.cases {
		for j := range t.cases[i] {
			copy(t.cases[i][j][:], cases[(i*int(classes)+j)*2:])
		}
	}
	if t.floors = append([]uint8(nil), sections[sectionFloors]...); len(t.floors) != len(t.langs) {
		return fail("%d floors for %d languages: copy it again", len(t.floors), len(t.langs))
	}
	t.glyphTable(letters, symbols)
	if !t.setEntries(sections[sectionStarts], sections[sectionEntries]) {
		return fail("the index of the entries is damaged: copy it again")
	}
	return t, nil
}

// setEntries copies the index and the entries and reports whether they fit.
func (t *tables) setEntries(starts, entries []byte) bool {
	t.starts, t.entries = make([]uint32, len(starts)/4), make([]uint32, len(entries)/4)
	for i := range t.starts {
		t.starts[i] = binary.LittleEndian.Uint32(starts[4*i:])
	}
	for i := range t.entries {
		t.entries[i] = binary.LittleEndian.Uint32(entries[4*i:])
		if int(t.entries[i]>>8&0xFF) >= len(t.langs) {
			return false
		}
	}
	n := len(t.starts) - 1
	if n < 1 || n&(n-1) != 0 || t.starts[0] != 0 || t.starts[n] != uint32(len(t.entries)) {
		return false
	}
	for i := range n {
		if t.starts[i] > t.starts[i+1] {
			return false
		}
	}
	for t.shift = 64; n > 1; n >>= 1 {
		t.shift--
	}
	return true
}

// glyphTable fills the table of characters.
func (t *tables) glyphTable(letters, symbols []byte) {
	for _, bits := range [...]uint8{0, costSymbol, costControl, costReserved, costNothing} {
		row := symbolRow{}
		for i := range row.Behind {
			row.Behind[i] = bits * unit
		}
		for i := range row.Before {
			row.Before[i] = even
		}
		t.symbols = append(t.symbols, row)
	}
	numbers := map[uint16]uint8{}
	for b := symbols; len(b) > 0; b = b[symbolRowSize:] {
		row := symbolRow{Symbol: binary.LittleEndian.Uint16(b)}
		copy(row.Before[:], b[2+copy(row.Behind[:], b[2:]):])
		numbers[row.Symbol] = uint8(len(t.symbols))
		t.symbols = append(t.symbols, row)
	}
	costs := map[uint16][2]uint8{}
	for ; len(letters) > 0; letters = letters[4:] {
		costs[binary.LittleEndian.Uint16(letters)] = [2]uint8{letters[2], letters[3]}
	}
	for i := range t.glyphs {
		g := &t.glyphs[i]
		var symbol bool
		g.letter, g.class, symbol = look(rune(i))
		g.script = scriptOf(rune(i))
		if symbol {
			if g.symbol = numbers[uint16(i)]; g.symbol == 0 {
				g.symbol = stranger(rune(i))
			}
		}
		c, ok := costs[g.letter]
		if !ok {
			c = [2]uint8{costUnknown * unit, costUnknown * unit}
		}
		g.cost, t.best[i] = c[0], c[1]
	}
}

// stranger returns the row of a symbol that the model does not know.
func stranger(r rune) uint8 {
	switch {
	case r == utf8.RuneError:
		return 4
	case unicode.In(r, unicode.Co, unicode.Cs) || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C):
		return 3
	case unicode.IsControl(r) || r == '¤': // the currency sign stands in no text
		return 2
	}
	return 1
}

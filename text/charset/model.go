package charset

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
	"unicode"
	"unicode/utf8"

	"chaffinch/model"
	"chaffinch/model/data"
	"chaffinch/text/charset/alphabet"
)

// tables holds a model in the form that the detector uses.
type tables struct {
	langs   []string
	glyphs  [1 << 16]alphabet.Glyph
	best    [1 << 16]uint8
	symbols []alphabet.SymbolRow // row 0 is none, 1 to 4 are the rows of stranger
	cases   [alphabet.Classes][alphabet.Classes][2]uint8
	floors  []uint8
	starts  []uint32
	entries []uint32
	shift   uint
}

// embedded builds the tables of the embedded model.
var embedded = sync.OnceValue(func() *tables {
	f, err := model.Parse("charset.chf (embedded)", data.Charset)
	if err == nil {
		var t *tables
		if t, err = parse(f); err == nil {
			return t
		}
	}
	panic(err) // the embedded model is wrong
})

// open builds the tables of the model file at path.
func open(path string) (*tables, error) {
	f, err := model.Open(path)
	if err != nil {
		return nil, err
	}
	t, err := parse(f)
	return t, errors.Join(err, f.Close()) // everything was copied
}

// parse parses the sections of f.
func parse(f *model.File) (*tables, error) {
	fail := func(format string, a ...any) (*tables, error) {
		return nil, fmt.Errorf("charset model %s: %w", f.Name, fmt.Errorf(format, a...))
	}
	if f.Kind != alphabet.Kind {
		return fail("it is a model of kind %q, wanted %q", f.Kind, alphabet.Kind)
	}
	if f.Behaviour < 1 || f.Behaviour > alphabet.Behaviour {
		return fail("behaviour %d, this build reads 1 to %d: train it again with chaffinch train charset", f.Behaviour, alphabet.Behaviour)
	}
	var c alphabet.Card
	if err := json.Unmarshal(f.Card, &c); err != nil {
		return fail("card: %v", err)
	}
	if len(c.Langs) > math.MaxUint8 {
		return fail("%d languages, at most %d", len(c.Langs), math.MaxUint8)
	}
	sections := map[string][]byte{}
	for _, name := range []string{alphabet.SectionLetters, alphabet.SectionSymbols, alphabet.SectionCases, alphabet.SectionFloors} {
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
	cases := sections[alphabet.SectionCases]
	letters, symbols := sections[alphabet.SectionLetters], sections[alphabet.SectionSymbols]
	if len(cases) != int(alphabet.Classes)*int(alphabet.Classes)*2 || len(letters)%4 != 0 || len(symbols)%alphabet.SymbolRowSize != 0 || len(symbols)/alphabet.SymbolRowSize > 254 {
		return fail("sections of wrong sizes (%d, %d, %d): copy it again", len(letters), len(symbols), len(cases))
	}
	for i := range t.cases {
		for j := range t.cases[i] {
			copy(t.cases[i][j][:], cases[(i*int(alphabet.Classes)+j)*2:])
		}
	}
	if t.floors = append([]uint8(nil), sections[alphabet.SectionFloors]...); len(t.floors) != len(t.langs) {
		return fail("%d floors for %d languages: copy it again", len(t.floors), len(t.langs))
	}
	t.glyphTable(letters, symbols)
	e, ok, err := alphabet.ReadEntries(f)
	if err != nil {
		return fail("%w", err)
	}
	if !ok || !t.setEntries(e) {
		return fail("the index of the entries is damaged: copy it again")
	}
	return t, nil
}

// setEntries sets the entries and reports whether they are valid.
func (t *tables) setEntries(e alphabet.Entries) bool {
	t.starts, t.entries = e.Starts, e.All
	for _, e := range t.entries {
		if int(e>>8&0xFF) >= len(t.langs) {
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
	for _, bits := range [...]uint8{0, alphabet.CostSymbol, alphabet.CostControl, alphabet.CostReserved, alphabet.CostNothing} {
		row := alphabet.SymbolRow{}
		for i := range row.Behind {
			row.Behind[i] = bits * alphabet.Unit
		}
		for i := range row.Before {
			row.Before[i] = alphabet.Even
		}
		t.symbols = append(t.symbols, row)
	}
	numbers := map[uint16]uint8{}
	for b := symbols; len(b) > 0; b = b[alphabet.SymbolRowSize:] {
		row := alphabet.SymbolRow{Symbol: binary.LittleEndian.Uint16(b)}
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
		g.Letter, g.Class, symbol = alphabet.LetterOf(rune(i))
		g.Script = alphabet.ScriptOf(rune(i))
		if symbol {
			if g.Symbol = numbers[uint16(i)]; g.Symbol == 0 {
				g.Symbol = stranger(rune(i))
			}
		}
		c, ok := costs[g.Letter]
		if !ok {
			c = [2]uint8{alphabet.CostUnknown * alphabet.Unit, alphabet.CostUnknown * alphabet.Unit}
		}
		g.Cost, t.best[i] = c[0], c[1]
	}
}

// stranger returns the row of a symbol that is not in the model.
func stranger(r rune) uint8 {
	switch {
	case r == utf8.RuneError:
		return 4
	case unicode.In(r, unicode.Co, unicode.Cs) || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C):
		return 3
	case unicode.IsControl(r) || r == '¤': // the currency sign occurs in no text
		return 2
	}
	return 1
}

package blocks

import (
	"bytes"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestTypesFile reads written, damaged and earlier sections of types.
func TestTypesFile(t *testing.T) {
	m := must.Get(embedded())(t)
	good := must.Get(m.types.append(nil))(t)
	again := must.Get(readTypes(good))(t)
	same := must.Get(again.append(nil))(t)
	if !bytes.Equal(good, same) {
		t.Error("a section differs after reading and writing")
	}
	for n := range good {
		if _, err := readTypes(good[:n]); err == nil {
			t.Fatalf("%d of %d bytes were read", n, len(good))
		}
	}
	if m, err := readTypes([]byte{byte(typeClues) + 1, 0}); m != nil || err != nil {
		t.Errorf("types of another version: %v, %v, wanted none", m, err)
	}
}

// TestTypeClues checks clues of the shape of a page.
func TestTypeClues(t *testing.T) {
	s := sheetOf(t, strings.Repeat("<div class=card><h3><a href=x>Mill</a></h3><p>12 €<p>A wheel for the mill.</div>", 4)+"<form><p>Name</form>")
	c := s.typeCluesOf()
	for _, w := range []struct {
		clue typeClue
		want float32
	}{{typeBlocks, 3}, {typeHeads, 1}, {typeDates, 1}, {typeHeadings, 4. / 13}, {typePrices, 4. / 13}, {typeForms, 1. / 13}, {typeHidden, 0}, {typeImages, 0}} {
		if got := c[w.clue]; got-w.want > 1e-6 || w.want-got > 1e-6 {
			t.Errorf("clue %d: %v, wanted %v", w.clue, got, w.want)
		}
	}
}

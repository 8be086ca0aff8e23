package charset

import (
	"path/filepath"
	"testing"

	"chaffinch/charset/internal/alphabet"
	"chaffinch/model"
	"chaffinch/model/data"
)

// FuzzModel reads damaged models.
func FuzzModel(f *testing.F) {
	file, err := model.Parse("embedded", data.Charset)
	if err != nil {
		f.Fatal(err)
	}
	sections := func(name string) []byte {
		b, _ := file.Section(name)
		return b
	}
	starts := []byte{0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}
	f.Add(sections(alphabet.SectionLetters)[:400], sections(alphabet.SectionSymbols)[:2*alphabet.SymbolRowSize], sections(alphabet.SectionCases), []byte{80}, starts, make([]byte, 12))
	f.Add([]byte{1}, []byte{}, []byte{}, []byte{}, []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, letters, symbols, cases, floors, starts, entries []byte) {
		path := filepath.Join(t.TempDir(), "m.chf")
		w, err := model.Create(path, model.Header{Kind: alphabet.Kind, Behaviour: alphabet.Behaviour, Card: []byte(`{"langs":[{"lang":"cs"}]}`)})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []struct {
			name string
			b    []byte
		}{{alphabet.SectionLetters, letters}, {alphabet.SectionSymbols, symbols}, {alphabet.SectionCases, cases}, {alphabet.SectionFloors, floors}, {alphabet.SectionStarts, starts}, {alphabet.SectionEntries, entries}} {
			w.Section(s.name)
			if _, err := w.Write(s.b); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		d, err := New(Config{Model: path})
		if err != nil {
			return
		}
		d.Decode([]byte("caf\xE9 \x93\xA4\xA2 \xFF"), "")
	})
}

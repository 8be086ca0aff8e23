package charset

import (
	"encoding/binary"
	"path/filepath"
	"reflect"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/model/data"
	"chaffinch/text/charset/alphabet"
)

// file opens the embedded model.
func file(t testing.TB) *model.File {
	t.Helper()
	return must.Get(model.Parse("embedded", data.Charset))(t)
}

// rewrite makes a model file of sections.
func rewrite(t testing.TB, h model.Header, sections ...model.Section) *model.File {
	t.Helper()
	w := model.Memory(h)
	for _, s := range sections {
		w.Section(s.Name)
		w.Write(s.Bytes)
	}
	b := must.Get(w.Bytes())(t)
	return must.Get(model.Parse("rewritten", b))(t)
}

// plain are the sections that are not those of the entries.
var plain = []string{alphabet.SectionLetters, alphabet.SectionSymbols, alphabet.SectionCases, alphabet.SectionFloors}

// TestEarlier wants the same tables of a file of behaviour 1, whose entries are whole.
func TestEarlier(t *testing.T) {
	f := file(t)
	e, ok, err := alphabet.ReadEntries(f)
	if err != nil || !ok || len(e.All) < 100_000 {
		t.Fatalf("%d entries, %v, %v", len(e.All), ok, err)
	}
	var sections []model.Section
	for _, name := range plain {
		b, _ := f.Section(name)
		sections = append(sections, model.Section{Name: name, Bytes: b})
	}
	whole := func(numbers []uint32) (b []byte) {
		for _, n := range numbers {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		return b
	}
	sections = append(sections, model.Section{Name: "starts", Bytes: whole(e.Starts)}, model.Section{Name: "entries", Bytes: whole(e.All)})
	h := f.Header
	h.Behaviour = 1
	got := must.Get(parse(rewrite(t, h, sections...)))(t)
	if want := embedded(); !reflect.DeepEqual(got, want) {
		t.Errorf("%d buckets and %d entries, wanted the same %d and %d", len(got.starts), len(got.entries), len(want.starts), len(want.entries))
	}
}

// FuzzModel reads damaged models, of behaviour 2 where the sixth part is not empty.
func FuzzModel(f *testing.F) {
	whole := file(f)
	section := func(name string) []byte {
		b, _ := whole.Section(name)
		return b
	}
	starts := []byte{0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}
	f.Add(section(alphabet.SectionLetters)[:400], section(alphabet.SectionSymbols)[:2*alphabet.SymbolRowSize], section(alphabet.SectionCases), []byte{80}, starts, []byte{}, make([]byte, 12), []byte{})
	f.Add(section(alphabet.SectionLetters)[:400], section(alphabet.SectionSymbols)[:2*alphabet.SymbolRowSize], section(alphabet.SectionCases), []byte{80}, []byte{1, 1}, []byte{2, 1}, []byte{0, 1, 0, 2}, []byte{0, 0, 0, 7, 8, 9})
	f.Add([]byte{1}, []byte{}, []byte{}, []byte{}, []byte{}, []byte{}, []byte{}, []byte{})
	f.Fuzz(func(t *testing.T, letters, symbols, cases, floors, starts, counts, entries, langsBits []byte) {
		path := filepath.Join(t.TempDir(), "m.chf")
		sections := []model.Section{{Name: plain[0], Bytes: letters}, {Name: plain[1], Bytes: symbols}, {Name: plain[2], Bytes: cases}, {Name: plain[3], Bytes: floors}}
		h := model.Header{Kind: alphabet.Kind, Behaviour: 1, Card: []byte(`{"langs":[{"lang":"cs"}]}`)}
		if len(counts) == 0 {
			sections = append(sections, model.Section{Name: "starts", Bytes: starts}, model.Section{Name: "entries", Bytes: entries})
		} else {
			h.Behaviour = 2
			half := len(langsBits) / 2
			for name, b := range map[string][]byte{"buckets": starts, "counts": counts, "checks": entries, "langs": langsBits[:half], "bits": langsBits[half:]} {
				b := must.Get(model.Pack(b))(t)
				sections = append(sections, model.Section{Name: name, Bytes: b})
			}
		}
		must.Succeed(t, model.Save(path, h, sections...))
		d, err := New(Config{Model: path})
		if err != nil {
			return
		}
		d.Decode([]byte("caf\xE9 \x93\xA4\xA2 \xFF"), "")
	})
}

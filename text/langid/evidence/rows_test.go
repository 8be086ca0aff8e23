package evidence

import (
	"encoding/binary"
	"reflect"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/model/data"
)

// earlier returns the model file b as behaviour 1 has it: whole differences of hashes, and
// the pairs in the order of the features.
func earlier(t *testing.T, b []byte) []byte {
	t.Helper()
	f, err := model.Parse("embedded", b)
	must.Succeed(t, err)
	r, err := readRows(f)
	must.Succeed(t, err)
	at, err := starts(r.Sizes, len(r.Classes), len(r.Weights))
	must.Succeed(t, err)
	var keys, classes, weights []byte
	steps := r.Steps
	for i, size := range r.Sizes {
		d, k := binary.Uvarint(steps)
		steps = steps[k:]
		keys = binary.AppendUvarint(keys, d<<8|uint64(r.Low[i]))
		from, n := at[size&MaxPairs], int(size&MaxPairs)
		at[size&MaxPairs] += n
		classes = append(classes, r.Classes[from:from+n]...)
		weights = append(weights, r.Weights[from:from+n]...)
	}
	h := f.Header
	h.Behaviour = 1
	w := model.Memory(h)
	settings, _ := f.Section("settings")
	w.Section("settings")
	w.Write(settings)
	for _, s := range []model.Section{{Name: "keys", Bytes: keys}, {Name: "sizes", Bytes: r.Sizes}, {Name: "classes", Bytes: classes}, {Name: "weights", Bytes: weights}} {
		packed, err := model.Pack(s.Bytes)
		must.Succeed(t, err)
		w.Section(s.Name)
		w.Write(packed)
	}
	out, err := w.Bytes()
	must.Succeed(t, err)
	return out
}

// TestEarlier wants the same model of a file of behaviour 1.
func TestEarlier(t *testing.T) {
	want, err := Parse("embedded", data.Langid)
	must.Succeed(t, err)
	old := earlier(t, data.Langid)
	got, err := Parse("embedded", old)
	must.Succeed(t, err)
	if len(want.words.slots) < 1000 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d slots and %d quads, wanted %d and %d, all the same", len(got.words.slots), len(got.quads), len(want.words.slots), len(want.quads))
	}
}

// TestDamagedRows wants errors of rows that do not fit together.
func TestDamagedRows(t *testing.T) {
	good := Rows{Low: []byte{1, 2}, Steps: []byte{0, 1}, Sizes: []byte{1, 2 | ShortGram}, Classes: []byte{0, 1, 2}, Weights: []byte{1, 2, 3}}
	m := func() *Model { return &Model{Classes: make([]class, 4)} }
	if err := m().index(&good); err != nil {
		t.Fatalf("good rows: %v", err)
	}
	for name, spoil := range map[string]func(r *Rows){
		"a row without pairs":   func(r *Rows) { r.Sizes[0] = 0 },
		"a class too few":       func(r *Rows) { r.Classes = r.Classes[:2] },
		"a weight too many":     func(r *Rows) { r.Weights = append(r.Weights, 4) },
		"a step too few":        func(r *Rows) { r.Steps = r.Steps[:1] },
		"a low byte too few":    func(r *Rows) { r.Low = r.Low[:1] },
		"hashes beyond 32 bits": func(r *Rows) { r.Steps = binary.AppendUvarint(r.Steps[:1], 1<<24) },
	} {
		r := Rows{slices.Clone(good.Low), slices.Clone(good.Steps), slices.Clone(good.Sizes), slices.Clone(good.Classes), slices.Clone(good.Weights)}
		spoil(&r)
		if err := m().index(&r); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

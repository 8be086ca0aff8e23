package segment

import (
	"reflect"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/model"
	"chaffinch/model/data"
)

// TestEarlier wants the same model of a file of behaviour 1, whose sections are not packed.
func TestEarlier(t *testing.T) {
	whole, _ := data.Segmenter("th")
	f, err := model.Parse("embedded", whole)
	must.Succeed(t, err)
	want, err := read(f)
	must.Succeed(t, err)
	of, err := sectionsOf(f)
	must.Succeed(t, err)
	h := f.Header
	h.Behaviour = 1
	w := model.Memory(h)
	for _, name := range sections {
		w.Section(name)
		w.Write(of[name])
	}
	b, err := w.Bytes()
	must.Succeed(t, err)
	got, err := Parse("earlier", b)
	must.Succeed(t, err)
	if len(of["lexicon"]) < 1000 || !reflect.DeepEqual(got, want) {
		t.Error("another model")
	}
}

func BenchmarkOpen(b *testing.B) {
	whole, _ := data.Segmenter("zh")
	for b.Loop() {
		must.Succeed(b, must.Err(Parse("embedded", whole)))
	}
}

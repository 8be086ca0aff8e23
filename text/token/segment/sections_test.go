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
	f := must.Get(model.Parse("embedded", whole))(t)
	want := must.Get(read(f))(t)
	of := must.Get(sectionsOf(f))(t)
	h := f.Header
	h.Behaviour = 1
	w := model.Memory(h)
	for _, name := range sections {
		w.Section(name)
		w.Write(of[name])
	}
	b := must.Get(w.Bytes())(t)
	got := must.Get(Parse("earlier", b))(t)
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

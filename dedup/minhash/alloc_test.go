//go:build !race

package minhash

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestAllocs wants none for a document, once the buffers have grown.
func TestAllocs(t *testing.T) {
	docs := essays(8, 300, 2)
	for _, p := range Presets {
		m := must.Get(New(p.Config))(t)
		s := m.Sketcher()
		var recs [2][]byte
		for i, table := range m.Tables() {
			recs[i] = make([]byte, table.Record)
		}
		emit := func(table int) []byte { return recs[table] }
		all := func() {
			for i, d := range docs {
				s.Sketch(d, int64(i), emit)
			}
		}
		all()
		if n := testing.AllocsPerRun(10, all); n != 0 {
			t.Errorf("%s: %g allocations for %d documents", p.Preset, n, len(docs))
		}
	}
}

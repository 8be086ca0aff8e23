package lines

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestWeight: a document counts as its weight says.
func TestWeight(t *testing.T) {
	docs := made(6, 4)
	for _, d := range docs[3:] {
		d.Weight = .25
	}
	cfg := small()
	cfg.Balance, cfg.LineBalance = 0, 0
	examples := must.Get(readDocs(t.Context(), docs, cfg, func(string, int, int) {}))(t)
	for i, x := range examples {
		if want := []float32{1, .25}[i/3]; x.weight[0] != want {
			t.Errorf("document %d weighs %v, want %v", i, x.weight[0], want)
		}
	}
}

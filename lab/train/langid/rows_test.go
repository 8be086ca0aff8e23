package langid

import (
	"testing"
)

// TestWorthy wants rows to have as few pairs as the settings say, and all in a script of few
// languages.
func TestWorthy(t *testing.T) {
	cfg := Config{MinPairs: 2, FewClasses: 6, WordMax: 40, GramMax: 20, RowDepth: 8}
	for classes, want := range map[int]int{3: 3, 6: 6, 7: 2, 30: 2} {
		inv := &inventory{texts: make([]*text, classes), words: make([]float64, classes), grams: make([]float64, classes)}
		f := &feature{order: 1, counts: []count32{{0, 1}}}
		inv.grams[0] = 1000
		e := &estimator{inv: inv, cfg: cfg}
		if n := e.countWorth(f, make([]float64, classes), 1e-3); n != want {
			t.Errorf("%d languages: %d pairs, wanted %d", classes, n, want)
		}
	}
}

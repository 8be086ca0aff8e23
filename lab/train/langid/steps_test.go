package langid

import (
	"math"
	"testing"

	"chaffinch/text/langid/evidence"
)

// TestSteps wants weights to be off by no more than half a step, and steps of one unit up to
// 16 of them, of two up to 32, of four up to 64.
func TestSteps(t *testing.T) {
	tr := &Trained{cfg: Config{Fine: 8}, settings: evidence.Settings{Unit: 1.0 / 8}}
	plain := &Trained{settings: tr.settings}
	for i := -9000; i <= 9000; i++ {
		w := float32(i) / 1000
		units, step := float64(w)*8, 1.0
		switch {
		case math.Abs(units) >= 64:
			step = 8
		case math.Abs(units) >= 32:
			step = 4
		case math.Abs(units) >= 16:
			step = 2
		}
		if got := tr.steps(w); math.Abs(got-units) > step/2 || math.Mod(got, step) != 0 {
			t.Fatalf("%v: %v units, wanted a multiple of %v beside %v", w, got, step, units)
		}
		if got := plain.steps(w); got != math.Round(units) {
			t.Fatalf("%v: %v units without coarser steps, wanted %v", w, got, math.Round(units))
		}
	}
	if high, low := tr.steps(100), tr.steps(-100); high != 127 || low != -128 {
		t.Errorf("weights of ±100 are %v and %v units, wanted what a byte holds", high, low)
	}
}

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

package annotate

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestNominal: two people with two labels agree as Agreement has it.
func TestNominal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var a Agreement
		var units [][]string
		for range 1 + rng.IntN(30) {
			x, y := rng.IntN(2), rng.IntN(2)
			if rng.IntN(2) == 0 {
				y = x
			}
			a.Lines++
			a.Counts[x][y]++
			units = append(units, []string{string(rune('a' + x)), string(rune('a' + y))})
		}
		n := Nominally(units)
		k, kOK := a.Kappa()
		l, lOK := a.Alpha()
		if n.KappaOK != kOK || n.AlphaOK != lOK || math.Abs(n.Kappa-k) > 1e-9 || math.Abs(n.Alpha-l) > 1e-9 || float64(n.Same)/float64(n.Units) != a.Accuracy() {
			t.Fatalf("%+v, wanted kappa %v %v, alpha %v %v of %v", n, k, kOK, l, lOK, a.Counts)
		}
	}
}

// TestNominalMany: the example of four observers with missing values in Krippendorff
// (2011), Computing Krippendorff's alpha-reliability, section C, has a nominal alpha of .743.
func TestNominalMany(t *testing.T) {
	rows := []string{"123321412...", "1233224125.3", ".3332342251.", "12332441251."} // a dot is missing
	var units [][]string
	for c := range 12 {
		var u []string
		for _, r := range rows {
			u = append(u, map[bool]string{false: string(r[c])}[r[c] == '.'])
		}
		units = append(units, u)
	}
	n := Nominally(units)
	if !n.AlphaOK || math.Abs(n.Alpha-.743) > .0005 || n.KappaOK {
		t.Errorf("%+v, wanted alpha .743", n)
	}
}

package corpus

import (
	"bufio"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/report"
	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// near compares to so many significant digits, and near 0 absolutely.
func near(got, want, digits float64) bool {
	return math.Abs(got-want) <= digits*max(math.Abs(want), 1)
}

// TestMeasures holds the measures to values worked out by hand:
//
//	f=5, a=20, b=10, N=1000, so that E = ab/N = 0.2
//	T  = (5-0.2)/sqrt 5 = 2.1466    MI = log2(5/0.2) = log2 25 = 4.6439    MI3 = log2(25*25) = 9.2877
//	logDice = 14 + log2(10/30) = 14-1.5850    Dice = 100*10/30    log10 Dice = 5 + log10(1/3)
//	log-likelihood: cells 5 15 5 975, expected 0.2 19.8 9.8 970.2;
//	    2 (5 ln 25 + 15 ln .757576 + 5 ln .510204 + 975 ln 1.004947) = 2 (16.0944 - 4.1645 - 3.3647 + 4.8119) = 26.754
//	MI ln 6 = 4.6439 * 1.7918    MI ln(1.5+5000) = 4.6439 * 8.5175
func TestMeasures(t *testing.T) {
	want := map[string]float64{
		"tscore": 2.1466, "mi": 4.6439, "mi3": 9.2877, "logdice": 12.4150, "dice": 33.3333, "log10dice": 4.5229,
		"loglikelihood": 26.7541, "mi_logf": 8.3207, "mi_logfpm": 39.5540, "minsens": 0.25, "relfreq": 25, "hits": 5, "freq": 20,
	}
	if len(want) != len(Measures) {
		t.Fatalf("%d measures, %d values", len(Measures), len(want))
	}
	for i, m := range Measures {
		if got := m.Score(5, 20, 10, 1000); !near(got, want[m.Key], 5e-5) {
			t.Errorf("%s: %.5f, want %.5f", m.Key, got, want[m.Key])
		}
		for _, x := range [][4]float64{{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}, {}} {
			if got := m.Score(x[0], x[1], x[2], x[3]); got != 0 {
				t.Errorf("%s of %v: %v, want 0: nothing was seen", m.Key, x, got)
			}
		}
		if MeasureByName(m.Key) != i || MeasureByName(string(m.Code)) != i {
			t.Errorf("%s is not found by its names", m.Key)
		}
	}
	if MeasureByName("") >= 0 || MeasureByName("x") >= 0 {
		t.Error("a measure is found that is none")
	}
}

// TestMeasuresReference compares with Manatee's own functions.
func TestMeasuresReference(t *testing.T) {
	f, err := os.Open("testdata/reference/bgrstat.tsv")
	must.Succeed(t, err)
	defer f.Close()
	var codes []string
	compared := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Split(s.Text(), "\t")
		if strings.HasPrefix(s.Text(), "#") {
			codes = fields
			continue
		}
		x := make([]float64, len(fields))
		for i, v := range fields {
			if x[i], err = strconv.ParseFloat(v, 64); err != nil {
				t.Fatal(err)
			}
		}
		for i := 4; i < len(fields); i++ {
			m := Measures[MeasureByName(codes[i])]
			want, digits := x[i], 1e-9
			if m.Code == 'F' {
				want = x[1] // Manatee prints f here
			}
			if m.Code == 'l' {
				digits += 1e-15 * x[3] * math.Log(x[3]) // what its sum of large numbers loses
			}
			if got := m.Score(x[0], x[1], x[2], x[3]); !near(got, want, digits) {
				t.Errorf("%s of %v: %.10g, want %.10g", m.Key, x[:4], got, want)
			}
			compared++
		}
	}
	if compared != 12*12 {
		t.Errorf("%d values compared", compared)
	}
}

// TestMeasuresFinite: no possible counts give a value that cannot be sorted, regardless of
// their size; log-likelihood is never negative.
func TestMeasuresFinite(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<50).Draw(t, "N")
		a := rapid.Int64Range(0, n).Draw(t, "a")
		b := rapid.Int64Range(0, n).Draw(t, "b")
		f := rapid.Int64Range(0, b).Draw(t, "f") // above a where windows overlap
		for _, m := range Measures {
			got := m.Score(float64(f), float64(a), float64(b), float64(n))
			if math.IsNaN(got) || math.IsInf(got, 0) || m.Code == 'l' && got < 0 {
				t.Fatalf("%s: %v", m.Key, got)
			}
		}
	})
}

// TestLogLikelihood compares with the sum written out, where that is exact
// enough.
func TestLogLikelihood(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		cell := func(name string) float64 { return float64(rapid.IntRange(0, 500).Draw(t, name)) }
		f, x, y, z := cell("f")+1, cell("a-f"), cell("b-f"), cell("rest")
		a, b, n := f+x, f+y, f+x+y+z
		want := 0.0
		for _, c := range [][3]float64{{f, a, b}, {x, a, n - b}, {y, n - a, b}, {z, n - a, n - b}} {
			if c[0] > 0 {
				want += 2 * c[0] * math.Log(c[0]*n/(c[1]*c[2]))
			}
		}
		if got := logLikelihood(f, a, b, n); !near(got, want, 1e-9) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// TestKeyness holds keyness to values worked out by hand:
//
//	f1=30 of N1=1000, f2=10 of N2=3000: 30000 and 3333.3 per million
//	simple, n=1: 30001/3334.3 = 8.9976    n=100: 30100/3433.3 = 8.7670
//	E1 = 40/4 = 10, E2 = 30: chi2 = 400/10 + 400/30 = 53.333
//	log-likelihood: 2 (30 ln 3 + 10 ln(1/3)) = 40 ln 3 = 43.944
//	DIN = 100 (30000-3333.3)/33333.3 = 80
func TestKeyness(t *testing.T) {
	for _, c := range []struct {
		key            string
		f1, n1, f2, n2 int64
		n, want        float64
	}{
		{"simple", 30, 1000, 10, 3000, 1, 8.99760},
		{"simple", 30, 1000, 10, 3000, 100, 8.76699},
		{"chi2", 30, 1000, 10, 3000, 1, 53.33333},
		{"logl", 30, 1000, 10, 3000, 1, 43.94449},
		{"din", 30, 1000, 10, 3000, 1, 80},
		// The other way round: the reference uses it more.
		{"simple", 10, 3000, 30, 1000, 1, 1 / 8.99760},
		{"chi2", 10, 3000, 30, 1000, 1, -53.33333},
		{"logl", 10, 3000, 30, 1000, 1, -43.94449},
		{"din", 10, 3000, 30, 1000, 1, -80},
		// Missing in the reference: E1 = 10/4, log-likelihood 20 ln 4.
		{"simple", 10, 1000, 0, 3000, 1, 10001},
		{"logl", 10, 1000, 0, 3000, 1, 27.72589},
		{"chi2", 10, 1000, 0, 3000, 1, 30},
		{"din", 10, 1000, 0, 3000, 1, 100},
		// Alike, nowhere, and empty corpora.
		{"logl", 5, 1000, 15, 3000, 1, 0},
		{"din", 0, 1000, 0, 3000, 1, 0},
		{"simple", 0, 0, 0, 0, 1, 1},
		{"logl", 0, 0, 0, 0, 1, 0},
		{"chi2", 0, 0, 5, 100, 1, 0},
		{"logl", 5, 100, 0, 0, 1, 0},
	} {
		m := KeynessMeasures[keynessByName(c.key)]
		if got := m.Score(c.f1, c.n1, c.f2, c.n2, c.n); !near(got, c.want, 1e-5) {
			t.Errorf("%s of %d in %d, %d in %d: %.5f, want %.5f", c.key, c.f1, c.n1, c.f2, c.n2, got, c.want)
		}
	}
	property.Check(t, func(t *rapid.T) {
		n1, n2 := rapid.Int64Range(0, 1<<60).Draw(t, "N1"), rapid.Int64Range(0, 1<<60).Draw(t, "N2")
		f1, f2 := rapid.Int64Range(0, n1).Draw(t, "f1"), rapid.Int64Range(0, n2).Draw(t, "f2")
		for _, m := range KeynessMeasures {
			if got := m.Score(f1, n1, f2, n2, 1); math.IsNaN(got) || math.IsInf(got, 0) {
				t.Fatalf("%s: %v", m.Key, got)
			}
		}
	})
}

// TestSlides works out the table of the lecture that compare is made after:
// hits per million before and after, sizes of the corpora, and the share that
// is kept as printed there. The hits are rounded to two digits behind the
// point, so that shares of rare phrases are met to what that leaves open.
func TestSlides(t *testing.T) {
	const before, after = 33_144_241_513, 18_371_812_861
	different := map[string]float64{"aspirin": 14.97, "interest rate": 36.88, "play games": 57.46}
	for _, c := range []struct {
		phrase              string
		fpm, fpmAfter, kept float64
	}{
		{"viagra", 229.71, 3.42, 0.8}, {"cialis 20 mg", 2.74, 0.02, 0.4}, {"aspirin", 5.63, 1.52, 14.8},
		{"oral administration", 0.26, 0.23, 48.8}, {"loan", 166.32, 48.34, 16.1}, {"payday loan", 24.19, 1.09, 2.5},
		{"cheap", 295.31, 64.30, 12.1}, {"interest rate", 14.73, 9.80, 36.7}, {"essay", 348.89, 33.95, 5.4},
		{"essay writing", 7.72, 0.32, 2.3}, {"pass the exam", 0.34, 0.36, 59.4}, {"slot machine", 3.50, 0.99, 15.8},
		{"playing cards", 1.01, 0.67, 36.8}, {"play games", 3.55, 3.68, 53.9},
	} {
		hits := func(fpm, tokens float64) int64 { return int64(math.Round(fpm * tokens / 1e6)) }
		b, a := hits(c.fpm, before), hits(c.fpmAfter, after)
		if got := PerMillion(b, before); !near(got, c.fpm, 1e-4) {
			t.Errorf("%s: %.4f per million, want %.2f", c.phrase, got, c.fpm)
		}
		open := 0.05 + 100*report.Share(a, b)*(0.005/c.fpm+0.005/c.fpmAfter)
		if w, ok := different[c.phrase]; ok {
			c.kept, open = w, 0.01
		}
		if got := 100 * report.Share(a, b); math.Abs(got-c.kept) > open {
			t.Errorf("%s: %.2f %% kept, want %.1f ± %.2f", c.phrase, got, c.kept, open)
		}
	}
}

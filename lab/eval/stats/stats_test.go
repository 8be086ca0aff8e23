package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"chaffinch/internal/testkit/must"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }

// slowP counts sign patterns one by one.
func slowP(diffs []float64) float64 {
	var d []float64
	for _, v := range diffs {
		if v != 0 {
			d = append(d, v)
		}
	}
	rank := make([]float64, len(d))
	total := 0.0
	for i := range d {
		for j := range d {
			switch a, b := math.Abs(d[j]), math.Abs(d[i]); {
			case a < b:
				rank[i]++
			case a == b:
				rank[i] += 0.5
			}
		}
		rank[i] += 0.5
		total += rank[i]
	}
	sum := func(positive func(int) bool) float64 {
		s := 0.0
		for i := range rank {
			if positive(i) {
				s += rank[i]
			}
		}
		return min(s, total-s)
	}
	seen := sum(func(i int) bool { return d[i] > 0 })
	hits := 0
	for pattern := range 1 << len(d) {
		if sum(func(i int) bool { return pattern>>i&1 == 1 }) <= seen {
			hits++
		}
	}
	return float64(hits) / float64(int(1)<<len(d))
}

func TestSignedRankAgainstAllPatterns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 13 {
		for range 8 {
			d := make([]float64, n)
			for i := range d {
				d[i] = float64(rng.IntN(9) - 4) // zeros and ties
			}
			got := SignedRank(d)
			// Where both tails meet in the middle, twice one tail counts it twice.
			want := min(1, slowP(d))
			if !got.Exact || !near(got.P, want) {
				t.Errorf("SignedRank(%v) = %v, want %v", d, got, want)
			}
		}
	}
}

// TestKnown holds what scipy 1.17.1 printed.
func TestKnown(t *testing.T) {
	d := []float64{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75}
	if got := SignedRank(d); got.Statistic != 24 || !near(got.P, 0.041259765625) || got.N != 15 {
		t.Errorf("SignedRank: %+v", got)
	}
	long := make([]float64, 40)
	for i := range long {
		long[i] = float64((i*37)%23) - 9
	}
	if got := SignedRank(long); got.Exact || got.N != knownLong.N || got.Statistic != knownLong.Statistic || math.Abs(got.P-knownLong.P) > 1e-12 {
		t.Errorf("SignedRank, long: %+v, want %+v", got, knownLong)
	}
	if got := PairedT(d); math.Abs(got.Statistic-knownT.Statistic) > 1e-10 || math.Abs(got.P-knownT.P) > 1e-10 {
		t.Errorf("PairedT: %+v, want %+v", got, knownT)
	}
}

func TestEdges(t *testing.T) {
	if got := PairedT([]float64{1}); !math.IsNaN(got.P) {
		t.Errorf("one pair: %+v", got)
	}
	if got := PairedT([]float64{0, 0, 0}); got.P != 1 {
		t.Errorf("no differences: %+v", got)
	}
	if got := PairedT([]float64{2, 2, 2}); got.P != 0 || !math.IsInf(got.Statistic, 1) {
		t.Errorf("equal differences: %+v", got)
	}
	if got := SignedRank(nil); got.P != 1 || got.N != 0 {
		t.Errorf("nothing: %+v", got)
	}
	if lo, hi := Interval(nil, 0.95); !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Errorf("Interval of nothing: %v %v", lo, hi)
	}
	if lo, hi := Interval([]float64{3, 1, 2, 5, 4}, 0.5); lo != 2 || hi != 4 {
		t.Errorf("Interval: %v %v", lo, hi)
	}
}

// TestSymmetry: the order of the two systems does not change P.
func TestSymmetry(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{3, 10, 25, 26, 80} {
		d, minus := make([]float64, n), make([]float64, n)
		for i := range d {
			d[i] = rng.NormFloat64() + 0.2
			minus[i] = -d[i]
		}
		must.Equal(t, SignedRank(d), SignedRank(minus), "SignedRank")
		if a, b := PairedT(d), PairedT(minus); a.P != b.P || a.Statistic != -b.Statistic {
			t.Errorf("PairedT: %+v, %+v", a, b)
		}
	}
}

func TestResample(t *testing.T) {
	draw := func(seed uint64) (all []int) {
		Resample(7, 3, seed, func(s []int) { all = append(all, s...) })
		return all
	}
	must.Same(t, draw(1), draw(1), "same seed")
	if a, b := draw(1), draw(2); slices.Equal(a, b) {
		t.Errorf("other seed, same samples: %v", a)
	}
	// The generator is part of the promise: reported intervals stay the same.
	must.Same(t, draw(1)[:7], wantDraw, "samples")
	// A sample mean lies within three standard errors 99.7 % of the time.
	values := make([]float64, 400)
	for i := range values {
		values[i] = float64(i % 20)
	}
	var means []float64
	Resample(len(values), 1000, 1, func(s []int) {
		sum := 0.0
		for _, i := range s {
			sum += values[i]
		}
		means = append(means, sum/float64(len(s)))
	})
	lo, hi := Interval(means, 0.95)
	half := 1.96 * Deviation(values) / 20
	if math.Abs(lo-(9.5-half)) > 0.1 || math.Abs(hi-(9.5+half)) > 0.1 {
		t.Errorf("interval %v to %v, want about 9.5 ± %v", lo, hi, half)
	}
}

var (
	knownLong = Test{Statistic: 277, P: 0.11451030786011211, N: 39}
	knownT    = Test{Statistic: 2.14798746133112, P: 0.049702944021800866, N: 15}
	wantDraw  = []int{6, 5, 6, 6, 4, 2, 6}
)

// TestOneSampleT: with two degrees of freedom P is 1 - t / sqrt(t² + 2).
func TestResampledMeans(t *testing.T) {
	values := []float64{1, 2, 4, 8, 16, 32, 64}
	var want []float64
	Resample(len(values), 5, 3, func(s []int) {
		x := make([]float64, len(s))
		for i, k := range s {
			x[i] = values[k]
		}
		want = append(want, Mean(x))
	})
	must.Same(t, ResampledMeans(values, 5, 3), want, "means")
}

func TestOneSampleT(t *testing.T) {
	got := OneSampleT([]float64{.92, .91, .93}, .84)
	want := .08 / (.01 / math.Sqrt(3))
	if math.Abs(got.Statistic-want) > 1e-9 || math.Abs(got.P-(1-want/math.Sqrt(want*want+2))) > 1e-9 || got.N != 3 {
		t.Errorf("%+v, want t %v", got, want)
	}
	if one := OneSampleT([]float64{.9}, .8); !math.IsNaN(one.P) {
		t.Errorf("one value: %+v", one)
	}
}

// TestMcNemar: P against sums of binomial coefficients.
func TestMcNemar(t *testing.T) {
	for _, c := range []struct {
		a, b int
		p    float64
	}{{10, 2, 2 * (1 + 12 + 66) / 4096.}, {2, 10, 2 * (1 + 12 + 66) / 4096.}, {5, 0, 2 / 32.}, {3, 3, 1}, {4, 3, 1}, {0, 0, 1}, {1, 0, 1}} {
		if got := McNemar(c.a, c.b); math.Abs(got.P-c.p) > 1e-12 || got.N != c.a+c.b {
			t.Errorf("%d : %d: %+v, want p %v", c.a, c.b, got, c.p)
		}
	}
	// 2 Σ C(145, k) / 2^145 for k to 59, in whole numbers.
	if got := McNemar(59, 86); math.Abs(got.P-0.030481814649487633) > 1e-12 {
		t.Errorf("59 : 86: %v", got.P)
	}
}

// TestMeanInterval has a table's value: t is 2.776 for .95 and 4 degrees of freedom.
func TestMeanInterval(t *testing.T) {
	values := []float64{1, 2, 3, 4, 5}
	low, high := MeanInterval(values, .95)
	if want := 2.7764 * math.Sqrt(2.5) / math.Sqrt(5); math.Abs(3-want-low) > 1e-3 || math.Abs(3+want-high) > 1e-3 {
		t.Errorf("the mean of %v lies between %f and %f, want 3 ± %f", values, low, high, want)
	}
}

// TestHolm: the example of Holm's correction in R's p.adjust, worked by hand.
func TestHolm(t *testing.T) {
	got := Holm([]float64{.01, math.NaN(), .04, .03, .005})
	want := []float64{.03, math.NaN(), .06, .06, .02}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-12 || math.IsNaN(got[i]) != math.IsNaN(want[i]) {
			t.Errorf("Holm = %v, want %v", got, want)
			break
		}
	}
}

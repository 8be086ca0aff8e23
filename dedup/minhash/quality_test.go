package minhash

import (
	"math"
	"math/rand/v2"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// twoSets makes two sets of n hashes in all of that Jaccard similarity.
func twoSets(rnd *rand.Rand, union int, similarity float64) (a, b []uint64) {
	both := int(math.Round(similarity * float64(union)))
	for i := range union {
		h := rnd.Uint64()
		if i < both || i%2 == 0 {
			a = append(a, h)
		}
		if i < both || i%2 == 1 {
			b = append(b, h)
		}
	}
	return a, b
}

// signers are all presets, and sizes and shapes of our own beside them.
func signers(t testing.TB) map[string]Config {
	all := map[string]Config{"wide": {Bands: 50, Rows: 4}, "narrow": {Bands: 4, Rows: 20}}
	for _, p := range Presets {
		all[p.Preset] = p.Config
	}
	return all
}

// TestEstimate: the part of equal values in two signatures, and what the sample
// says of it, is the similarity on average, with the spread of independent
// functions.
func TestEstimate(t *testing.T) {
	for name, cfg := range signers(t) {
		m := must.Get(New(cfg))(t)
		one, two := m.newSigner(), m.newSigner()
		for _, union := range []int{3, 40, 600} {
			for _, want := range []float64{0, 1.0 / 3, 2.0 / 3, 1} {
				rnd := rand.New(rand.NewPCG(uint64(union), 2))
				const trials = 120
				sum, sampled, squares := 0.0, 0.0, 0.0
				exact := math.Round(want*float64(union)) / float64(union)
				for range trials {
					a, b := twoSets(rnd, union, want)
					x, y := one.Sign(a), two.Sign(b)
					same := 0
					for i := range x {
						if x[i] == y[i] {
							same++
						}
					}
					e := float64(same) / float64(len(x))
					sum += e
					squares += (e - exact) * (e - exact)
					xs, ys := make([]byte, m.sampleBytes()), make([]byte, m.sampleBytes())
					sample(xs, x)
					sample(ys, y)
					sampled += estimate(xs, ys)
				}
				spread := math.Sqrt(exact * (1 - exact) / float64(len(one.sig)))
				// Published functions are only pairwise independent: the least of
				// few hashes is off by some per cent.
				slack := 0.0
				if m.scheme.family != nil {
					slack = .02
				}
				if bias := sum/trials - exact; math.Abs(bias) > 4*spread/math.Sqrt(trials)+slack {
					t.Errorf("%s, %d shingles, similarity %.3f: mean error %+.4f", name, union, exact, bias)
				}
				if bias := sampled/trials - exact; math.Abs(bias) > 4*math.Sqrt((exact*(1-exact)+.06)/100/trials)+.01+slack {
					t.Errorf("%s, %d shingles, similarity %.3f: mean error of the sample %+.4f", name, union, exact, bias)
				}
				if got := math.Sqrt(squares / trials); got > 1.25*spread+slack {
					t.Errorf("%s, %d shingles, similarity %.3f: standard error %.4f, %.4f for independent functions", name, union, exact, got, spread)
				}
			}
		}
	}
}

// TestCurve measures how often two sets share a band.
func TestCurve(t *testing.T) {
	testkit.Slow(t)
	for name, cfg := range signers(t) {
		m := must.Get(New(cfg))(t)
		one, two := m.newSigner(), m.newSigner()
		for _, s := range []float64{.4, .6, .7, .8, .9} {
			rnd := rand.New(rand.NewPCG(uint64(s*100), 3))
			const trials, union = 300, 300
			shared := 0
			for range trials {
				a, b := twoSets(rnd, union, s)
				x, y := one.Keys(nil, one.Sign(a)), two.Keys(nil, two.Sign(b))
				for i := 0; i < len(x); i += m.cfg.Bits / 8 {
					if string(x[i:i+m.cfg.Bits/8]) == string(y[i:i+m.cfg.Bits/8]) {
						shared++
						break
					}
				}
			}
			p := probability(s, m.cfg.Bands, m.cfg.Rows)
			got := float64(shared) / trials
			if tolerance := 4*math.Sqrt(p*(1-p)/trials) + .01; math.Abs(got-p) > tolerance {
				t.Errorf("%s, similarity %g: %.3f share a band, formula %.3f, tolerance %.3f", name, s, got, p, tolerance)
			}
		}
	}
}

// TestSketchOracle compares the sketch with the definition: the least of all
// values of all rounds.
func TestSketchOracle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	var s similar
	for _, n := range []int{1, 2, 3, 10, 100, 1000} {
		for _, bins := range []int{1, 2, 7, 112, 128} {
			set := make([]uint64, n)
			for i := range set {
				set[i] = rnd.Uint64()
			}
			got := make([]uint64, bins)
			s.sign(got, set)
			for bin, want := range simpleSketch(set, bins) {
				if got[bin] != want {
					t.Fatalf("%d shingles, %d bins: bin %d is %x, want %x", n, bins, bin, got[bin], want)
				}
			}
			rnd.Shuffle(n, func(i, j int) { set[i], set[j] = set[j], set[i] })
			again := make([]uint64, bins)
			s.sign(again, append(set, set...))
			for bin := range got {
				if got[bin] != again[bin] {
					t.Fatalf("%d shingles, %d bins: order or repetition changes bin %d", n, bins, bin)
				}
			}
		}
	}
}

func simpleSketch(set []uint64, bins int) []uint64 {
	out := make([]uint64, bins)
	for bin := range out {
		found := false
		for i := 0; !found; i++ {
			out[bin] = empty
			for _, x := range set {
				at, v := fall(x, uint64(i), uint64(bins))
				if at == uint64(bin) {
					out[bin] = min(out[bin], v)
					found = true
				}
			}
		}
	}
	return out
}

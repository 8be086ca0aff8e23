package trees

import (
	"math"
	"math/rand/v2"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestDraw checks that numbers are even, and those of neighbours and of other
// seeds unrelated.
func TestDraw(t *testing.T) {
	const n = 200000
	rng := rand.New(rand.NewPCG(1, 4))
	for range 5 {
		seed, other := rng.Uint64(), rng.Uint64()
		var mean, next, across float64
		var tenths [10]int
		for i := range n {
			a, b, c := float64(draw(seed, i)), float64(draw(seed, i+1)), float64(draw(other, i))
			mean += a / n
			next += (a - .5) * (b - .5) * 12 / n
			across += (a - .5) * (c - .5) * 12 / n
			tenths[int(a*10)]++
		}
		if math.Abs(mean-.5) > .005 || math.Abs(next) > .02 || math.Abs(across) > .02 {
			t.Errorf("mean %.4f, correlation with the next %.4f, with another seed %.4f", mean, next, across)
		}
		for d, k := range tenths {
			if k < n/10*95/100 || k > n/10*105/100 {
				t.Errorf("%d of %d numbers in tenth %d", k, n, d)
			}
		}
	}
}

// TestSample checks size, order and sums of a sample.
func TestSample(t *testing.T) {
	p := mixed(3*chunkRows + 100)
	cfg := small()
	cfg.RowSample = .3
	tr := must.Get(newTrainer(p.m, p.features, p.target, p.weight, nil, cfg))(t)
	tr.derive()
	var before []int32
	for n := range 3 {
		tr.sample(n)
		var g, h, wantG, wantH, size float64
		for k, i := range tr.rows {
			if k > 0 && tr.rows[k-1] >= i {
				t.Fatalf("row %d after %d", i, tr.rows[k-1])
			}
			if p.weight[i] == 0 {
				t.Fatalf("row %d has weight 0", i)
			}
			cg, ch := tr.gauge.split(tr.gh[k])
			g, h = g+cg, h+ch
			wantG, wantH = wantG+float64(tr.g[i]), wantH+float64(tr.h[i])
			size += math.Abs(float64(tr.g[i]))
		}
		if math.Abs(g-wantG) > 1e-5*size || math.Abs(h-wantH) > 1e-5*wantH {
			t.Errorf("tree %d: sums %v, %v, wanted %v, %v", n, g, h, wantG, wantH)
		}
		all := 0
		for _, w := range p.weight {
			if w > 0 {
				all++
			}
		}
		if got := float64(len(tr.rows)) / float64(all); math.Abs(got-.3) > .01 {
			t.Errorf("tree %d: share %.3f of rows, wanted .3", n, got)
		}
		same := len(before) == len(tr.rows)
		for k := 0; same && k < len(before); k++ {
			same = before[k] == tr.rows[k]
		}
		if same {
			t.Errorf("trees %d and %d have the same sample", n-1, n)
		}
		before = append(before[:0], tr.rows...)
	}
}

// TestHistograms compares those made by subtraction with plain sums.
func TestHistograms(t *testing.T) {
	p := mixed(chunkRows + 1000)
	cfg := Config{Trees: 1, Depth: 5, Rate: .1, Lambda: 1, MinWeight: 1, ColSample: 1, RowSample: .5, Workers: 2}
	tr := must.Get(newTrainer(p.m, p.features, p.target, p.weight, nil, cfg))(t)
	tr.derive()
	tr.sample(0)
	levels := tr.splits(tr.choose(0))
	if len(levels) != cfg.Depth {
		t.Fatalf("%d levels, wanted %d", len(levels), cfg.Depth)
	}
	// The histograms left behind are those of the last level.
	for f := range p.features {
		want := make([]int64, 1<<(cfg.Depth-1+binBits))
		for k, i := range tr.rows {
			leaf := 0
			for l, q := range levels[:cfg.Depth-1] {
				if p.value(p.features[q.Feature], int(i)) > q.Threshold {
					leaf |= 1 << l
				}
			}
			want[leaf<<binBits|int(p.value(p.features[f], int(i)))] += tr.gh[k]
		}
		for c, v := range want {
			if tr.hists[f][c] != v {
				t.Fatalf("feature %d, leaf %d, bin %d: %x, wanted %x", f, c>>binBits, c&127, tr.hists[f][c], v)
			}
		}
	}
}

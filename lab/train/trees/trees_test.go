package trees

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"chaffinch/internal/boost"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
)

// problem is a training set.
type problem struct {
	m        *boost.Matrix
	features []boost.Feature
	target   []float32
	weight   []float32
}

// random returns a problem whose bins are noise; the caller sets targets.
func random(seed uint64, rows, cols, bins int) problem {
	rng := rand.New(rand.NewPCG(seed, 7))
	p := problem{m: boost.NewMatrix(rows, cols), target: make([]float32, rows), weight: make([]float32, rows)}
	for c, col := range p.m.Cols {
		for i := range col {
			col[i] = uint8(rng.IntN(bins))
		}
		p.features = append(p.features, boost.Feature{Col: c})
	}
	for i := range p.weight {
		p.weight[i] = 1
	}
	return p
}

func (p problem) value(f boost.Feature, row int) uint8 { return p.m.Cols[f.Col][boost.Pad+row+f.Shift] }

func (p problem) train(t testing.TB, cfg Config) *boost.Forest {
	t.Helper()
	return must.Get(Train(context.Background(), cfg, p.m, p.features, p.target, p.weight, nil, nil))(t)
}

func (p problem) score(f *boost.Forest) []float32 {
	z := make([]float32, p.m.Rows)
	f.Score(p.m, z)
	return z
}

func probability(z float32) float64 { return 1 / (1 + math.Exp(-float64(z))) }

// loss is the mean log loss under the weights of p.
func (p problem) loss(z []float32) float64 {
	var sum, all float64
	for i, w := range p.weight {
		q, y := probability(z[i]), float64(p.target[i])
		sum -= float64(w) * (y*math.Log(q) + (1-y)*math.Log(1-q))
		all += float64(w)
	}
	return sum / all
}

func small() Config {
	return Config{Trees: 20, Depth: 3, Rate: .3, Lambda: 1, MinWeight: .1, ColSample: 1, RowSample: 1, Seed: 3}
}

// mixed is a problem with signal in columns, in a neighbour and in an
// interaction, soft targets and unequal weights.
func mixed(rows int) problem {
	p := random(5, rows, 7, 64)
	p.features = append(p.features, boost.Feature{Col: 0, Shift: -8}, boost.Feature{Col: 1, Shift: 8}, boost.Feature{Col: 2, Shift: -1}, boost.Feature{Col: 2, Shift: 1})
	rng := rand.New(rand.NewPCG(6, 6))
	for i := range p.target {
		z := float64(p.value(boost.Feature{Col: 0, Shift: 0}, i))/16 - 2
		if (p.value(boost.Feature{Col: 1, Shift: 8}, i) > 30) != (p.value(boost.Feature{Col: 2, Shift: -1}, i) > 30) {
			z += 2
		}
		p.target[i] = float32(1 / (1 + math.Exp(-z-rng.NormFloat64())))
		p.weight[i] = float32(rng.IntN(4))
	}
	return p
}

func TestLearnsInteraction(t *testing.T) {
	p := random(1, 4000, 5, 10)
	for i := range p.target {
		if (p.value(p.features[1], i) > 4) != (p.value(p.features[3], i) > 6) {
			p.target[i] = 1
		}
	}
	for i, z := range p.score(p.train(t, small())) {
		if got := probability(z); math.Abs(got-float64(p.target[i])) > .1 {
			t.Fatalf("row %d: probability %.3f, target %v", i, got, p.target[i])
		}
	}
}

func TestShiftedFeature(t *testing.T) {
	for _, shift := range []int{-8, -3, 1, 8} {
		p := random(2, 1003, 2, 20)
		f := boost.Feature{Col: 1, Shift: shift}
		p.features = append(p.features, f)
		for i := range p.target {
			if p.value(f, i) > 12 {
				p.target[i] = 1
			}
		}
		forest := p.train(t, small())
		if got := forest.Used(); len(got) == 0 || got[0] != f {
			t.Errorf("shift %d: uses %v first, wanted %v", shift, got, f)
		}
		if got := p.loss(p.score(forest)); got > .02 {
			t.Errorf("shift %d: log loss %.3f", shift, got)
		}
	}
}

func TestWeights(t *testing.T) {
	// Every row occurs twice, as a yes and as a no: weights decide.
	p := random(3, 2000, 2, 8)
	for i := range p.target {
		p.target[i] = float32(i % 2)
		p.weight[i] = 1
		if i%2 == 1 {
			for c := range p.m.Cols {
				p.m.Cols[c][boost.Pad+i] = p.m.Cols[c][boost.Pad+i-1]
			}
			if p.value(p.features[0], i) > 3 {
				p.weight[i] = 3
			} else {
				p.weight[i] = 0
			}
		}
	}
	for i, z := range p.score(p.train(t, small())) {
		want := .75
		if p.value(p.features[0], i) <= 3 {
			want = 0
		}
		if got := probability(z); math.Abs(got-want) > .05 {
			t.Fatalf("row %d: probability %.3f, wanted about %.2f", i, got, want)
		}
	}
}

func TestSoftTargets(t *testing.T) {
	p := random(4, 2000, 2, 4)
	levels := []float32{.1, .3, .6, .95}
	for i := range p.target {
		p.target[i] = levels[p.value(p.features[1], i)]
	}
	for i, z := range p.score(p.train(t, small())) {
		if got := probability(z); math.Abs(got-float64(p.target[i])) > .03 {
			t.Fatalf("row %d: probability %.3f, target %v", i, got, p.target[i])
		}
	}
}

func TestSameForAnyWorkers(t *testing.T) {
	p := mixed(3*chunkRows + 17)
	cfg := Config{Trees: 5, Depth: 6, Rate: .1, Lambda: 1, MinWeight: 1, ColSample: .7, RowSample: .6, Seed: 9}
	if !testkit.Whole() { // with the race detector each forest takes half a minute
		cfg.Trees, cfg.Depth = 1, 4
	}
	var first []byte
	for _, workers := range []int{1, 1, 2, 7, 0} {
		cfg.Workers = workers
		b := must.Get(p.train(t, cfg).AppendBinary(nil))(t)
		if first == nil {
			first = b
		}
		if !reflect.DeepEqual(b, first) {
			t.Errorf("%d workers make another forest than 1", workers)
		}
	}
	cfg.Seed++
	if b, _ := p.train(t, cfg).AppendBinary(nil); reflect.DeepEqual(b, first) {
		t.Error("another seed makes the same forest")
	}
}

func TestBaseValues(t *testing.T) {
	p := mixed(3000)
	first := p.train(t, small())
	base := p.score(first)
	more := must.Get(Train(context.Background(), small(), p.m, p.features, p.target, p.weight, base, nil))(t)
	must.Equal(t, more.Base(), 0, "base")
	z := p.score(more)
	for i := range z {
		z[i] += base[i]
	}
	if before, after := p.loss(base), p.loss(z); after >= before {
		t.Errorf("log loss %.4f with more trees, %.4f without", after, before)
	}
}

func TestEndsEarly(t *testing.T) {
	p := random(8, 500, 3, 5)
	if f := p.train(t, small()); f.Trees() != 0 {
		t.Errorf("%d trees where all targets are the same, wanted none", f.Trees())
	}
	for c := range p.m.Cols {
		clear(p.m.Cols[c])
	}
	p.target[0] = 1
	if f := p.train(t, small()); f.Trees() != 0 {
		t.Errorf("%d trees on columns of one value, wanted none", f.Trees())
	}
	// One column with two values: one level is all there is.
	for i := range p.target {
		p.m.Cols[1][boost.Pad+i] = uint8(i & 1)
		p.target[i] = float32(i & 1)
	}
	f := p.train(t, small())
	if f.Trees() == 0 {
		t.Error("no trees")
	}
	_, trees, _ := f.Parts()
	for _, tree := range trees {
		if depth := len(tree.Levels); depth != 1 {
			t.Fatalf("tree of depth %d, wanted 1", depth)
		}
	}
}

func TestProgressAndCancel(t *testing.T) {
	p := mixed(500)
	ctx, cancel := context.WithCancel(context.Background())
	var seen []int
	_, err := Train(ctx, small(), p.m, p.features, p.target, p.weight, nil, func(done, total int) {
		if seen = append(seen, done); done == 3 {
			cancel()
		}
		must.Equal(t, total, 20, "total")
	})
	if !errors.Is(err, context.Canceled) || !reflect.DeepEqual(seen, []int{1, 2, 3}) {
		t.Errorf("error %v after trees %v, wanted cancelled after 3", err, seen)
	}
}

func TestRefuses(t *testing.T) {
	good := mixed(50)
	for name, change := range map[string]func(p *problem, c *Config){
		"trees":       func(p *problem, c *Config) { c.Trees = 0 },
		"depth":       func(p *problem, c *Config) { c.Depth = 9 },
		"rate":        func(p *problem, c *Config) { c.Rate = math.NaN() },
		"lambda":      func(p *problem, c *Config) { c.Lambda = -1 },
		"min weight":  func(p *problem, c *Config) { c.MinWeight = -1 },
		"columns":     func(p *problem, c *Config) { c.ColSample = 0 },
		"rows":        func(p *problem, c *Config) { c.RowSample = 1.5 },
		"workers":     func(p *problem, c *Config) { c.Workers = -1 },
		"no features": func(p *problem, c *Config) { p.features = nil },
		"shift":       func(p *problem, c *Config) { p.features = []boost.Feature{{Col: 0, Shift: 9}} },
		"column":      func(p *problem, c *Config) { p.features = []boost.Feature{{Col: 7}} },
		"target":      func(p *problem, c *Config) { p.target = append([]float32{2}, p.target[1:]...) },
		"targets":     func(p *problem, c *Config) { p.target = p.target[1:] },
		"weight":      func(p *problem, c *Config) { p.weight = append([]float32{-1}, p.weight[1:]...) },
		"weights":     func(p *problem, c *Config) { p.weight = make([]float32, 50) },
		"bin": func(p *problem, c *Config) {
			p.m = boost.NewMatrix(50, 7)
			p.m.Cols[3][9] = 128
		},
		"pad": func(p *problem, c *Config) {
			p.m = boost.NewMatrix(50, 7)
			p.m.Cols[3] = p.m.Cols[3][1:]
		},
	} {
		p, cfg := good, small()
		change(&p, &cfg)
		if _, err := Train(context.Background(), cfg, p.m, p.features, p.target, p.weight, nil, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// BenchmarkTrain grows one tree: a million rows, 300 features of 100 columns.
func BenchmarkTrain(b *testing.B) {
	const rows, cols = 1 << 20, 100
	p := random(1, rows, cols, 64)
	p.features = nil
	for c, col := range p.m.Cols {
		if c%2 == 0 { // half of the columns change slowly
			for i := range col {
				col[i] = col[i&^31]
			}
		}
		p.features = append(p.features, boost.Feature{Col: c, Shift: -1}, boost.Feature{Col: c, Shift: 0}, boost.Feature{Col: c, Shift: 1})
	}
	for i := range p.target {
		if int(p.m.Cols[1][boost.Pad+i])+int(p.m.Cols[2][boost.Pad+i]) > 50+i*31%32 {
			p.target[i] = 1
		}
	}
	cfg := Config{Trees: 300, Depth: 6, Rate: .1, Lambda: 10, MinWeight: 1, ColSample: .2, RowSample: .5, Seed: 1}
	t := must.Get(newTrainer(p.m, p.features, p.target, nil, nil, cfg))(b)
	n := 0
	for b.Loop() {
		t.grow(n)
		n++
	}
}

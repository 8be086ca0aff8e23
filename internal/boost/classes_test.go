package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// scorePlain scores one row, tree after tree and class after class.
func (f *Classes) scorePlain(m *Matrix, row int) []float32 {
	out := make([]int, f.classes)
	levels, values := f.levels, f.values
	for _, depth := range f.depths {
		leaf := 0
		for l, q := range levels[:depth] {
			ft := f.features[q.feature]
			if m.Cols[ft.Col][Pad+ft.Shift+row] > q.threshold {
				leaf |= 1 << l
			}
		}
		for c := range out {
			out[c] += values[leaf].steps(c) - middle
		}
		levels, values = levels[depth:], values[1<<depth:]
	}
	z := make([]float32, f.classes)
	for c, steps := range out {
		z[c] = f.prior[c] + float32(steps)*f.scale
	}
	return z
}

// anyClasses returns a forest of random trees for some classes.
func anyClasses(rng *rand.Rand, trees, maxDepth, cols, classes int) *Classes {
	plain := anyForest(rng, trees, maxDepth, cols)
	f := &Classes{classes: classes, prior: make([]float32, classes), scale: .01, features: plain.features, depths: plain.depths, levels: plain.levels}
	for c := range f.prior {
		f.prior[c] = float32(rng.NormFloat64())
	}
	steps := make([]byte, classes)
	for _, depth := range f.depths {
		for range 1 << depth {
			for c := range steps {
				steps[c] = byte(1 + rng.IntN(255))
			}
			f.values = append(f.values, packLeaf(steps))
		}
	}
	return f
}

// deepClasses returns a forest of random trees of six levels.
func deepClasses(rng *rand.Rand, trees, cols, classes int) *Classes {
	f := anyClasses(rng, 0, 6, cols, classes)
	for c := range cols {
		for s := -Pad; s <= Pad; s++ {
			f.features = append(f.features, Feature{c, s})
		}
	}
	steps := make([]byte, classes)
	for range trees {
		f.depths = append(f.depths, 6)
		for range 6 {
			f.levels = append(f.levels, level{uint16(rng.IntN(len(f.features))), uint8(rng.IntN(MaxBins))})
		}
		for range 1 << 6 {
			for c := range steps {
				steps[c] = byte(1 + rng.IntN(255))
			}
			f.values = append(f.values, packLeaf(steps))
		}
	}
	return f
}

// TestClassesScore compares Score with row after row, and with what was written
// and read.
func TestClassesScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for _, rows := range []int{1, 7, 8, 9, 255, 256, 257, 600} {
		for _, classes := range []int{2, 4, 5, 13, 16} {
			f, m := anyClasses(rng, 300, 6, 3, classes), anyMatrix(rng, rows, 3)
			b, err := f.AppendBinary([]byte("before"))
			if err != nil {
				t.Fatal(err)
			}
			var g Classes
			if err := g.UnmarshalBinary(b[len("before"):]); err != nil {
				t.Fatal(err)
			}
			got := make([]float32, rows*classes)
			g.Score(m, got)
			for i := range rows {
				for c, want := range f.scorePlain(m, i) {
					if z := got[i*classes+c]; math.Abs(float64(z-want)) > 1e-3 {
						t.Fatalf("%d rows, %d classes, row %d, class %d: %v, wanted %v", rows, classes, i, c, z, want)
					}
				}
			}
		}
	}
}

func TestClassesAllocateNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	f, m := anyClasses(rng, 50, 6, 5, 13), anyMatrix(rng, 300, 5)
	dst := make([]float32, 300*13)
	if n := testing.AllocsPerRun(10, func() { f.Score(m, dst) }); n != 0 {
		t.Errorf("%v allocations, wanted none", n)
	}
}

// TestTrainClasses learns three classes of which most rows only tell whether
// they are the first: the others tell them apart.
func TestTrainClasses(t *testing.T) {
	p := random(13, 6000, 4, 30)
	class := func(i int) int {
		switch {
		case p.value(Feature{0, 0}, i) > 14:
			return 0
		case p.value(Feature{1, 1}, i) > 14:
			return 1
		}
		return 2
	}
	p.features = append(p.features, Feature{1, 1})
	evidence := []Evidence{{1, .05, .05}, {.05, 1, 1}, {0, 1, 0}, {0, 0, 1}}
	of := make([]uint32, p.m.Rows)
	for i := range of {
		switch k := class(i); {
		case k == 0:
		case i%20 == 0:
			of[i] = uint32(k + 1)
		default:
			of[i] = 1
		}
	}
	tasks := Tasks{{true, false, false}, {false, true, false}, {false, false, true}}
	cfg := small()
	cfg.Trees = 60
	train := func(workers int) *Classes {
		cfg.Workers = workers
		f, err := TrainClasses(context.Background(), p.m, p.features, of, evidence, p.weight, tasks, cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := train(1)
	z := make([]float32, 3*p.m.Rows)
	f.Score(p.m, z)
	wrong := 0
	for i := range of {
		best := 0
		for c := range 3 {
			if z[i*3+c] > z[i*3+best] {
				best = c
			}
		}
		if best != class(i) {
			wrong++
		}
	}
	if wrong > p.m.Rows/50 {
		t.Errorf("%d of %d rows wrong", wrong, p.m.Rows)
	}
	for c, g := range f.Gain() {
		if least := min(f.Gain()[0], f.Gain()[1]); c > 1 && g > least/4 {
			t.Errorf("column %d gains %v, those of the classes at least %v", c, g, least)
		}
	}
	a, _ := f.AppendBinary(nil)
	b, _ := train(3).AppendBinary(nil)
	if string(a) != string(b) {
		t.Error("the number of workers changes the forest")
	}
}

func TestTrainClassesRefuses(t *testing.T) {
	p := random(14, 10, 2, 4)
	good := []Evidence{{1, 0}, {0, 1}}
	for name, c := range map[string]struct {
		of       []uint32
		evidence []Evidence
		tasks    Tasks
	}{
		"rows":       {make([]uint32, 9), good, Tasks{{true, false}}},
		"impossible": {make([]uint32, 10), []Evidence{{0, 0}}, Tasks{{true, false}}},
		"one class":  {make([]uint32, 10), []Evidence{{1}}, Tasks{{true}}},
		"number":     {[]uint32{2, 0, 0, 0, 0, 0, 0, 0, 0, 0}, good, Tasks{{true, false}}},
		"task":       {make([]uint32, 10), good, Tasks{{true}}},
		"none":       {make([]uint32, 10), good, nil},
	} {
		if _, err := TrainClasses(context.Background(), p.m, p.features, c.of, c.evidence, nil, c.tasks, small(), nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// FuzzClasses reads bytes as a forest of classes and scores with what is accepted.
func FuzzClasses(f *testing.F) {
	rng := rand.New(rand.NewPCG(15, 2))
	for depth := range 5 {
		b, _ := anyClasses(rng, 2, depth, 2, 3+depth).AppendBinary(nil)
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var a Classes
		if a.UnmarshalBinary(b) != nil || a.Columns() > 1000 {
			return
		}
		m := anyMatrix(rand.New(rand.NewPCG(1, 1)), 11, a.Columns())
		a.Score(m, make([]float32, m.Rows*a.Classes()))
		if _, err := a.AppendBinary(nil); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkClassesScore(b *testing.B) {
	rng := rand.New(rand.NewPCG(16, 2))
	m := anyMatrix(rng, 200, 100)
	f := deepClasses(rng, 300, 100, 13)
	dst := make([]float32, 200*13)
	for b.Loop() {
		f.Score(m, dst)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/row")
}

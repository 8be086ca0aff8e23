package trees

import (
	"context"
	"testing"

	"chaffinch/internal/boost"
	"chaffinch/internal/testkit/must"
)

// TestTrainClasses learns three classes of which most rows only tell whether
// they are the first: the others tell them apart.
func TestTrainClasses(t *testing.T) {
	p := random(13, 6000, 4, 30)
	class := func(i int) int {
		switch {
		case p.value(boost.Feature{Col: 0, Shift: 0}, i) > 14:
			return 0
		case p.value(boost.Feature{Col: 1, Shift: 1}, i) > 14:
			return 1
		}
		return 2
	}
	p.features = append(p.features, boost.Feature{Col: 1, Shift: 1})
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
	train := func(workers int) (*boost.Classes, []float64) {
		cfg.Workers = workers
		f, gain, err := TrainClasses(context.Background(), cfg, p.m, p.features, of, evidence, p.weight, tasks, nil)
		must.Succeed(t, err)
		return f, gain
	}
	f, gain := train(1)
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
	for c, g := range gain {
		if least := min(gain[0], gain[1]); c > 1 && g > least/4 {
			t.Errorf("column %d gains %v, those of the classes at least %v", c, g, least)
		}
	}
	a, _ := f.AppendBinary(nil)
	again, _ := train(3)
	b, _ := again.AppendBinary(nil)
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
		if _, _, err := TrainClasses(context.Background(), small(), p.m, p.features, c.of, c.evidence, nil, c.tasks, nil); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

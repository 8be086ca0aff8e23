package trees

import (
	"math"
	"testing"

	"chaffinch/internal/boost"
	"chaffinch/internal/testkit/must"
)

// TestScoreKeepsValues checks what int16 does to the sum of the leaf values.
func TestScoreKeepsValues(t *testing.T) {
	p := mixed(2000)
	cfg := small()
	tr := must.Get(newTrainer(p.m, p.features, p.target, p.weight, nil, cfg))(t)
	for n := range cfg.Trees {
		tr.grow(n)
	}
	for i, z := range p.score(boost.NewForest(tr.features, tr.trees, tr.prior)) {
		if math.Abs(float64(z-tr.score[i])) > 1e-3 {
			t.Fatalf("row %d: %v, %v in training", i, z, tr.score[i])
		}
	}
}

func TestMean(t *testing.T) {
	p := mixed(500)
	var forests []*boost.Forest
	want, z := make([]float64, 500), make([]float32, 500)
	trees := 0
	for seed := range uint64(3) {
		cfg := small()
		cfg.Seed, cfg.Depth, cfg.Trees = seed, int(4+seed), int(5+4*seed)
		f := p.train(t, cfg)
		f.Score(p.m, z)
		for i := range z {
			want[i] += float64(z[i]) / 3
		}
		trees += f.Trees()
		forests = append(forests, f)
	}
	mean := Mean(forests...)
	mean.Score(p.m, z)
	for i := range z {
		if math.Abs(float64(z[i])-want[i]) > 2e-3 {
			t.Fatalf("row %d: %v, wanted %v", i, z[i], want[i])
		}
	}
	must.Equal(t, mean.Trees(), trees, "trees")
}

package lines

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/clean/lines"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/trees"
	"chaffinch/model"
)

// made writes n documents of invented pages: a menu, paragraphs, a foot.
func made(n int, seed uint64) (docs []*Gold) {
	rng := rand.New(rand.NewPCG(seed, 1))
	nouns := strings.Fields("harbour winter teacher window bread letter engine garden river doctor story market")
	verbs := strings.Fields("found carried watched opened painted repaired counted followed remembered")
	menu := strings.Fields("Home News Contact Login Shop Archive Forum Sitemap Help Search")
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	for k := range n {
		d := &Gold{ID: fmt.Sprint("made", seed, ".", k), Lang: "en"}
		add := func(line string, text bool) {
			d.Lines, d.Labels = append(d.Lines, line), append(d.Labels, text)
		}
		for range 2 + rng.IntN(4) {
			add(pick(menu)+" | "+pick(menu), false)
		}
		for range 1 + rng.IntN(5) {
			var b strings.Builder
			for range 1 + rng.IntN(3) {
				fmt.Fprintf(&b, "The %s %s the old %s, and nobody %s the %s. ", pick(nouns), pick(verbs), pick(nouns), pick(verbs), pick(nouns))
			}
			add(strings.TrimSpace(b.String()), true)
		}
		add(fmt.Sprintf("Copyright 20%02d %s", rng.IntN(24), pick(menu)), false)
		docs = append(docs, d)
	}
	return docs
}

// small is a configuration that is quick.
func small() TrainConfig {
	cfg := DefaultTrain
	cfg.Shape = lines.NetShape{Rows: 64, Dim: 2, Project: 6, Cell: "gru", Hidden: 4, Layers: 1, Skip: true}
	cfg.Net.Epochs = 6
	cfg.Nets = 2
	cfg.NGrams.Epochs = 2
	cfg.Trees = trees.Config{Trees: 10, Depth: 3, Rate: .3, Lambda: 1, MinWeight: 1, ColSample: .5, RowSample: 1, Seed: 1}
	cfg.Forests = 1
	return cfg
}

func trained(t testing.TB, cfg TrainConfig) *lines.Model {
	t.Helper()
	return must.Get(Train(context.Background(), cfg, made(40, 1), made(10, 2), nil))(t)
}

func saved(t testing.TB, m *lines.Model) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.chf")
	must.Succeed(t, m.Save(path, model.Header{Name: "test"}))
	return must.Read(t, path)
}

// right is the share of lines that get the right label.
func right(m *lines.Model, docs []*Gold) float64 {
	var n, all float64
	for _, d := range docs {
		for i, p := range m.Score(nil, d.Lang, d.Lines) {
			all++
			if (float64(p) >= m.Threshold()) == d.Labels[i] {
				n++
			}
		}
	}
	return n / all
}

func TestTrain(t *testing.T) {
	testkit.Slow(t)
	for _, c := range []struct {
		name   string
		change func(*TrainConfig)
	}{
		{"all", func(*TrainConfig) {}},
		{"networks", func(c *TrainConfig) { c.Forests = 0 }},
		{"forest", func(c *TrainConfig) { c.Nets = 0 }},
		{"regression", func(c *TrainConfig) {
			c.Shape, c.Nets, c.Forests = lines.NetShape{Skip: true}, 1, 0
		}},
		{"without", func(c *TrainConfig) { c.Without = []string{"length", "shape", "ngrams"} }},
	} {
		cfg := small()
		c.change(&cfg)
		m := trained(t, cfg)
		if r := right(m, made(20, 3)); r < .9 {
			t.Errorf("%s: %v of the lines right", c.name, r)
		}
		again := trained(t, cfg)
		b := saved(t, m)
		if !bytes.Equal(b, saved(t, again)) {
			t.Errorf("%s: the same training made other bytes", c.name)
		}
		cfg.Workers = 1
		if !bytes.Equal(b, saved(t, trained(t, cfg))) {
			t.Errorf("%s: one worker made other bytes", c.name)
		}
		read := must.Get(lines.Parse("m", b))(t)
		for _, d := range made(3, 4) {
			want, got := m.Score(nil, d.Lang, d.Lines), read.Score([]float32{7}, d.Lang, d.Lines)[1:]
			for i := range want {
				if want[i] != got[i] || math.IsNaN(float64(got[i])) {
					t.Fatalf("%s: line %d: %v, after a round trip %v", c.name, i, want[i], got[i])
				}
			}
		}
	}
}

func TestTrainErrors(t *testing.T) {
	for _, c := range []struct {
		change func(*TrainConfig)
		want   string
	}{
		{func(c *TrainConfig) { c.Without = []string{"colour"} }, "no group"},
		{func(c *TrainConfig) { c.Nets, c.Forests = 0, 0 }, "at least one"},
		{func(c *TrainConfig) { c.Folds = 1 }, "folds"},
		{func(c *TrainConfig) { c.Mix = 2 }, "share of the forest"},
		{func(c *TrainConfig) { c.Reach = 99 }, "trees see 99"},
	} {
		cfg := small()
		c.change(&cfg)
		must.Fail(t, must.Err(Train(context.Background(), cfg, made(5, 1), nil, nil)), c.want)
	}
	if _, err := Train(context.Background(), small(), nil, nil, nil); err == nil {
		t.Error("no documents, no error")
	}
	bad := made(1, 1)
	bad[0].Labels = bad[0].Labels[1:]
	if _, err := Train(context.Background(), small(), bad, nil, nil); err == nil {
		t.Error("a label too few, no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Train(ctx, small(), made(5, 1), nil, nil); err == nil {
		t.Error("cancelled, no error")
	}
}

// TestNothingToLearn: labels by chance leave the model as it is.
func TestNothingToLearn(t *testing.T) {
	m := trained(t, small())
	rng := rand.New(rand.NewPCG(1, 1))
	docs := made(12, 5)
	for _, d := range docs {
		for i := range d.Labels {
			if rng.IntN(3) == 0 {
				d.Labels[i] = !d.Labels[i]
			}
		}
	}
	got := must.Get(Adapt(context.Background(), DefaultAdapt, m, docs, nil))(t)
	if got != m && right(got, made(20, 6)) < right(m, made(20, 6))-.03 {
		t.Errorf("adapted to chance: %v of the lines right, %v before", right(got, made(20, 6)), right(m, made(20, 6)))
	}
	for _, c := range []struct {
		gains []float64
		want  bool
	}{{[]float64{1, 1, 1}, true}, {[]float64{1, -1}, false}, {[]float64{5, -1, -1, -1}, false}, {[]float64{2, 1, 3, -1}, true}, {[]float64{-1, -1}, false}} {
		if got := surelyGains(c.gains); got != c.want {
			t.Errorf("gains %v: %v", c.gains, got)
		}
	}
}

// TestAdapt turns the labels round: the model follows.
func TestAdapt(t *testing.T) {
	testkit.Slow(t)
	m := trained(t, small())
	bytesBefore := saved(t, m)
	turned := made(30, 5)
	for _, d := range turned {
		for i := range d.Labels {
			d.Labels[i] = !d.Labels[i]
		}
	}
	cfg := DefaultAdapt
	cfg.Net.Rate, cfg.Net.Anchor, cfg.Net.Epochs = .05, 0, 20
	got := must.Get(Adapt(context.Background(), cfg, m, turned[:20], nil))(t)
	if r := right(got, turned[20:]); r < .9 {
		t.Errorf("%v of the lines right after adapting, %v before", r, right(m, turned[20:]))
	}
	if !bytes.Equal(bytesBefore, saved(t, m)) {
		t.Error("adapting changed the old model")
	}
	before, _ := m.Parts()
	after, _ := got.Parts()
	if after.Features.Usual != before.Features.Usual {
		t.Error("a few documents changed the usual scores of lines by length")
	}
	cfg.Workers = 1
	again := must.Get(Adapt(context.Background(), cfg, m, turned[:20], nil))(t)
	if !bytes.Equal(saved(t, got), saved(t, again)) {
		t.Error("one worker made another model")
	}
	if _, err := Adapt(context.Background(), cfg, m, turned[:1], nil); err == nil {
		t.Error("one document is no error")
	}
}

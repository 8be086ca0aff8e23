package train

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"chaffinch/clean/lines"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	trainlines "chaffinch/lab/train/lines"
	"chaffinch/model"
	"chaffinch/page"
)

// made returns n documents of invented pages: a menu, paragraphs, a foot.
func made(n int, seed uint64) (docs []*trainlines.Gold) {
	rng := rand.New(rand.NewPCG(seed, 1))
	nouns := strings.Fields("harbour winter teacher window bread letter engine garden")
	menu := strings.Fields("Home News Contact Login Shop Archive Forum Sitemap")
	pick := func(list []string) string { return list[rng.IntN(len(list))] }
	for k := range n {
		d := &trainlines.Gold{ID: fmt.Sprint("made", seed, ".", k), Lang: "en"}
		add := func(line string, text bool) { d.Lines, d.Labels = append(d.Lines, line), append(d.Labels, text) }
		for range 2 + rng.IntN(4) {
			add(pick(menu)+" | "+pick(menu), false)
		}
		for range 1 + rng.IntN(5) {
			add(fmt.Sprintf("The %s found the old %s, and nobody watched the %s.", pick(nouns), pick(nouns), pick(nouns)), true)
		}
		add(fmt.Sprintf("Copyright 20%02d %s", rng.IntN(24), pick(menu)), false)
		docs = append(docs, d)
	}
	return docs
}

// small is a training that takes a moment.
func small() trainlines.TrainConfig {
	cfg := trainlines.DefaultTrain
	cfg.Shape = lines.NetShape{Rows: 64, Dim: 2, Project: 6, Cell: "gru", Hidden: 4, Layers: 1, Skip: true}
	cfg.Net.Epochs, cfg.Nets, cfg.NGrams.Epochs = 6, 2, 2
	cfg.Trees.Trees, cfg.Trees.Depth, cfg.Trees.Rate = 10, 3, .3
	return cfg
}

// TestLines learns from pages, as lines labelled by their gold, and labels
// others; with a base it adapts that.
func TestLines(t *testing.T) {
	set := &gold.Set{Name: "walks", Policy: gold.Text}
	var items []*gold.Item
	for _, d := range made(50, 3) {
		it := &gold.Item{Set: set, Gold: &gold.Page{ID: d.ID}, Page: &page.Page{ID: d.ID, Lang: d.Lang}}
		for i, l := range d.Lines {
			it.Page.Blocks = append(it.Page.Blocks, page.Block{Text: l})
			if d.Labels[i] {
				it.Gold.Text += l + "\n"
			}
		}
		items = append(items, it)
	}
	items[0].Gold.Text = "" // is left out
	var train []int
	for i := range 40 {
		train = append(train, i)
	}
	path := t.TempDir() + "/base.chf"
	trained := must.Get(trainlines.Train(t.Context(), small(), made(40, 1), nil, nil))(t)
	must.Succeed(t, trained.Save(path, model.Header{Name: "test"}))
	for _, base := range []string{"", path} {
		l := defaultLines
		l.TrainConfig, l.Base = small(), base
		p := must.Get(l.Prepare(t.Context(), items, nil))(t)
		m := must.Get(p.Train(t.Context(), train, nil))(t)
		labeller := must.Get(m.Labeller(gold.Text))(t)
		wrong, all := 0, 0
		for _, it := range items[40:] {
			verdicts := must.Get(labeller.Label(t.Context(), it.Page))(t)
			for i, v := range verdicts {
				all++
				if v.Label.Keep() != strings.Contains(it.Gold.Text, it.Page.Blocks[i].Text) {
					wrong++
				}
			}
		}
		if wrong*20 > all {
			t.Errorf("base %q: %d of %d lines are wrong", base, wrong, all)
		}
	}
	l := defaultLines
	l.PageWeight = 0
	must.Fail(t, must.Err(l.Prepare(t.Context(), items, nil)), "page_weight")
}

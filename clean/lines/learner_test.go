package lines

import (
	"strings"
	"testing"

	"chaffinch/lab/gold"
	"chaffinch/model"
	"chaffinch/page"
)

// TestLearner learns from pages, as lines labelled by their gold, and labels
// others; with a base it adapts that.
func TestLearner(t *testing.T) {
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
	if err := trained(t, small()).Save(path, model.Header{Name: "test"}); err != nil {
		t.Fatal(err)
	}
	for _, base := range []string{"", path} {
		l := DefaultLearner
		l.TrainConfig, l.Base = small(), base
		p, err := l.Prepare(t.Context(), items, nil)
		if err != nil {
			t.Fatal(err)
		}
		m, err := p.Train(t.Context(), train, nil)
		if err != nil {
			t.Fatal(err)
		}
		labeller, err := m.Labeller(gold.Text)
		if err != nil {
			t.Fatal(err)
		}
		wrong, lines := 0, 0
		for _, it := range items[40:] {
			verdicts, err := labeller.Label(t.Context(), it.Page)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range verdicts {
				lines++
				if v.Label.Keep() != strings.Contains(it.Gold.Text, it.Page.Blocks[i].Text) {
					wrong++
				}
			}
		}
		if wrong*20 > lines {
			t.Errorf("base %q: %d of %d lines are wrong", base, wrong, lines)
		}
	}
	l := DefaultLearner
	l.PageWeight = 0
	if _, err := l.Prepare(t.Context(), items, nil); err == nil || !strings.Contains(err.Error(), "page_weight") {
		t.Errorf("weight 0: %v", err)
	}
}

// TestWeight: a document counts as its weight says.
func TestWeight(t *testing.T) {
	docs := made(6, 4)
	for _, d := range docs[3:] {
		d.Weight = .25
	}
	cfg := small()
	cfg.Balance, cfg.LineBalance = 0, 0
	examples, err := readDocs(t.Context(), docs, cfg, func(string, int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range examples {
		if want := []float32{1, .25}[i/3]; x.weight[0] != want {
			t.Errorf("document %d weighs %v, want %v", i, x.weight[0], want)
		}
	}
}

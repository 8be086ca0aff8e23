package labels_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/train/labels"
	"chaffinch/lab/train/trees"
)

// eitherOr returns documents whose class depends on two properties together: they have it with
// many capitals or many commas, not with both or neither. Linear models cannot learn this.
func eitherOr(n int) (list []labels.Doc) {
	r := rand.New(rand.NewPCG(1, 1))
	words := strings.Fields("harbour sail tide anchor mast flour oven butter spoon whisk the a of in was with for old new small")
	for i := range n {
		capitals, commas := i%2 == 0, i%4 < 2
		var b strings.Builder
		for range 80 {
			w := words[r.IntN(len(words))]
			if capitals && r.IntN(3) == 0 {
				w = strings.ToUpper(w)
			}
			if commas && r.IntN(3) == 0 {
				w += ","
			}
			b.WriteString(w + " ")
		}
		d := labels.Doc{ID: fmt.Sprint(i), Group: fmt.Sprint(i), Text: b.String()}
		if capitals != commas {
			d.Labels = []string{"either"}
		}
		d.Extra = i%5 == 4
		list = append(list, d)
	}
	return list
}

// TestForest: a forest learns from several statistics together, on held-out documents.
func TestForest(t *testing.T) {
	testkit.Slow(t)
	cfg := labels.Default
	cfg.Several, cfg.Scales = true, [len(cfg.Scales)]float32{}
	cfg.Scales[len(cfg.Scales)-1] = 1 // statistics
	f1 := func() float64 {
		_, rep, err := labels.Train(context.Background(), cfg, eitherOr(400), nil)
		must.Succeed(t, err)
		if rep.Docs != 320 || rep.Extra != 80 {
			t.Errorf("%d documents, %d extra: wanted 320 and 80", rep.Docs, rep.Extra)
		}
		return rep.All.MicroF1
	}
	linear := f1()
	cfg.Forest = &trees.Config{Trees: 60, Depth: 3, Rate: .2, Lambda: 1, ColSample: .5, RowSample: 1, Seed: 1}
	if forest := f1(); linear > .75 || forest < .95 {
		t.Errorf("F1 %.3f, with a forest %.3f: wanted at least .95 with it, at most .75 without", linear, forest)
	}
}

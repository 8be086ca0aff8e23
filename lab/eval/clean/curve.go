package clean

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"chaffinch/internal/chart"
	"chaffinch/internal/report"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	"chaffinch/page"
)

// CurvePoint is a point of a learning curve.
type CurvePoint struct {
	// Pages is the number of training pages, Words the mean number of words of their gold texts.
	Pages, Words int
	// Precision, Recall and F are pooled over the words of all measured pages.
	Precision, Recall, F float64
}

// Curve measures a method trained on growing subsets of the pages (Evert, A lightweight and
// efficient tool for cleaning Web pages, LREC 2008, figure 4). In each fold of a cross-validation
// the pages of the other folds are shuffled with seed. The method is trained on the first pages, as
// many as each of sizes, so that larger subsets include smaller ones. All pages are measured at
// every size, so that the points differ only in the training. Sizes beyond the smallest training
// set are omitted.
func Curve(ctx context.Context, c *gold.Collection, name string, m train.Trainable, cfg Cross, sizes []int, seed uint64) ([]CurvePoint, error) {
	folds, err := c.Folds(cfg.Folds, cfg.By)
	if err != nil {
		return nil, err
	}
	tell := cfg.Progress
	if tell == nil {
		tell = func(string, int, int) {}
	}
	splits := c.Splits(folds, cfg.Folds)
	for k := range splits {
		splits[k].Test = cfg.measured(c, splits[k].Test)
	}
	splits = slices.DeleteFunc(splits, func(s gold.Split) bool { return len(s.Test) == 0 })
	most := math.MaxInt
	for _, s := range splits {
		most = min(most, len(s.Train))
	}
	sizes = slices.DeleteFunc(slices.Clone(sizes), func(n int) bool { return n > most })
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	if len(sizes) == 0 || sizes[0] < 1 {
		return nil, fmt.Errorf("sizes of the learning curve: wanted 1 to %d, the pages of the smallest training set", most)
	}
	t, err := m.Prepare(ctx, c.Items, tell)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	golds := map[*gold.Page]*Gold{}
	for _, s := range c.Sets {
		for _, g := range newSet(s).Pages {
			golds[g.Page] = g
		}
	}
	points := make([]CurvePoint, len(sizes))
	for i, size := range sizes {
		points[i].Pages = size
		var pooled Counts
		words := 0
		scores := make([]*Score, len(c.Items))
		for k, split := range splits {
			tell("training", i*len(splits)+k, len(sizes)*len(splits))
			order := slices.Clone(split.Train)
			rng := rand.New(rand.NewPCG(seed, uint64(k)))
			rng.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
			order = order[:size]
			slices.Sort(order)
			for _, at := range order {
				words += len(golds[c.Items[at].Gold].prepare().words)
			}
			trained, err := t.Train(ctx, order, tell)
			if err == nil {
				err = LabelItems(ctx, c, split.Test, trained, cfg, func(at int, p *page.Page) {
					scores[at] = golds[c.Items[at].Gold].measure(fromPage(p, false))
				})
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %d pages, fold %d: %w", name, size, k+1, err)
			}
		}
		for _, s := range scores {
			if s != nil {
				pooled.Add(s.Words)
			}
		}
		points[i].Words = words / len(splits)
		points[i].Precision, points[i].Recall, points[i].F = pooled.prf()
	}
	return points, nil
}

// WriteCurve writes a learning curve as a table with figures in percent.
func WriteCurve(w io.Writer, points []CurvePoint) error {
	rows := [][]string{{"pages", "words", "precision", "recall", "F"}}
	for _, p := range points {
		rows = append(rows, []string{strconv.Itoa(p.Pages), strconv.Itoa(p.Words), percent(p.Precision, 2), percent(p.Recall, 2), percent(p.F, 2)})
	}
	return writeAligned(w, rows)
}

// WriteCurveSVG draws a learning curve: precision, recall and F by words of the training pages.
func WriteCurveSVG(w io.Writer, points []CurvePoint) error {
	const (
		width, height            = 640, 420
		left, right, top, bottom = 56, 80, 20, 48
		ticks                    = 5
	)
	lines := []struct {
		name, color string
		of          func(CurvePoint) float64
	}{
		{"precision", "hsl(210,70%,40%)", func(p CurvePoint) float64 { return p.Precision }},
		{"F", "hsl(0,70%,40%)", func(p CurvePoint) float64 { return p.F }},
		{"recall", "hsl(120,70%,30%)", func(p CurvePoint) float64 { return p.Recall }},
	}
	lowest, most := 1.0, 0
	for _, p := range points {
		most = max(most, p.Words)
		lowest = min(lowest, p.Precision, p.Recall, p.F)
	}
	x := chart.Scale{From: 0, To: float64(max(1, most)), Start: left, End: width - right}
	y := chart.Scale{From: min(.95, math.Floor(lowest*20)/20), To: 1, Start: height - bottom, End: top}
	var xs, ys []chart.Tick
	for v, step := 0.0, chart.Step(x.To, ticks); v <= x.To; v += step {
		xs = append(xs, chart.Tick{Value: v, Name: report.Grouped(int64(v))})
	}
	for v := int(math.Round(20 * y.From)); v <= 20; v++ {
		ys = append(ys, chart.Tick{Value: float64(v) / 20, Name: strconv.Itoa(5 * v)})
	}
	m := chart.NewFile("precision, recall and F by the size of the training set", width, height)
	m.Grid(x, y, xs, ys, "words of the training pages", "percent")
	for i, l := range lines {
		var curve []chart.Point
		for _, p := range points {
			curve = append(curve, chart.Point{X: x.At(float64(p.Words)), Y: y.At(l.of(p))})
		}
		m.Curve(curve, l.name, "stroke", l.color, "stroke-width", "1.5")
		for _, at := range curve {
			m.Circle(at.X, at.Y, 2.5, l.name, "fill", l.color)
		}
		m.Text(width-right+8, top+16*float64(i+1), l.name, "fill", l.color)
	}
	_, err := fmt.Fprintln(w, m)
	return err
}

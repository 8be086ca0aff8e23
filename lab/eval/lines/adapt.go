package lines

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"chaffinch/internal/chart"
	"chaffinch/lab/eval/stats"
	"chaffinch/lab/gold"
)

// Curve is the accuracy of a system in a language after adaptation to a few documents.
type Curve struct {
	Lang string
	// Held is the number of scored documents, the same for all points.
	Held   int
	Points []CurvePoint
}

// CurvePoint is the accuracy for a number of documents.
type CurvePoint struct {
	Docs int
	// Mean and SD are the mean and standard deviation of Values, the accuracies of all draws and
	// seeds.
	Mean, SD float64
	Values   []float64
}

// leastHeld is the minimum fraction of the documents of a language that are scored.
const leastHeld = 0.2

// Adaptation trains the system, for each language, on all others, and adapts it to the first n
// documents of a shuffle of the language, for each n of docs. It scores the documents after the
// greatest n that leaves a fifth, so that all points of a curve have the same documents. Each seed
// is repeated with draws shuffles. Near-duplicates of scored documents are excluded from training.
func Adaptation(ctx context.Context, s *Set, sys System, docs []int, draws int, cfg Config) ([]Curve, error) {
	langs := s.langs()
	if len(langs) < 2 {
		return nil, fmt.Errorf("set %s: adaptation to a language takes two or more: it has %v", s.Name, langs)
	}
	docs = slices.Sorted(slices.Values(docs))
	docs = slices.Compact(docs)
	curves := make([]Curve, len(langs))
	for i, lang := range langs {
		of := len(s.of(func(d *gold.LineDoc) bool { return d.Lang == lang }))
		c := Curve{Lang: lang}
		for _, n := range docs {
			if n >= 0 && float64(n) <= (1-leastHeld)*float64(of) && n < of {
				c.Points = append(c.Points, CurvePoint{Docs: n, Values: make([]float64, len(cfg.Seeds)*draws)})
				c.Held = of - n
			}
		}
		curves[i] = c
	}
	n := len(langs) * len(cfg.Seeds)
	err := each(ctx, n, cfg.Workers, "adaptation", cfg.Progress, func(ctx context.Context, i int) error {
		c, seed := i%len(langs), i/len(langs)
		if err := s.adapt(ctx, sys, &curves[c], cfg, seed, draws); err != nil {
			return fmt.Errorf("%s, adaptation to %s, seed %d: %w", sys.Name(), langs[c], cfg.Seeds[seed], err)
		}
		return nil
	})
	for i := range curves {
		for k := range curves[i].Points {
			p := &curves[i].Points[k]
			p.Mean, p.SD = stats.Mean(p.Values), stats.Deviation(p.Values)
		}
	}
	return curves, err
}

// adapt sets the values of one seed.
func (s *Set) adapt(ctx context.Context, sys System, c *Curve, cfg Config, seed, draws int) error {
	j := job{}
	var own []int
	for i, d := range s.Docs {
		if d.Lang == c.Lang {
			own = append(own, i)
		} else {
			j.train = append(j.train, i)
		}
	}
	s.holdOut(&j, cfg.Plan, cfg.Seeds[seed])
	base, err := s.base(ctx, sys, j, cfg.Seeds[seed], c.Lang, cfg.Progress)
	if err != nil {
		return err
	}
	for draw := range draws {
		order := s.shuffled(own, cfg.Seeds[seed], fmt.Sprint("draw ", draw))
		test := order[len(order)-c.Held:]
		copies := s.copiesOf(test)
		for k, p := range c.Points {
			scorer, err := base.Adapt(ctx, s.pick(slices.DeleteFunc(slices.Clone(order[:p.Docs]), func(i int) bool { return copies[s.clusters()[i]] })), cfg.Seeds[seed])
			if err != nil {
				return err
			}
			var counts Counts
			for _, i := range test {
				scores, err := scorer(s.Docs[i])
				if err != nil {
					return err
				}
				counts.plus(countLines(s.Docs[i].Labels, scores))
			}
			c.Points[k].Values[seed*draws+draw] = counts.Accuracy()
		}
	}
	return nil
}

// base trains the system to be adapted.
func (s *Set) base(ctx context.Context, sys System, j job, seed uint64, lang string, progress func(step string, done, total int)) (Base, error) {
	train, dev := s.pick(j.train), s.pick(j.dev)
	tell, done := stepsOf(progress, fmt.Sprintf("%s for adaptation to %s, seed %d", sys.Name(), lang, seed))
	defer done()
	if a, ok := sys.(Adaptable); ok {
		return a.Prepare(ctx, train, dev, seed, tell)
	}
	return retrained{sys, train, dev}, nil
}

// retrained is a system that is trained again on all documents instead of being adapted.
type retrained struct {
	sys        System
	train, dev []*gold.LineDoc
}

// Adapt trains on the documents of the base and docs.
func (r retrained) Adapt(ctx context.Context, docs []*gold.LineDoc, seed uint64) (Scorer, error) {
	return r.sys.Train(ctx, append(slices.Clone(r.train), docs...), r.dev, seed, func(string, int, int) {})
}

// AdaptationSVG draws the curves of the languages.
func AdaptationSVG(title string, curves []Curve) string {
	low := 0.9
	var counts []int
	for _, c := range curves {
		for _, p := range c.Points {
			low = min(low, p.Mean-p.SD)
			counts = append(counts, p.Docs)
		}
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	if len(counts) == 0 {
		return ""
	}
	low = max(0, math.Floor(float64(low*10)-1e-9)/10)
	const margin = 24
	x := func(docs int) float64 {
		k := slices.Index(counts, docs)
		return plotLeft + margin + float64(float64(k)/float64(max(1, len(counts)-1))*(plotWidth-2*margin))
	}
	m := newPlot(title, plotTop+plotHeight+plotBottom)
	at := accuracyAxis(m, low, "documents of the language that it learned from")
	for _, n := range counts {
		m.Text(x(n), plotTop+plotHeight+14, strconv.Itoa(n), "text-anchor", "middle")
	}
	for i, c := range curves {
		if len(c.Points) == 0 {
			continue
		}
		colour := palette[i%len(palette)]
		var curve []chart.Point
		for _, p := range c.Points {
			curve = append(curve, chart.Point{X: x(p.Docs), Y: at(p.Mean)})
		}
		m.Curve(curve, "", "stroke", colour, "stroke-width", "2")
		for k, p := range c.Points {
			m.Line(x(p.Docs), at(p.Mean-p.SD), x(p.Docs), at(min(1, p.Mean+p.SD)), "stroke", colour, "stroke-opacity", ".5")
			m.Shape(curve[k], i, fmt.Sprintf("%s, %d documents: %.1f %%", c.Lang, p.Docs, 100*p.Mean), "fill", colour)
		}
		y := float64(plotTop + 14 + i*20)
		m.Shape(chart.Point{X: plotLeft + plotWidth + 14, Y: y}, i, "", "fill", colour)
		m.Text(plotLeft+plotWidth+24, y+4, c.Lang)
	}
	return m.String()
}

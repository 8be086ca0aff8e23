package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"

	"chaffinch/internal/chart"
	"chaffinch/internal/report"
	"chaffinch/lab/train/labels"
)

//go:embed train_labels.html
var labelsHTML string

var labelsTemplate = report.Template("labels", labelsHTML, nil)

// sortedNames returns the keys of a map in order.
func sortedNames(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }

// Size and margins of the charts.
const (
	plotWidth, plotHeight           = 520, 300
	plotLeft, plotTop, plotRightEnd = 60, 12, 508
	plotBottom                      = 250
)

// html writes the report as a page.
func (v *labelsView) html(w io.Writer) error {
	return labelsTemplate().Execute(w, struct {
		*labelsView
		Frame    report.Frame
		Notes    []string
		Hint     string
		Learn    template.HTML
		Curves   []labelCurve
		Percent  func(float64) string
		Matrix   [][]labelCell
		Sections []labelParts
	}{v, report.NewFrame(v.Title + ", trained by chaffinch"), v.notes(), v.hint(), v.learningPlot(), v.curvePlots(), v.percent, v.matrix(),
		[]labelParts{{"Languages", v.Langs}, {"Sites", v.Sites}}})
}

// labelParts are the figures by language or site.
type labelParts struct {
	Title string
	Parts []labels.Part
}

// labelCurve is the chart of precision and recall of a class.
type labelCurve struct {
	Class string
	Plot  template.HTML
}

// labelCell is a cell of the confusion matrix, with its share of the row.
type labelCell struct {
	Docs  int
	Share float64
}

// matrix returns the confusion matrix.
func (v *labelsView) matrix() (rows [][]labelCell) {
	for _, counts := range v.Confusion {
		all := 0
		for _, n := range counts {
			all += n
		}
		row := make([]labelCell, len(counts))
		for i, n := range counts {
			row[i] = labelCell{n, float64(n) / float64(max(1, all))}
		}
		rows = append(rows, row)
	}
	return rows
}

// plot returns an empty chart with shares on the vertical axis.
func (labelsView) plot(name, axis string, to float64, ticks []chart.Tick) (m *chart.Image, x, y chart.Scale) {
	x = chart.Scale{To: to, Start: plotLeft, End: plotRightEnd}
	y = chart.Scale{To: 1, Start: plotBottom, End: plotTop}
	m = chart.New(name, plotWidth, plotHeight, "class", "plot")
	var ys []chart.Tick
	for k := range 6 {
		ys = append(ys, chart.Tick{Value: float64(k) / 5, Name: fmt.Sprint(20 * k)})
	}
	m.Grid(x, y, ticks, ys, axis, "%")
	return m, x, y
}

// learningPlot returns the chart of the learning curve.
func (v *labelsView) learningPlot() template.HTML {
	var ticks []chart.Tick
	for _, p := range v.Learning {
		ticks = append(ticks, chart.Tick{Value: float64(p.Docs), Name: fmt.Sprint(p.Docs)})
	}
	m, x, y := v.plot("learning curve", "training documents", ticks[len(ticks)-1].Value, ticks)
	var macro, micro []chart.Point
	for _, p := range v.Learning {
		macro = append(macro, chart.Point{X: x.At(float64(p.Docs)), Y: y.At(p.MacroF1)})
		micro = append(micro, chart.Point{X: x.At(float64(p.Docs)), Y: y.At(p.MicroF1)})
	}
	m.Curve(macro, "macro F1", "class", "line held")
	m.Curve(micro, "micro F1", "class", "line lost")
	return template.HTML(m.String())
}

// curvePlots returns the charts of precision and recall by limit.
func (v *labelsView) curvePlots() (list []labelCurve) {
	var ticks []chart.Tick
	for k := range 6 {
		ticks = append(ticks, chart.Tick{Value: float64(k) / 5, Name: fmt.Sprintf("%.1f", float64(k)/5)})
	}
	for _, c := range v.Classes {
		m, x, y := v.plot("precision and recall of "+c.Name, "limit", 1, ticks)
		var precision, recall []chart.Point
		for _, p := range c.Curve {
			if p.Share > 0 {
				precision = append(precision, chart.Point{X: x.At(p.Limit), Y: y.At(p.Precision)})
			}
			recall = append(recall, chart.Point{X: x.At(p.Limit), Y: y.At(p.Recall)})
		}
		m.Curve(precision, "precision", "class", "line held")
		m.Curve(recall, "recall", "class", "line lost")
		if c.Limit > 0 {
			m.Line(x.At(c.Limit), plotTop, x.At(c.Limit), plotBottom, "class", "axis", "stroke-dasharray", "4 3")
		}
		list = append(list, labelCurve{c.Name, template.HTML(m.String())})
	}
	return list
}

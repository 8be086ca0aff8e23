package clean

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"unicode/utf8"

	"chaffinch/internal/chart"
)

// plot is a plot of the HTML page.
type plot struct {
	Title string
	SVG   template.HTML
}

// headline lists the metrics that are drawn, if they apply.
var headline = []string{"lev", "w_f", "rg_f", "bw_f", "seg_f", "seg_acc"}

// plots draws the metrics for which systems have figures. No plot is empty, and no row or curve is
// without a value.
func (v View) plots() []plot {
	var out []plot
	for _, name := range headline {
		m, _ := Lookup(name)
		if svg := intervals(v.Results, m); svg != "" {
			out = append(out, plot{m.Title + " with interval", svg})
		}
	}
	by, _ := Lookup("lev")
	if !slices.ContainsFunc(v.Results, func(r *Result) bool { return !math.IsNaN(by.Overall(r.Scores)) }) {
		by, _ = Lookup("seg_acc")
	}
	if svg := ranks(v.Results, by); svg != "" {
		out = append(out, plot{by.Title + " of the pages, worst to best", svg})
	}
	if svg := reliabilityCurves(v.Results); svg != "" {
		out = append(out, plot{"good pages by confidence, with the number of pages", svg})
	}
	if a, b := v.pair(); a != nil {
		if svg := scatter(v.Results, a, b, by); svg != "" {
			out = append(out, plot{by.Title + " page by page", svg})
		}
	}
	return out
}

// pair returns the two systems to compare: the systems of the tests, otherwise the first two.
func (v View) pair() (a, b *Result) {
	if len(v.Results) < 2 {
		return nil, nil
	}
	a, b = v.Results[0], v.Results[1]
	if len(v.Comparisons) > 0 {
		for _, r := range v.Results {
			if r.System == v.Comparisons[0].A {
				a = r
			}
			if r.System == v.Comparisons[0].B {
				b = r
			}
		}
	}
	return a, b
}

func colourOf(results []*Result, r *Result) string { return colour(slices.Index(results, r)) }

// short truncates a long name.
func short(name string) string {
	if utf8.RuneCountInString(name) > 22 {
		return string([]rune(name)[:21]) + "…"
	}
	return name
}

// intervals draws a metric as dots with confidence intervals, for the systems with values.
func intervals(results []*Result, m Metric) template.HTML {
	low, high := 1.0, 0.0
	var shown []int
	for i, r := range results {
		x, ok := r.Values[m.Name]
		if !ok || math.IsNaN(x.Value) {
			continue
		}
		shown = append(shown, i)
		for _, y := range []float64{x.Value, x.Low, x.High} {
			if !math.IsNaN(y) {
				low, high = min(low, y), max(high, y)
			}
		}
	}
	if len(shown) == 0 {
		return ""
	}
	low, high = math.Floor(low*10)/10, math.Ceil(high*10)/10
	if high <= low {
		low, high = max(0, high-.1), min(1, high+.1)
	}
	const left, width, line = 140, 210, 24
	bottom := float64(len(shown)*line + 8)
	at := chart.Scale{From: low, To: high, Start: left, End: left + width}
	step := 0.1
	if high-low > 0.5 {
		step = 0.2
	}
	var ticks []chart.Tick
	for v := low; v <= high+1e-9; v += step {
		ticks = append(ticks, chart.Tick{Value: v, Name: fmt.Sprintf("%.0f", 100*v)})
	}
	img := chart.New(m.Title, left+width+50, bottom+20)
	img.Grid(at, chart.Scale{To: 1, Start: bottom}, ticks, nil, "", "")
	for row, i := range shown {
		x, y := results[i].Values[m.Name], float64(row*line+line/2+2)
		img.Text(left-10, y+4, short(results[i].System), "class", "name", "text-anchor", "end")
		label := at.At(x.Value)
		if !math.IsNaN(x.Low) {
			img.Line(at.At(x.Low), y, at.At(x.High), y, "stroke", colour(i), "stroke-width", "3", "stroke-opacity", ".45", "stroke-linecap", "round")
			label = at.At(x.High)
		}
		img.Circle(at.At(x.Value), y, 4.5, "", "fill", colour(i))
		img.Text(label+8, y+4, percent(x.Value, 1))
	}
	return template.HTML(img.String())
}

// square returns an empty square plot with axes from 0 to 100.
func square(across, up string) (img *chart.Image, x, y chart.Scale) {
	const size, margin = 260, 46
	x = chart.Scale{To: 1, Start: margin, End: margin + size}
	y = chart.Scale{To: 1, Start: 8 + size, End: 8}
	var ticks []chart.Tick
	for _, v := range []float64{0, .25, .5, .75, 1} {
		ticks = append(ticks, chart.Tick{Value: v, Name: fmt.Sprintf("%.0f", 100*v)})
	}
	img = chart.New(up+" against "+across, margin+size+16, size+46)
	img.Grid(x, y, ticks, ticks, short(across), short(up))
	return img, x, y
}

// ranks draws the sorted page values of each system.
func ranks(results []*Result, m Metric) template.HTML {
	img, x, y := square("% of the pages", m.Title)
	drawn := false
	for _, r := range results {
		var values []float64
		for _, s := range r.Scores {
			if v := m.Page(s); !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		var curve []chart.Point
		for i, v := range values {
			curve = append(curve, chart.Point{X: x.At((float64(i) + .5) / float64(len(values))), Y: y.At(v)})
		}
		img.Curve(curve, r.System, "stroke", colourOf(results, r), "stroke-width", "2")
		drawn = drawn || len(curve) > 0
	}
	if !drawn {
		return ""
	}
	return template.HTML(img.String())
}

// scatter draws each page with values of both systems as a point: one system across, the other up.
func scatter(results []*Result, a, b *Result, m Metric) template.HTML {
	img, across, up := square(b.System, a.System)
	img.Line(across.At(0), up.At(0), across.At(1), up.At(1), "class", "axis", "stroke-dasharray", "4 3")
	drawn := false
	for i := range a.Scores {
		x, y := m.Page(b.Scores[i]), m.Page(a.Scores[i])
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		c := colourOf(results, a)
		if x > y {
			c = colourOf(results, b)
		}
		title := fmt.Sprintf("%s: %s %s, %s %s", a.Scores[i].ID, a.System, percent(y, 1), b.System, percent(x, 1))
		img.Circle(across.At(x), up.At(y), 3.5, title, "fill", c, "fill-opacity", ".6")
		drawn = true
	}
	if !drawn {
		return ""
	}
	return template.HTML(img.String())
}

package lines

import (
	"fmt"
	"math"
	"strconv"

	"chaffinch/internal/chart"
)

// Point holds the counts of the lines with a given number in their documents, over all runs.
type Point struct {
	// Line is the line number, from 1.
	Line int
	// Right counts the lines with right labels, Lines all lines.
	Right, Lines int
	// Smoothed is the smoothed accuracy, see [Result.Positions].
	Smoothed float64
}

// accuracy returns the fraction of lines with right labels.
func (p Point) accuracy() float64 { return share(p.Right, p.Lines) }

// bandwidth is the bandwidth of the smoothing as a binary logarithm: two thirds of the weight are
// on line numbers within a factor of 1.19.
const bandwidth = 0.25

// Positions returns a point for each line number (figures 10 to 12 of the thesis). The smoothed
// accuracy is the mean over all points, weighted by their lines and by a Gaussian over the
// logarithm of the line numbers. Low line numbers are hardly smoothed; high ones, which few
// documents have, are smoothed more.
func (r *Result) Positions() []Point {
	var points []Point
	for _, run := range r.Runs {
		for i, scores := range run.Scores {
			for n, score := range scores {
				for len(points) <= n {
					points = append(points, Point{Line: len(points) + 1})
				}
				points[n].Lines++
				if (score >= threshold) == r.Set.Docs[i].Labels[n] {
					points[n].Right++
				}
			}
		}
	}
	logs := make([]float64, len(points))
	for i := range points {
		logs[i] = math.Log2(float64(i + 1))
	}
	for i := range points {
		var right, all float64
		for k, p := range points {
			z := (logs[k] - logs[i]) / bandwidth
			if z < -5 || z > 5 {
				continue
			}
			w := math.Exp(-z * z / 2)
			right += float64(w * float64(p.Right))
			all += float64(w * float64(p.Lines))
		}
		points[i].Smoothed = right / all
	}
	return points
}

// Colours that can be distinguished with any colour vision (Okabe and Ito).
const (
	blue      = "#0072b2"
	vermilion = "#d55e00"
	green     = "#009e73"
	purple    = "#cc79a7"
	orange    = "#e69f00"
	sky       = "#56b4e9"
)

// palette holds the colours of curves.
var palette = []string{blue, vermilion, green, purple, orange, sky, "#444444"}

// Sizes of plots, in pixels.
const (
	plotLeft, plotTop       = 46, 30
	plotWidth, plotHeight   = 640, 260
	stripGap, stripHeight   = 14, 56
	plotRight, plotBottom   = 90, 40
	smallestDot, largestDot = 1.2, 5.0
)

// newPlot returns an image with a title.
func newPlot(title string, height float64) *chart.Image {
	m := chart.NewFile(title, plotLeft+plotWidth+plotRight, height)
	m.Text(plotLeft, 18, title, "font-size", "13", "fill", "#1d2327")
	return m
}

// accuracyAxis draws lines for the percentages from low, a multiple of .1, to 1, and returns a
// function from fractions to coordinates.
func accuracyAxis(m *chart.Image, low float64, across string) (at func(v float64) float64) {
	y := chart.Scale{From: low, To: 1, Start: plotTop + plotHeight, End: plotTop}
	var ticks []chart.Tick
	for tens := int(math.Round(low * 10)); tens <= 10; tens++ {
		ticks = append(ticks, chart.Tick{Value: float64(tens) / 10, Name: strconv.Itoa(tens * 10)})
	}
	m.Grid(chart.Scale{To: 1, Start: plotLeft, End: plotLeft + plotWidth}, y, nil, ticks, across, "accuracy, %")
	return func(v float64) float64 { return y.At(max(v, low)) }
}

// PositionSVG draws accuracy by line number: a dot for each number, sized by its number of lines,
// the smoothed accuracy, and the numbers of lines below. The scale of line numbers is logarithmic.
func PositionSVG(title string, points []Point) string {
	if len(points) == 0 {
		return ""
	}
	low, most := 0.9, 1
	for _, p := range points {
		low, most = min(low, p.Smoothed), max(most, p.Lines)
	}
	low = max(0, math.Floor(float64(low*10)-1e-9)/10-0.1)
	x := chart.Scale{From: 1, To: float64(max(2, len(points))), Start: plotLeft, End: plotLeft + plotWidth, Log: true}
	m := newPlot(title, plotTop+plotHeight+stripGap+stripHeight+plotBottom)
	at := accuracyAxis(m, low, "")
	const bottom = plotTop + plotHeight + stripGap + stripHeight
	var ticks []chart.Tick
	for _, tick := range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000} {
		if tick <= max(2, len(points)) {
			ticks = append(ticks, chart.Tick{Value: float64(tick), Name: strconv.Itoa(tick)})
		}
	}
	m.Grid(x, chart.Scale{To: 1, Start: bottom, End: plotTop}, ticks, nil, "number of the line in its document", "")
	height := func(lines int) float64 { return math.Log1p(float64(lines)) / math.Log1p(float64(most)) }
	for _, p := range points {
		left, right := x.At(max(1, float64(p.Line)-.5)), x.At(min(x.To, float64(p.Line)+.5))
		h := height(p.Lines) * stripHeight
		m.Rect(left, bottom-h, max(right-left, .3), h, "fill", "#b9b4a7")
	}
	var smoothed []chart.Point
	for _, p := range points {
		m.Circle(x.At(float64(p.Line)), at(p.accuracy()), smallestDot+float64((largestDot-smallestDot)*math.Sqrt(float64(p.Lines)/float64(most))),
			fmt.Sprintf("line %d: %.1f %% of %d lines", p.Line, 100*p.accuracy(), p.Lines), "fill", sky, "fill-opacity", ".5")
		smoothed = append(smoothed, chart.Point{X: x.At(float64(p.Line)), Y: at(p.Smoothed)})
	}
	m.Curve(smoothed, "", "stroke", blue, "stroke-width", "2.5")
	const beside = plotLeft + plotWidth + 6
	m.Text(beside, smoothed[len(smoothed)-1].Y+4, "smoothed", "fill", blue)
	m.Text(beside, bottom-stripHeight/2, "lines")
	m.Text(beside, bottom-stripHeight/2+14, fmt.Sprintf("most: %d", most))
	return m.String()
}

package lines

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Point is the lines with one number in their documents, in all runs together.
type Point struct {
	// Line is the number, from 1.
	Line int
	// Right and Lines count those labelled right and all.
	Right, Lines int
	// Smoothed is the accuracy of the lines around, see [Result.Positions].
	Smoothed float64
}

// Accuracy is the share of the lines that are labelled right.
func (p Point) Accuracy() float64 { return share(p.Right, p.Lines) }

// bandwidth is that of the smoothing, as a binary logarithm: two thirds of the
// weight come from line numbers within a factor of 1.19.
const bandwidth = 0.25

// Positions returns a point for each line number (the thesis' figures 10 to
// 12). The smoothed accuracy is the mean over all points, weighted by their
// lines and by a Gaussian over the logarithm of the line numbers: hardly any
// smoothing among the first lines, and more the fewer documents go so far.
func (r *Result) Positions() []Point {
	var points []Point
	for _, run := range r.Runs {
		for i, scores := range run.Scores {
			for n, score := range scores {
				for len(points) <= n {
					points = append(points, Point{Line: len(points) + 1})
				}
				points[n].Lines++
				if (score >= Threshold) == r.Set.Docs[i].Labels[n] {
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
			right += w * float64(p.Right)
			all += w * float64(p.Lines)
		}
		points[i].Smoothed = right / all
	}
	return points
}

// Colours that people with any colour vision tell apart (Okabe and Ito).
const (
	blue      = "#0072b2"
	vermilion = "#d55e00"
	green     = "#009e73"
	purple    = "#cc79a7"
	orange    = "#e69f00"
	sky       = "#56b4e9"
)

// palette are the colours of curves.
var palette = []string{blue, vermilion, green, purple, orange, sky, "#444444"}

// Sizes of plots, in pixels.
const (
	plotLeft, plotTop       = 46, 30
	plotWidth, plotHeight   = 640, 260
	stripGap, stripHeight   = 14, 56
	plotRight, plotBottom   = 90, 40
	smallestDot, largestDot = 1.2, 5.0
)

// openSVG begins a drawing with its title.
func openSVG(b *strings.Builder, width, height int, title string) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" aria-label="%s" font-family="system-ui, sans-serif" font-size="11" fill="#444">`,
		width, height, width, height, html.EscapeString(title))
	fmt.Fprintf(b, `<rect width="%d" height="%d" fill="#fff"/><text x="%d" y="18" font-size="13" fill="#1d2327">%s</text>`, width, height, plotLeft, html.EscapeString(title))
}

// accuracyAxis draws lines for the percentages from low, a multiple of .1, to 1
// and returns the place of a share.
func accuracyAxis(b *strings.Builder, low float64) (at func(v float64) float64) {
	at = func(v float64) float64 { return plotTop + (1-max(v, low))/(1-low)*plotHeight }
	for tens := int(math.Round(low * 10)); tens <= 10; tens++ {
		y := at(float64(tens) / 10)
		fmt.Fprintf(b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#dfdcd3"/><text x="%d" y="%.1f" text-anchor="end">%d</text>`,
			plotLeft, plotLeft+plotWidth, y, y, plotLeft-6, y+4, tens*10)
	}
	fmt.Fprintf(b, `<text transform="translate(12 %d) rotate(-90)" text-anchor="middle">accuracy, %%</text>`, plotTop+plotHeight/2)
	return at
}

// PositionSVG draws accuracy by line number: a dot for each number, larger the
// more lines are behind it, the smoothed accuracy, and below how many lines
// there are. The scale of line numbers is logarithmic.
func PositionSVG(title string, points []Point) string {
	if len(points) == 0 {
		return ""
	}
	low, most := 0.9, 1
	for _, p := range points {
		low, most = min(low, p.Smoothed), max(most, p.Lines)
	}
	low = max(0, math.Floor(low*10-1e-9)/10-0.1)
	end := math.Log2(float64(max(2, len(points))))
	x := func(line float64) float64 { return plotLeft + math.Log2(line)/end*plotWidth }
	var b strings.Builder
	openSVG(&b, plotLeft+plotWidth+plotRight, plotTop+plotHeight+stripGap+stripHeight+plotBottom, title)
	at := accuracyAxis(&b, low)
	bottom := float64(plotTop + plotHeight + stripGap + stripHeight)
	for _, tick := range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000} {
		if tick > max(2, len(points)) {
			break
		}
		fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%.1f" stroke="#efece4"/><text x="%.1f" y="%.1f" text-anchor="middle">%d</text>`,
			x(float64(tick)), x(float64(tick)), plotTop, bottom, x(float64(tick)), bottom+14, tick)
	}
	height := func(lines int) float64 { return math.Log1p(float64(lines)) / math.Log1p(float64(most)) }
	for _, p := range points {
		left, right := x(max(1, float64(p.Line)-.5)), x(min(float64(max(2, len(points))), float64(p.Line)+.5))
		h := height(p.Lines) * stripHeight
		fmt.Fprintf(&b, `<rect x="%.2f" y="%.1f" width="%.2f" height="%.1f" fill="#b9b4a7"/>`, left, bottom-h, max(right-left, .3), h)
	}
	for _, p := range points {
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" fill-opacity=".5"><title>line %d: %.1f %% of %d lines</title></circle>`,
			x(float64(p.Line)), at(p.Accuracy()), smallestDot+(largestDot-smallestDot)*math.Sqrt(float64(p.Lines)/float64(most)), sky, p.Line, 100*p.Accuracy(), p.Lines)
	}
	fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2.5" stroke-linejoin="round" points="`, blue)
	for _, p := range points {
		fmt.Fprintf(&b, "%.1f,%.1f ", x(float64(p.Line)), at(p.Smoothed))
	}
	fmt.Fprintf(&b, `"/><text x="%d" y="%.1f" fill="%s">smoothed</text>`, plotLeft+plotWidth+6, at(points[len(points)-1].Smoothed)+4, blue)
	fmt.Fprintf(&b, `<text x="%d" y="%.1f">lines</text><text x="%d" y="%.1f">most: %d</text>`, plotLeft+plotWidth+6, bottom-stripHeight/2, plotLeft+plotWidth+6, bottom-stripHeight/2+14, most)
	fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="middle">number of the line in its document</text></svg>`, plotLeft+plotWidth/2, bottom+31)
	return b.String()
}

package minhash

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"strings"
	"testing"

	"chaffinch/internal/chart"
	"chaffinch/internal/testkit/must"
)

var update = flag.Bool("update", false, "write the figure and the table of curves in docs anew")

// curve is the probability that a pair is found over its similarity.
type curve struct {
	name, color string
	found       func(s float64) float64
}

// curves are those of the presets. The estimate of a similarity s from
// maxSample values of 4 bits is taken as normal, with the deviation of a
// binomial share.
func curves() []curve {
	bands := func(p Preset) func(s float64) float64 {
		return func(s float64) float64 { return probability(s, p.Bands, p.Rows) }
	}
	own := Presets[0]
	chosen := func(s float64) float64 {
		const chance = 1. / 16
		p := chance + (1-chance)*s
		deviation := math.Sqrt(p*(1-p)/maxSample) / (1 - chance)
		return bands(own)(s) * math.Erfc((own.Threshold-s)/deviation/math.Sqrt2) / 2
	}
	all := []curve{
		{fmt.Sprintf("chaffinch, %d × %d and threshold", own.Bands, own.Rows), "#1d4ed8", chosen},
		{"its candidates", "#93b4f5", bands(own)},
	}
	colors := map[string]string{"fineweb": "#0b6e4f", "text-dedup": "#c1121f", "data-juicer": "#f4a261", "nemo": "#7b2cbf"}
	for _, p := range Presets {
		if c, ok := colors[p.Preset]; ok {
			all = append(all, curve{fmt.Sprintf("%s, %d × %d", p.Preset, p.Bands, p.Rows), c, bands(p)})
		}
	}
	return all
}

// figure draws the curves, as SVG.
func figure(curves []curve) []byte {
	const left, top, width, height = 56, 20, 420, 330
	x := chart.Scale{From: 0, To: 1, Start: left, End: left + width}
	y := chart.Scale{From: 0, To: 1, Start: top + height, End: top}
	var ticks []chart.Tick
	for i := range 6 {
		ticks = append(ticks, chart.Tick{Value: float64(i) / 5, Name: fmt.Sprintf("%.1f", float64(i)/5)})
	}
	m := chart.NewFile("how likely pairs of documents are found, by their similarity", 690, 400)
	m.Grid(x, y, ticks, ticks, "Jaccard similarity of the shingles", "probability that the pair is found")
	for k, c := range curves {
		dash := ""
		if c.name == "its candidates" {
			dash = "4 3"
		}
		var points []chart.Point
		for i := range 101 {
			points = append(points, chart.Point{X: x.At(float64(i) / 100), Y: y.At(c.found(float64(i) / 100))})
		}
		m.Curve(points, "", "stroke", c.color, "stroke-width", "2", "stroke-dasharray", dash)
		at := float64(40 + 20*k)
		m.Line(left+width+12, at, left+width+30, at, "stroke", c.color, "stroke-width", "2", "stroke-dasharray", dash)
		m.Text(left+width+36, at+4, c.name, "font-size", "10")
	}
	return []byte(m.String() + "\n")
}

// rows are the lines of the table of curves.
func rows(curves []curve) (lines []string) {
	for _, s := range []float64{.3, .4, .5, .6, .65, .7, .75, .8, .85, .9, .95} {
		line := fmt.Sprintf("| %.2f |", s)
		for _, c := range curves {
			line += fmt.Sprintf(" %.3f |", c.found(s))
		}
		lines = append(lines, line)
	}
	return lines
}

// TestFigure holds the figure and the table of curves in docs against the presets.
func TestFigure(t *testing.T) {
	const svg, page = "../../docs/explanation/minhash-curves.svg", "../../docs/explanation/dedup-minhash.md"
	all := curves()
	want := figure(all)
	if *update {
		must.Write(t, svg, want)
	}
	got := must.Read(t, svg)
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not that of the presets: run with -update and look at it", svg)
	}
	text := must.Read(t, page)
	lines := strings.Split(string(text), "\n")
	changed := false
	for _, row := range rows(all) {
		found := false
		for i, line := range lines {
			if strings.HasPrefix(line, row[:8]) {
				found = true
				if line == row {
					continue
				}
				if !*update {
					t.Errorf("%s has\n%s, want\n%s: run with -update", page, line, row)
				}
				lines[i], changed = row, true
			}
		}
		if !found {
			t.Errorf("%s has no row %s", page, row)
		}
	}
	if changed && *update {
		must.Write(t, page, strings.Join(lines, "\n"))
	}
}

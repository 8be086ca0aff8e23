package clean

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// plot is a drawing of the HTML page.
type plot struct {
	Title string
	SVG   template.HTML
}

// headline are the metrics that are drawn, as far as they apply.
var headline = []string{"lev", "w_f", "rg_f", "bw_f", "seg_f", "seg_acc"}

func (v View) plots() []plot {
	var out []plot
	for _, name := range headline {
		m, _ := Lookup(name)
		if len(columns(v.Results, false)) > 0 && slices.ContainsFunc(v.Results, func(r *Result) bool { _, ok := r.Values[name]; return ok }) {
			out = append(out, plot{m.Title + " with interval", intervals(v.Results, m)})
		}
	}
	by, _ := Lookup("lev")
	if math.IsNaN(by.Overall(v.Results[0].Scores)) {
		by, _ = Lookup("seg_acc")
	}
	out = append(out, plot{by.Title + " of the pages, worst to best", ranks(v.Results, by)})
	if a, b := v.pair(); a != nil {
		out = append(out, plot{by.Title + " page by page", scatter(v.Results, a, b, by)})
	}
	return out
}

// pair returns the two systems to compare: those of the tests, else the first
// two.
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

// short cuts a long name.
func short(name string) string {
	if utf8.RuneCountInString(name) > 22 {
		return string([]rune(name)[:21]) + "…"
	}
	return name
}

// intervals draws one metric of all systems as dots with their intervals.
func intervals(results []*Result, m Metric) template.HTML {
	low, high := 1.0, 0.0
	for _, r := range results {
		if x, ok := r.Values[m.Name]; ok {
			for _, y := range []float64{x.Value, x.Low, x.High} {
				if !math.IsNaN(y) {
					low, high = min(low, y), max(high, y)
				}
			}
		}
	}
	low, high = math.Floor(low*10)/10, math.Ceil(high*10)/10
	if high <= low {
		low, high = max(0, high-.1), min(1, high+.1)
	}
	const left, width, line = 140, 210, 24
	at := func(v float64) float64 { return left + (v-low)/(high-low)*width }
	var b strings.Builder
	bottom := len(results)*line + 8
	fmt.Fprintf(&b, `<svg width="%d" height="%d" role="img" aria-label="%s">`, left+width+50, bottom+20, html.EscapeString(m.Title))
	step := 0.1
	if high-low > 0.5 {
		step = 0.2
	}
	for v := low; v <= high+1e-9; v += step {
		fmt.Fprintf(&b, `<line class="axis" x1="%.1f" x2="%.1f" y1="0" y2="%d"/><text x="%.1f" y="%d" text-anchor="middle">%.0f</text>`, at(v), at(v), bottom, at(v), bottom+14, 100*v)
	}
	for i, r := range results {
		y := i*line + line/2 + 2
		fmt.Fprintf(&b, `<text class="name" x="%d" y="%d" text-anchor="end">%s</text>`, left-10, y+4, html.EscapeString(short(r.System)))
		x, ok := r.Values[m.Name]
		if !ok {
			continue
		}
		label := at(x.Value)
		if !math.IsNaN(x.Low) {
			fmt.Fprintf(&b, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="%s" stroke-width="3" stroke-opacity=".45" stroke-linecap="round"/>`, at(x.Low), at(x.High), y, y, colour(i))
			label = at(x.High)
		}
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%d" r="4.5" fill="%s"/><text x="%.1f" y="%d">%s</text>`, at(x.Value), y, colour(i), label+8, y+4, percent(x.Value, 1))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

const plotSize = 260

// frame opens a square plot from 0 to 100 on both axes.
func frame(b *strings.Builder, x, y string) (at func(v float64) float64) {
	const margin = 34
	at = func(v float64) float64 { return margin + v*plotSize }
	fmt.Fprintf(b, `<svg width="%d" height="%d" role="img" aria-label="%s against %s">`, plotSize+2*margin, plotSize+margin+26, html.EscapeString(y), html.EscapeString(x))
	for _, v := range []float64{0, .25, .5, .75, 1} {
		fmt.Fprintf(b, `<line class="axis" x1="%.1f" x2="%.1f" y1="8" y2="%d"/><line class="axis" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/>`,
			at(v), at(v), plotSize+8, margin, margin+plotSize, 8+(1-v)*plotSize, 8+(1-v)*plotSize)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%.0f</text><text x="%d" y="%.1f" text-anchor="end">%.0f</text>`, at(v), plotSize+22, 100*v, margin-5, 12+(1-v)*plotSize, 100*v)
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text><text transform="translate(9 %d) rotate(-90)" text-anchor="middle">%s</text>`,
		at(.5), plotSize+38, html.EscapeString(short(x)), plotSize/2+8, html.EscapeString(short(y)))
	return at
}

func down(v float64) float64 { return 8 + (1-v)*plotSize }

// ranks draws, for each system, the values of its pages in order.
func ranks(results []*Result, m Metric) template.HTML {
	var b strings.Builder
	at := frame(&b, "% of the pages", m.Title)
	for _, r := range results {
		var values []float64
		for _, s := range r.Scores {
			if v := m.Page(s); !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" stroke-linejoin="round" points="`, colourOf(results, r))
		for i, v := range values {
			fmt.Fprintf(&b, "%.1f,%.1f ", at((float64(i)+.5)/float64(len(values))), down(v))
		}
		fmt.Fprintf(&b, `"><title>%s</title></polyline>`, html.EscapeString(r.System))
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// scatter draws each page as a point: one system across, the other up.
func scatter(results []*Result, a, b *Result, m Metric) template.HTML {
	var out strings.Builder
	at := frame(&out, b.System, a.System)
	fmt.Fprintf(&out, `<line class="axis" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke-dasharray="4 3"/>`, at(0), down(0), at(1), down(1))
	for i := range a.Scores {
		x, y := m.Page(b.Scores[i]), m.Page(a.Scores[i])
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		c := colourOf(results, a)
		if x > y {
			c = colourOf(results, b)
		}
		fmt.Fprintf(&out, `<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s" fill-opacity=".6"><title>%s: %s %s, %s %s</title></circle>`, at(x), down(y), c,
			html.EscapeString(a.Scores[i].ID), html.EscapeString(a.System), percent(y, 1), html.EscapeString(b.System), percent(x, 1))
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

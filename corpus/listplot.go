package corpus

import (
	"fmt"
	"html/template"
	"math"
	"strconv"

	"chaffinch/internal/chart"
	"chaffinch/internal/report"
)

// Numbers of rows that pictures show.
const (
	graphNodes   = 40
	scatterNames = 40
	scatterDots  = 2000
)

// Pictures returns a graph of the collocates, and a plot of their co-occurrences by their frequency.
func (t *Collocations) Pictures(query string) []Picture {
	if len(t.Rows) == 0 {
		return nil
	}
	s := scatterPlot{label: "co-occurrences with the query by frequency in the corpus", x: "frequency in the corpus", y: "co-occurrences with the query"}
	for _, r := range t.Rows {
		s.points = append(s.points, scatterPoint{float64(r.Freq), float64(r.Hits), r.Word, fmt.Sprintf("%s: %s of %s near the query, %s %.2f", r.Word, report.Grouped(r.Hits), report.Grouped(r.Freq), Measures[t.Sort].Name, r.Scores[t.Sort])})
	}
	return []Picture{
		{"Graph", fmt.Sprintf("The first %d collocates around the query. Nearer and thicker: higher %s. Larger: more frequent in the corpus.", min(len(t.Rows), graphNodes), Measures[t.Sort].Name), template.HTML(t.graph(query))},
		{"Frequencies", "Each point is a collocate. Both scales are logarithmic.", template.HTML(s.draw())},
	}
}

// Pictures returns a plot of the frequencies in the focus corpus by those in the reference.
func (k *Keywords) Pictures() []Picture {
	s := scatterPlot{label: "hits per million tokens in the focus corpus and in the reference", x: "per million in the reference", y: "per million in the focus corpus", diagonal: true}
	for _, r := range k.Rows {
		s.points = append(s.points, scatterPoint{r.RefPerMillion, r.PerMillion, r.Word, fmt.Sprintf("%s: %.2f per million, %.2f in the reference", r.Word, r.PerMillion, r.RefPerMillion)})
	}
	if svg := s.draw(); svg != "" {
		return []Picture{{"Frequencies", "Each point is a word. Both scales are logarithmic; words that the reference lacks are on the left edge. Words on the line are equally frequent in both.", template.HTML(svg)}}
	}
	return nil
}

// graph draws the collocates around the query. Each next one is turned by the golden angle, which
// spreads them evenly.
func (t *Collocations) graph(query string) string {
	const width, height, golden = 720, 520, 2.399963229728653
	rows := t.Rows[:min(len(t.Rows), graphNodes)]
	low, high, most := math.Inf(1), math.Inf(-1), 1.0
	for _, r := range rows {
		low, high, most = min(low, r.Scores[t.Sort]), max(high, r.Scores[t.Sort]), max(most, float64(r.Freq))
	}
	m := chart.New("graph of collocates", width, height, "class", "plot graph")
	type node struct {
		at     chart.Point
		r      float64
		row    Collocate
		weight float64
	}
	nodes := make([]node, len(rows))
	for i, r := range rows {
		weight := 1.0
		if high > low {
			weight = (r.Scores[t.Sort] - low) / (high - low)
		}
		far := 0.34 + float64(0.62*(1-weight))
		angle := float64(i)*golden - math.Pi/2
		nodes[i] = node{
			chart.Point{X: width/2 + float64(far*(width/2-60)*math.Cos(angle)), Y: height/2 + float64(far*(height/2-24)*math.Sin(angle))},
			3 + float64(13*math.Sqrt(float64(r.Freq)/most)), r, weight,
		}
	}
	for _, n := range nodes {
		m.Line(width/2, height/2, n.at.X, n.at.Y, "class", "edge", "stroke-width", strconv.FormatFloat(0.5+float64(4*n.weight), 'f', 1, 64))
	}
	room := chart.Placer{Right: width, Bottom: height}
	for _, n := range nodes {
		m.Circle(n.at.X, n.at.Y, n.r, fmt.Sprintf("%s: %s hits, frequency %s, %s %.2f", n.row.Word, report.Grouped(n.row.Hits), report.Grouped(n.row.Freq), Measures[t.Sort].Name, n.row.Scores[t.Sort]), "class", "node")
	}
	if len([]rune(query)) > 24 {
		query = string([]rune(query)[:24]) + "…"
	}
	m.Text(width/2, height/2+5, query, "class", "name centre", "text-anchor", "middle")
	room.Occupy(width/2-60, height/2-14, 120, 26)
	for _, n := range nodes {
		if at, anchor, ok := room.Place(n.at.X, n.at.Y, n.row.Word, 13); ok {
			m.Text(at.X, at.Y, n.row.Word, "class", "name", "text-anchor", anchor)
		}
	}
	return m.String()
}

// scatterPlot is a plot of two frequencies on logarithmic scales. Points with x of 0 are on the left
// edge.
type scatterPlot struct {
	label, x, y string
	diagonal    bool
	points      []scatterPoint
}

type scatterPoint struct {
	x, y        float64
	name, title string
}

// draw returns the image, "" if no point has a place.
func (s scatterPlot) draw() string {
	const width, height, left, right, top, bottom = 720, 460, 64, 16, 14, 46
	points := s.points[:min(len(s.points), scatterDots)]
	x, y := chart.Scale{Start: left, End: width - right, Log: true}, chart.Scale{Start: height - bottom, End: top, Log: true}
	lacks := false
	for _, p := range points {
		x.Include(p.x)
		y.Include(p.y)
		lacks = lacks || p.x <= 0
	}
	if y.Empty() {
		return ""
	}
	if x.Empty() {
		x.From, x.To = 1, 10
	}
	if lacks {
		x.From /= 2 // so that the left edge is apart from the other points
	}
	m := chart.New(s.label, width, height, "class", "plot scatter")
	m.Grid(x, y, powers(x), powers(y), s.x, s.y)
	if a, b := max(x.From, y.From), min(x.To, y.To); s.diagonal && a < b {
		m.Line(x.At(a), y.At(a), x.At(b), y.At(b), "class", "limit")
	}
	room := chart.Placer{Left: left, Right: width - right, Top: top, Bottom: height - bottom}
	place := func(p scatterPoint) chart.Point {
		return chart.Point{X: x.At(max(p.x, x.From)), Y: y.At(p.y)}
	}
	for _, p := range points {
		if p.y > 0 {
			at := place(p)
			m.Circle(at.X, at.Y, 3, p.title, "class", "dot")
		}
	}
	for _, p := range points[:min(len(points), scatterNames)] {
		if p.y <= 0 {
			continue
		}
		at := place(p)
		if at, anchor, ok := room.Place(at.X, at.Y, p.name, 12); ok {
			m.Text(at.X, at.Y, p.name, "class", "name", "text-anchor", anchor)
		}
	}
	return m.String()
}

// powers returns the powers of ten of a scale, or its ends if it has none.
func powers(s chart.Scale) (ticks []chart.Tick) {
	for e := math.Ceil(math.Log10(s.From)); e <= math.Log10(s.To); e++ {
		ticks = append(ticks, chart.Tick{Value: math.Pow(10, e), Name: power(e)})
	}
	if len(ticks) == 0 {
		for _, v := range []float64{s.From, s.To} {
			ticks = append(ticks, chart.Tick{Value: v, Name: chart.Value(v)})
		}
	}
	return ticks
}

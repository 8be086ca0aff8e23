package crawl

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chaffinch/crawl/schedule"
	"chaffinch/internal/chart"
	"chaffinch/internal/files"
	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
)

//go:embed view/report.html
var reportHTML string

var reportTemplate = report.Template("crawl", reportHTML, template.FuncMap{
	"yield":  func(x float64) string { return strconv.FormatFloat(100*x, 'f', 2, 64) + " %" },
	"scaled": func(x float64) float64 { return x / fullBar },
})

const (
	// reportHosts is the number of hosts in each table of a report.
	reportHosts = 40
	// fullBar is the yield at which the bar of a host is full.
	fullBar = .2
	// reportSteps is the number of parts of a crawl whose yields a report shows.
	reportSteps = 25
)

// reportView holds the data of a report.
type reportView struct {
	Frame   report.Frame
	Langs   []string
	Totals  schedule.Totals
	Records int64
	Seconds float64
	Last    float64 // yield of the last tenth of the pages
	Asked   int64
	Known   int64
	Curve   []curveRow
	Hosts   []hostTable
	Texts, Reasons, Rules, Excluded,
	Optouts, Types, TypeBytes, Renders, Failures countTable
	Settings   []namedValue
	YieldChart template.HTML
	TextChart  template.HTML
}

// curveRow is a point of the yield curve, with the yield since the previous point.
type curveRow struct {
	Point
	Now, All float64
}

// Seconds returns the time of the point.
func (r curveRow) Seconds() float64 { return r.Time.Seconds() }

type hostTable struct {
	Title string
	Rows  []*Site
}

type countTable struct {
	Title, Head string
	Rows        []countRow
}

type countRow struct {
	Name  string
	N     int64
	Share float64
}

type namedValue struct{ Name, Value string }

// ReportFile returns the path of the report of the crawl in a folder.
func ReportFile(dir string) string { return filepath.Join(dir, "report.html") }

// WriteReport writes the report of the crawl in a folder as an HTML page: the yield curve, hosts,
// languages, and reasons of missing text. The crawl may be running.
func WriteReport(ctx context.Context, dir string, w io.Writer) error {
	h, err := ReadHistory(ctx, dir, nil)
	if err != nil {
		return err
	}
	if err := h.ReadWeights(); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return reportTemplate().Execute(w, newReportView(h.Settings, h))
}

// SaveReport writes the report of the crawl in a folder to [ReportFile], and returns the path.
func SaveReport(ctx context.Context, dir string) (name string, err error) {
	var page bytes.Buffer
	if err := WriteReport(ctx, dir, &page); err != nil {
		return "", err
	}
	name = ReportFile(dir)
	return name, files.WriteFile(name, page.Bytes())
}

func newReportView(s Settings, h *History) *reportView {
	status := h.Snapshot()
	v := &reportView{
		Frame: report.NewFrame(cmp.Or(strings.Join(s.Langs, ", "), "text") + " · crawled by chaffinch"),
		Langs: s.Languages(), Totals: status.Totals, Seconds: h.Time.Seconds(), Known: int64(len(h.Sites)),
		Curve:     curveRows(h.Curve),
		Texts:     newCountTable("pages with a record", "language", status.Langs),
		Reasons:   newCountTable("pages without a record", "reason", status.Reasons),
		Rules:     newCountTable("pages dropped by filter rules", "rule", status.Rules),
		Excluded:  newCountTable("links not followed", "rule", status.Excluded),
		Optouts:   newCountTable("pages that opt out", "statement", h.Optouts),
		Types:     newCountTable("pages by type", "media type", typeCounts(h.Types, func(t TypeCount) int64 { return t.Pages })),
		TypeBytes: newCountTable("bytes by type", "media type", typeCounts(h.Types, func(t TypeCount) int64 { return t.Bytes })),
		Renders:   newCountTable("pages that need scripts", "result", status.Renders),
		Failures:  newCountTable("requests without a response", "reason", status.Failures),
		Settings: []namedValue{
			{"begun", s.Began.UTC().Format("2006-01-02 15:04 UTC")}, {"contact", s.Contact}, {"languages", cmp.Or(strings.Join(s.Languages(), ", "), "any")},
			{"order", s.Schedule.Policy.Name}, {"delay", s.Schedule.Delay.String()}, {"near-duplicates", s.NearDuplicates}, {"within", s.Scope.Within}, {"within the list", shortList(s.Scope.Sites)}, {"include", shortList(s.Scope.Include)}, {"exclude", shortList(s.Scope.Exclude)},
			{"most links from a seed", strconv.Itoa(s.Schedule.MaxDepth)}, {"most pages of a host", pagesLimit(s.Schedule.MaxHostPages)}, {"filter", strings.Join(rulesOf(s.Filter), ", ")}, {"repeats", s.Again},
		},
	}
	v.Settings = slices.DeleteFunc(v.Settings, func(x namedValue) bool { return x.Value == "" })
	for _, site := range h.Sites {
		if v.Records += site.Records; site.Pages > 0 || site.Failures > 0 {
			v.Asked++
		}
	}
	v.Hosts = hostTables(h.Sites)
	if n := len(h.Curve); n > 0 {
		last, before := h.Curve[n-1], Point{}
		for _, p := range h.Curve {
			if p.Pages <= last.Pages-max(last.Pages/10, 1) {
				before = p
			}
		}
		v.Last = schedule.Yield(last.Clean-before.Clean, last.Bytes-before.Bytes)
		v.YieldChart, v.TextChart = yieldChart(v.Curve), textChart(v.Curve)
	}
	return v
}

// shortList returns the first patterns of a list.
func shortList(list []string) string {
	const shown = 20
	text := strings.Join(list[:min(len(list), shown)], ", ")
	if more := len(list) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func pagesLimit(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// curveRows returns evenly spaced points of a curve, and the last one.
func curveRows(points []Point) (rows []curveRow) {
	step := (len(points) + reportSteps - 1) / reportSteps
	before := Point{}
	for i, p := range points {
		if (i+1)%step == 0 || i == len(points)-1 {
			rows = append(rows, curveRow{p, schedule.Yield(p.Clean-before.Clean, p.Bytes-before.Bytes), schedule.Yield(p.Clean, p.Bytes)})
			before = p
		}
	}
	return rows
}

// hostTables returns the hosts with the most text, with the most bytes for little text, hosts that look
// like mirrors or traps, and hosts with little trust.
func hostTables(sites []*Site) []hostTable {
	var best, worst, odd, distrusted []*Site
	for _, s := range sites { // by clean text in descending order
		if s.Clean > 0 && len(best) < reportHosts {
			best = append(best, s)
		}
		if wastedBytes(s.HostStatus()) > 0 {
			worst = append(worst, s)
		}
		if s.Anomaly() != "" {
			odd = append(odd, s)
		}
		if s.Pages > 0 && s.Distrust() != "" {
			distrusted = append(distrusted, s)
		}
	}
	slices.SortStableFunc(worst, func(a, b *Site) int { return cmp.Compare(wastedBytes(b.HostStatus()), wastedBytes(a.HostStatus())) })
	slices.SortStableFunc(odd, func(a, b *Site) int { return cmp.Compare(b.Pages, a.Pages) })
	return []hostTable{
		{"most text", best},
		{"most bytes for little text", worst[:min(len(worst), reportHosts)]},
		{"mirrors and traps", odd[:min(len(odd), reportHosts)]},
		{"little trust", distrusted[:min(len(distrusted), reportHosts)]},
	}
}

// typeCounts returns a figure of each type.
func typeCounts(types map[string]TypeCount, figure func(TypeCount) int64) map[string]int64 {
	counts := map[string]int64{}
	for name, t := range types {
		counts[name] = figure(t)
	}
	return counts
}

func newCountTable(title, head string, counts map[string]int64) countTable {
	t := countTable{Title: title, Head: head}
	var all int64
	for _, n := range counts {
		all += n
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Rows = append(t.Rows, countRow{name, counts[name], float64(counts[name]) / float64(max(all, 1))})
	}
	sorts.StableFunc(t.Rows, func(a, b countRow) int { return cmp.Compare(b.N, a.N) })
	return t
}

// Size and margins of the charts.
const (
	chartWidth, chartHeight             = 960, 300
	chartLeft, chartRight               = 62, 26
	chartTop, chartBottom               = 26, 40
	chartTicks                          = 5
	legendLeft, legendLine, legendApart = chartLeft + 8, 22, 210
)

// yieldChart draws the yield of the last pages, and of all pages so far, by number of pages.
func yieldChart(rows []curveRow) template.HTML {
	var now, all []chart.Point
	for _, r := range rows {
		x := float64(r.Pages)
		now, all = append(now, chart.Point{X: x, Y: 100 * r.Now}), append(all, chart.Point{X: x, Y: 100 * r.All})
	}
	return plot("yield by pages", "yield, %", []series{{"last pages", "held", now}, {"all pages", "dimline", all}})
}

// textChart draws the text by number of pages.
func textChart(rows []curveRow) template.HTML {
	var text []chart.Point
	for _, r := range rows {
		text = append(text, chart.Point{X: float64(r.Pages), Y: float64(r.Clean) / 1e6})
	}
	return plot("text by pages", "text, MB", []series{{"new text in a wanted language", "held", append([]chart.Point{{}}, text...)}})
}

// series is a curve with its name and CSS class.
type series struct {
	name, class string
	points      []chart.Point // values
}

// plot draws curves over the number of pages.
func plot(label, yTitle string, all []series) template.HTML {
	x := chart.Scale{Start: chartLeft, End: chartWidth - chartRight}
	y := chart.Scale{Start: chartHeight - chartBottom, End: chartTop}
	for _, s := range all {
		for _, p := range s.points {
			x.To, y.To = max(x.To, p.X), max(y.To, p.Y)
		}
	}
	xStep, yStep := chart.Step(x.To, chartTicks), chart.Step(y.To, chartTicks)
	y.To = yStep * float64(int(y.To/yStep)+1)
	var xs, ys []chart.Tick
	for v := 0.0; v <= x.To; v += xStep {
		xs = append(xs, chart.Tick{Value: v, Name: report.Grouped(int64(v))})
	}
	for i := 0; float64(i)*yStep <= y.To*1.001; i++ {
		ys = append(ys, chart.Tick{Value: float64(i) * yStep, Name: strconv.FormatFloat(float64(i)*yStep, 'g', 4, 64)})
	}
	m := chart.New(label, chartWidth, chartHeight, "class", "plot")
	m.Grid(x, y, xs, ys, "pages", yTitle)
	for i, s := range all {
		var at []chart.Point
		for _, p := range s.points {
			at = append(at, chart.Point{X: x.At(p.X), Y: y.At(p.Y)})
		}
		m.Curve(at, s.name, "class", "curve "+s.class)
		left := float64(legendLeft + i*legendApart)
		m.Line(left, 12, left+legendLine, 12, "class", "curve "+s.class)
		m.Text(left+legendLine+6, 16, s.name)
	}
	if n := len(all[0].points); n > 0 {
		last := all[0].points[n-1]
		m.Circle(x.At(last.X), y.At(last.Y), 3, fmt.Sprintf("%s pages: %.2f", report.Grouped(int64(last.X)), last.Y), "class", "dot")
	}
	return template.HTML(m.String())
}

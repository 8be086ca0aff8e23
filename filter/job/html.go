package job

import (
	"bytes"
	_ "embed"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"

	"chaffinch/filter"
	"chaffinch/internal/chart"
	"chaffinch/internal/files"
	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
)

//go:embed view/report.html
var reportHTML string

var reportTemplate = report.Template("filter", reportHTML, template.FuncMap{"link": report.IsLink, "value": chart.Value})

// reportView holds the data of the report in HTML.
type reportView struct {
	Frame  report.Frame
	Title  string
	Report *Result
	Share  float64 // of the words that are kept
	Funnel []funnelRow
	Lines  []funnelRow
	Langs  []langRow
	Groups []groupView
}

// funnelRow is the text that a rule removed, and the words that remain after it.
type funnelRow struct {
	Name, Help, ID string
	Tally
	Share float64 // of the words read
	Left  float64 // share of the words read
}

type langRow struct {
	Name  string
	Docs  int64
	Share float64
}

type groupView struct {
	Name, Help string
	Scores     []scoreView
}

type scoreView struct {
	Name, Help, ID string
	Limit          string
	Docs, Beyond   int64
	Dropped        int64
	Plot           template.HTML
	*Values
}

// shownLangs is the maximum number of languages that the report lists.
const shownLangs = 40

// writeReport writes the report in HTML.
func (r *run) writeReport() error {
	if r.cfg.ReportFile == "" {
		return nil
	}
	var out bytes.Buffer
	if err := reportTemplate().Execute(&out, newReportView(&r.cfg, r.State.Report)); err != nil {
		return err
	}
	return files.WriteFile(r.cfg.ReportFile, out.Bytes())
}

func newReportView(cfg *Config, rep *Result) *reportView {
	v := &reportView{Title: clip(report.BaseNames(cfg.Inputs), nameChars), Report: rep, Share: report.Share(rep.Out.Words, rep.In.Words)}
	v.Frame = report.NewFrame(v.Title + " · filtered by chaffinch")
	v.funnel(cfg.Set, rep)
	for _, name := range sorts.ByValue(rep.Langs) {
		if len(v.Langs) < shownLangs {
			v.Langs = append(v.Langs, langRow{clip(name, nameChars), rep.Langs[name], report.Share(rep.Langs[name], rep.In.Docs)})
		}
	}
	for _, g := range cfg.Set.Groups() {
		view := groupView{Name: g.Name, Help: g.Help}
		for _, s := range g.Scores {
			name := g.Name + "." + s.Name
			if values := rep.Details.Scores[name]; values != nil {
				view.Scores = append(view.Scores, newScoreView(name, s.Help, values, rep))
			}
		}
		if len(view.Scores) > 0 {
			v.Groups = append(v.Groups, view)
		}
	}
	return v
}

// funnel lists the rules that removed text, in their order.
func (v *reportView) funnel(set *filter.Set, rep *Result) {
	left := rep.In.Words
	for _, name := range append(slices.Clone(set.Scores()), siteRule) {
		t := rep.Dropped[name]
		if t == nil {
			continue
		}
		left -= t.Words
		v.Funnel = append(v.Funnel, funnelRow{name, helpOf(set, name), anchor(name), *t, report.Share(t.Words, rep.In.Words), report.Share(left, rep.In.Words)})
	}
	for _, name := range slices.Sorted(maps.Keys(rep.Lines)) {
		t := rep.Lines[name]
		left -= t.Words
		v.Lines = append(v.Lines, funnelRow{name, "", "", *t, report.Share(t.Words, rep.In.Words), report.Share(left, rep.In.Words)})
	}
}

// helpOf returns the description of a score, "" if it has none.
func helpOf(set *filter.Set, name string) string {
	group, score, _ := strings.Cut(name, ".")
	for _, g := range set.Groups() {
		for _, s := range g.Scores {
			if g.Name == group && s.Name == score {
				return s.Help
			}
		}
	}
	return ""
}

func anchor(name string) string { return "score-" + strings.ReplaceAll(name, ".", "-") }

func newScoreView(name, help string, values *Values, rep *Result) scoreView {
	s := scoreView{Name: name, Help: help, ID: anchor(name), Values: values, Limit: boundsText(values)}
	if t := rep.Dropped[name]; t != nil {
		s.Dropped = t.Docs
	}
	classes := map[int32]chart.Bin{}
	for c, n := range values.Within {
		classes[c] = chart.Bin{Low: valueOf(c), Within: n}
		s.Docs += n
	}
	for c, n := range values.Beyond {
		b := classes[c]
		b.Low, b.Beyond = valueOf(c), n
		classes[c] = b
		s.Docs += n
		s.Beyond += n
	}
	h := chart.Histogram{Label: "Histogram of " + name, Axis: help}
	for _, c := range slices.Sorted(maps.Keys(classes)) {
		h.Bins = append(h.Bins, classes[c])
	}
	for _, bounds := range []map[string]int64{values.Mins, values.Maxs} {
		for _, name := range frequentBounds(bounds) {
			v, _ := strconv.ParseFloat(name, 64)
			h.Marks = append(h.Marks, chart.Mark{Value: v, Name: chart.Value(v)})
		}
	}
	s.Plot = template.HTML(h.Draw())
	return s
}

// shownBounds is the maximum number of limits that a histogram shows: languages may have different
// ones.
const shownBounds = 5

// frequentBounds returns the bounds of the most documents.
func frequentBounds(m map[string]int64) []string {
	names := sorts.ByValue(m)
	return names[:min(len(names), shownBounds)]
}

// boundsText describes the limits of a score.
func boundsText(s *Values) string {
	var parts []string
	for _, bound := range []struct {
		word string
		of   map[string]int64
	}{{"at least ", s.Mins}, {"at most ", s.Maxs}} {
		switch names := frequentBounds(bound.of); {
		case len(names) == 1:
			parts = append(parts, bound.word+names[0])
		case len(names) > 1:
			parts = append(parts, bound.word+names[0]+" (other languages: "+strings.Join(names[1:], ", ")+")")
		}
	}
	return strings.Join(parts, ", ")
}

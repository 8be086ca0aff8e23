package build

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"strconv"
	"strings"

	"chaffinch/internal/files"
	"chaffinch/internal/report"
	"chaffinch/internal/sorts"
)

//go:embed view/report.html
var reportHTML string

var reportTemplate = report.Template("report", reportHTML, template.FuncMap{
	"link":  report.IsLink,
	"score": func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) },
})

// Maximum rows of the tables of the report.
const (
	shownLangs = 40
	shownSites = 60
)

// view holds the data of a report.
type view struct {
	Frame       report.Frame
	Name, About string
	Steps       []*stepView
	// Read is the size of the input; Left is the size of the kept text.
	BytesIn     int64
	Read, Left  Amount
	Failed      string
	Unfinished  bool
	Dimensions  []dimension
	Seconds     float64
	Memory      int64
	Outputs     []output
	Problems    []Problem
	Warnings    []string
	HasKeywords bool
	// Counted is n if the words of one in n pages were counted.
	Counted int
}

// stepView holds the data of a step in the report.
type stepView struct {
	*entry
	// Share is the kept share of the words that the step read. Of is the kept share of all
	// words.
	Share, Of float64
	In        Amount
	Reasons   []reasonView
	Parts     []reasonView
	Samples   []sampleGroup
	Bytes     int64 // of the outputs
}

type reasonView struct {
	Name string
	Amount
	Share float64 // of the words that the step read
}

type sampleGroup struct {
	Reason string
	List   []Sample
}

// dimension is a table of languages, page types, sites or roles: the amount of text before the first
// step and after each step.
type dimension struct {
	Title, What, Head string
	Steps             []string
	Rows              []dimensionRow
	More              int
}

type dimensionRow struct {
	Name  string
	Read  Amount
	After []Amount
	Share float64 // of the words read
}

// writeReport writes the report into the folder of the build.
func (b *builder) writeReport() error {
	var out bytes.Buffer
	if err := reportTemplate().Execute(&out, b.view()); err != nil {
		return err
	}
	return files.WriteFile(b.path(reportName), out.Bytes())
}

// view collects the data of the report.
func (b *builder) view() *view {
	v := &view{
		Frame: report.NewFrame(b.Recipe.Name + " · built by chaffinch"), Name: b.Recipe.Name, About: b.Recipe.About, Counted: 1 << b.sampling(),
	}
	all := stepsOf(b.Recipe)
	for _, s := range all {
		e := b.ledger.entry(s.name)
		if e == nil || !e.Done {
			v.Unfinished = true
		}
		if e == nil {
			continue
		}
		if e.Error != "" {
			v.Failed = "The step " + e.Name + " has failed: " + e.Error
		}
		v.Steps = append(v.Steps, b.stepView(e, v))
		v.Seconds += e.Cost.Seconds
		v.Memory = max(v.Memory, e.Cost.Memory)
		if e.Done && !s.text {
			v.Outputs = append(v.Outputs, e.Outputs...)
		}
	}
	for _, d := range []struct {
		title, what, head string
		of                func(*Flow) map[string]*Split
		most              int
	}{
		{"Languages", "und is text whose language is unknown.", "language", func(f *Flow) map[string]*Split { return f.Langs }, shownLangs},
		{"Page types", "Types of pages, as the labelling estimates. Pages without a type, such as plain text, are not counted.", "page type", func(f *Flow) map[string]*Split { return f.PageTypes }, shownLangs},
		{"Registers", "Registers of the text, as the codes of CORE. A text counts for each of its registers.", "register", func(f *Flow) map[string]*Split { return f.Registers }, shownLangs},
		{"Sites", "A site is the registrable domain of the address.", "site", func(f *Flow) map[string]*Split { return f.Sites }, shownSites},
		{"Roles", "What blocks are on their pages, as the labelling found.", "role", func(f *Flow) map[string]*Split { return f.Roles }, shownLangs},
	} {
		if x := v.dimension(d.of, d.most); len(x.Rows) > 0 {
			x.Title, x.What, x.Head = d.title, d.what, d.head
			v.Dimensions = append(v.Dimensions, x)
		}
	}
	return v
}

// stepView returns the data of a step and updates the totals of v.
func (b *builder) stepView(e *entry, v *view) *stepView {
	s := &stepView{entry: e}
	for _, o := range e.Outputs {
		s.Bytes += o.Bytes
	}
	if e.Pages != nil {
		v.BytesIn = e.Pages.BytesIn
	}
	v.Problems = append(v.Problems, e.problems()...)
	v.Warnings = append(v.Warnings, e.warnings()...)
	f := e.Flow
	if f == nil {
		return s
	}
	s.In = f.Kept
	s.In.add(f.Removed, 1)
	if v.Read == (Amount{}) {
		v.Read = s.In
	}
	v.Left = f.Kept
	s.Share, s.Of = report.Share(f.Kept.Words, s.In.Words), report.Share(f.Kept.Words, v.Read.Words)
	s.Reasons, s.Parts = reasonViews(f.Reasons, s.In), reasonViews(f.Parts, s.In)
	for _, x := range f.Samples {
		if n := len(s.Samples); n == 0 || s.Samples[n-1].Reason != x.Reason {
			s.Samples = append(s.Samples, sampleGroup{Reason: x.Reason})
		}
		g := &s.Samples[len(s.Samples)-1]
		g.List = append(g.List, x)
	}
	v.HasKeywords = v.HasKeywords || len(f.Keywords) > 0
	return s
}

func reasonViews(m map[string]*Amount, in Amount) (list []reasonView) {
	for name, a := range m {
		list = append(list, reasonView{name, *a, report.Share(a.Words, in.Words)})
	}
	sorts.Func(list, func(a, b reasonView) int {
		return cmp.Or(cmp.Compare(b.Words, a.Words), cmp.Compare(b.Pages, a.Pages), strings.Compare(a.Name, b.Name))
	})
	return list
}

// dimension returns the table of one dimension over all steps.
func (v *view) dimension(of func(*Flow) map[string]*Split, most int) (d dimension) {
	var flows []map[string]*Split
	for _, s := range v.Steps {
		if s.Flow != nil {
			d.Steps = append(d.Steps, s.Name)
			flows = append(flows, of(s.Flow))
		}
	}
	if len(flows) == 0 {
		return d
	}
	names := sorts.ByCount(flows[0], (*Split).words)
	d.More = max(0, len(names)-most)
	for _, name := range names[:min(len(names), most)] {
		row := dimensionRow{Name: name, Read: flows[0][name].Kept}
		row.Read.add(flows[0][name].Removed, 1)
		for _, f := range flows {
			var left Amount
			if s := f[name]; s != nil {
				left = s.Kept
			}
			row.After = append(row.After, left)
			row.Share = report.Share(left.Words, row.Read.Words)
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

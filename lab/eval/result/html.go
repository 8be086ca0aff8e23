package result

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"chaffinch/internal/chart"
	"chaffinch/internal/report"
)

//go:embed view/report.html
var reportHTML string

var reportTemplate = report.Template("report", reportHTML, nil)

// quality lists the figures of eval clean in a report.
var quality = []string{"lev", "w_p", "w_r", "w_f", "bw_f", "rg_f"}

// parseQuality parses the JSON output of eval clean as tables, one per set.
func parseQuality(b []byte) ([]*Table, error) {
	var doc struct {
		Results []struct {
			Set, Field, System string
			Pages              int
			Figures            map[string]struct{ Value *float64 }
		}
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return nil, err
	}
	bySet := map[string]*Table{}
	var out []*Table
	for _, r := range doc.Results {
		if r.Field != "" {
			continue // a group of pages of a set
		}
		t := bySet[r.Set]
		if t == nil {
			t = &Table{Task: "clean", Data: r.Set, Note: fmt.Sprintf("%d pages", r.Pages)}
			for _, q := range quality {
				t.Columns = append(t.Columns, Column{Name: q, Unit: "%", Digits: 2})
			}
			bySet[r.Set] = t
			out = append(out, t)
		}
		row := Row{System: r.System}
		for _, q := range quality {
			f := Figure{Value: math.NaN()}
			if v := r.Figures[q].Value; v != nil {
				f.Value = *v
			}
			row.Values = append(row.Values, f)
		}
		t.Rows = append(t.Rows, row)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("it has no results of whole sets")
	}
	return out, nil
}

// tasks lists the sections of a report in order, with their titles and descriptions, and the
// figures in the overview, by name or prefix.
var tasks = []struct {
	task, title, what string
	overview          []string
}{
	{"clean", "Quality", "Kept text against gold text.", []string{"bw_f", "w_f"}},
	{"ir", "Search", "Retrieval from an index of the text of each system. ↑ and ↓ mark a difference from the first row at 5 % (Wilcoxon signed-rank test), doubled if significant after Holm's correction.", []string{"P@5", "AP", "NDCG@10"}},
	{"ir tests", "Tests of search", "Differences and their probabilities.", nil},
	{"ir cost", "Speed, memory, energy", "What cleaning, indexing and searching take.", []string{"index", "memory", "cleaning", "building", "CO2 of all"}},
	{"classify", "Classification", "F1 of each class. ↑ and ↓ mark a difference from the first row at 5 % (approximate randomization), doubled where it stays after Holm's correction.", []string{"macro F1"}},
	{"classify tests", "Tests of classification", "Differences and their probabilities.", nil},
	{"classify left", "Text per class", "Share of the bytes of the first system.", nil},
	{"lm", "Language models", "How well a small model of what each system leaves fits clean text of other pages.", []string{"perplexity, equal", "bits a byte, equal"}},
}

// section is the section of a task in a report.
type section struct {
	ID, Title, What string
	Tables          []tableView
}

// tableView is a table with its plots.
type tableView struct {
	*Table
	Plots []plot
}

// Cells returns the figures of a row as text with their sort values.
func (t tableView) Cells(r Row) []cell {
	out := make([]cell, len(r.Values))
	for i, f := range r.Values {
		out[i] = cell{Text: t.Columns[i].Text(f), Value: f.Value, Best: t.best(i, f)}
		if math.IsNaN(f.Value) {
			out[i].Value = math.MaxFloat64
		}
	}
	return out
}

// best reports whether no row has a better figure than f.
func (t *Table) best(column int, f Figure) bool {
	c := t.Columns[column]
	if c.Neutral || math.IsNaN(f.Value) || len(t.Rows) < 2 {
		return false
	}
	for _, r := range t.Rows {
		if v := r.Values[column].Value; v > f.Value != c.Less && v != f.Value && !math.IsNaN(v) {
			return false
		}
	}
	return true
}

type cell struct {
	Text  string
	Value float64
	Best  bool
	// Bar is a bar with the fraction of the largest figure.
	Bar template.HTML
}

// overview is the table with a column for each system.
type overview struct {
	Systems []string
	Rows    []overviewRow
}

// overviewRow holds a figure of all systems.
type overviewRow struct {
	ID, Data, Figure string
	Cells            []cell
}

// newOverview returns the main figures of all tables.
func newOverview(tables []*Table) (o overview) {
	number := map[string]int{}
	for _, k := range tasks {
		for _, t := range tables {
			if t.Task != k.task || k.overview == nil {
				continue
			}
			for _, r := range t.Rows {
				if _, ok := number[r.System]; !ok {
					number[r.System] = len(o.Systems)
					o.Systems = append(o.Systems, r.System)
				}
			}
		}
	}
	for _, k := range tasks {
		for _, name := range k.overview {
			for _, t := range tables {
				column := slices.IndexFunc(t.Columns, func(c Column) bool { return strings.HasPrefix(c.Name, name) })
				if t.Task != k.task || column < 0 {
					continue
				}
				c := t.Columns[column]
				row := overviewRow{sectionID(t.Task), t.Data, c.Head(), make([]cell, len(o.Systems))}
				most := 0.0
				for _, r := range t.Rows {
					if v := r.Values[column].Value; !math.IsNaN(v) {
						most = max(most, v)
					}
				}
				for _, r := range t.Rows {
					f := r.Values[column]
					if !math.IsNaN(f.Value) {
						row.Cells[number[r.System]] = cell{Text: c.Text(f), Best: t.best(column, f), Bar: report.Bar(f.Value / max(most, math.SmallestNonzeroFloat64))}
					}
				}
				o.Rows = append(o.Rows, row)
			}
		}
	}
	return o
}

// sectionID returns the fragment identifier of the section of a task.
func sectionID(task string) string { return strings.ReplaceAll(task, " ", "-") }

// plot is a plot of a figure of all systems.
type plot struct {
	Name string
	SVG  template.HTML
}

// plotted is the number of figures of a table with plots.
const plotted = 4

// plots draws the first figures of a table as bar charts.
func plots(t *Table) (out []plot) {
	if strings.HasSuffix(t.Task, "tests") || len(t.Rows) < 2 {
		return nil
	}
	for i, c := range t.Columns {
		if c.Neutral || len(out) == plotted {
			continue
		}
		most, wide := 0.0, 0
		for _, r := range t.Rows {
			if v := r.Values[i].Value; !math.IsNaN(v) {
				most = max(most, v)
			}
			wide = max(wide, len([]rune(r.System)))
		}
		if most == 0 {
			continue
		}
		const row, char, width, end = 20., 7., 520., 90.
		left := min(float64(float64(wide)*char)+12, 220)
		img := chart.New(c.Head()+" of each system", width, float64(row*float64(len(t.Rows)))+4, "class", "plot")
		for k, r := range t.Rows {
			y := row * float64(k)
			img.Text(left-8, y+14, r.System, "text-anchor", "end")
			img.Rect(left, y+3, width-left-end, row-6, "class", "rail")
			if v := r.Values[i].Value; !math.IsNaN(v) {
				img.Rect(left, y+3, max(0, (width-left-end)*v/most), row-6, "class", "held")
			}
			img.Text(width-end+6, y+14, c.Text(r.Values[i]))
		}
		out = append(out, plot{c.Head(), template.HTML(img.String())})
	}
	return out
}

// WriteHTML writes tables as a self-contained HTML page.
func WriteHTML(w io.Writer, title string, tables []*Table) error {
	v := struct {
		Frame    report.Frame
		Title    string
		Systems  int
		Data     int
		Overview overview
		Sections []section
	}{Frame: report.NewFrame(title), Title: title, Overview: newOverview(tables)}
	systems, data := map[string]bool{}, map[string]bool{}
	for _, t := range tables {
		data[t.Task+" "+t.Data] = true
		for _, r := range t.Rows {
			if !strings.HasSuffix(t.Task, "tests") {
				systems[r.System] = true
			}
		}
	}
	v.Systems, v.Data = len(systems), len(data)
	rest := map[string][]tableView{}
	for _, t := range tables {
		rest[t.Task] = append(rest[t.Task], tableView{t, plots(t)})
	}
	for _, k := range tasks {
		if of := rest[k.task]; of != nil {
			v.Sections = append(v.Sections, section{sectionID(k.task), k.title, k.what, of})
			delete(rest, k.task)
		}
	}
	for _, task := range slices.Sorted(maps.Keys(rest)) {
		v.Sections = append(v.Sections, section{sectionID(task), task, "", rest[task]})
	}
	var b bytes.Buffer
	if err := reportTemplate().Execute(&b, v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

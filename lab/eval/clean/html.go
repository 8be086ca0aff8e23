package clean

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"chaffinch/internal/align"
	"chaffinch/internal/csp"
	"chaffinch/internal/report"
)

// View is the content of the HTML page for one set.
type View struct {
	Set *Set
	// Outputs and Results hold the same systems in the same order.
	Outputs     []*Output
	Results     []*Result
	Comparisons []Comparison
}

//go:embed view/page.html
var pageHTML string

//go:embed view/page.css
var pageCSS string

//go:embed view/page.js
var pageJS string

var pageTemplate = report.Template("page", pageHTML, nil)

// colours can be distinguished with any colour vision (Okabe and Ito).
var colours = [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a6d3b", "#7a5195", "#444444", "#b8a200"}

func colour(i int) string { return colours[i%len(colours)] }

type setView struct {
	Name      string
	PageCount int
	Columns   []Metric
	Rows      []rowView
	Notes     []string
	Plots     []plot
	TestTitle string
	Tests     []testView
}

type rowView struct {
	Name, Colour string
	Cells        []cellView
}

type cellView struct {
	Value, Interval string
	Best            bool
}

type testView struct {
	Title, Help                string
	Pages, Better, Worse       int
	Difference, Wilcoxon, T, P string
}

// setData is the data of one set for the script of the page.
type setData struct {
	Systems   []systemData `json:"systems"`
	Metrics   []metricData `json:"metrics"`
	MetaNames []string     `json:"metaNames"`
	Pages     []pageData   `json:"pages"`
}

type systemData struct {
	Name   string `json:"name"`
	Colour string `json:"colour"`
}

type metricData struct {
	Title string `json:"title"`
	Help  string `json:"help"`
}

type pageData struct {
	ID    string   `json:"id"`
	URL   string   `json:"url"`
	Meta  []string `json:"meta"`
	Words int      `json:"words"`
	// Scores holds for each metric one value for each system.
	Scores [][]*float64 `json:"scores"`
	// Packed is the JSON of pageTexts, compressed with gzip, in base64.
	Packed string `json:"packed"`
}

type pageTexts struct {
	Gold    string        `json:"gold"`
	Outputs []outputTexts `json:"outputs"`
	// Snippets replaces the gold in sets of snippets.
	Snippets []snippetText `json:"snippets,omitempty"`
}

type snippetText struct {
	Text string `json:"text"`
	Must bool   `json:"must"`
}

type outputTexts struct {
	Text string `json:"text"`
	// Blocks are [word of the output, word of the gold, number of words].
	Blocks [][3]int `json:"blocks"`
}

// Script returns the script of the files of [WriteHTML], for policies that allow no other.
func Script() string { return pageJS }

// WriteHTML writes a self-contained HTML file. It shows the figures of all systems with plots, and
// every page of every set with gold and output side by side and the differing words marked.
func WriteHTML(w io.Writer, views []View) error {
	page := struct {
		Title, Lead, Policy string
		CSS                 template.CSS
		JS                  template.JS
		Sets                []setView
		Data                []setData
	}{Policy: csp.SelfContained(pageJS, pageCSS), CSS: template.CSS(pageCSS), JS: template.JS(pageJS)}
	var names []string
	pages, systems := 0, 0
	for _, v := range views {
		names = append(names, v.Set.Name)
		pages += len(v.Set.Pages)
		systems = max(systems, len(v.Results))
		page.Sets = append(page.Sets, v.overview())
		data, err := v.data()
		if err != nil {
			return err
		}
		page.Data = append(page.Data, data)
	}
	page.Title = "Cleaning scores: " + strings.Join(names, ", ")
	page.Lead = fmt.Sprintf("%s on %s, scored against text that people chose. Click a page to see the lost text and the remaining boilerplate.", plural(systems, "system"), plural(pages, "page"))
	return pageTemplate().Execute(w, page)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// overview returns the tables and plots of a set.
func (v View) overview() setView {
	out := setView{Name: v.Set.Name, PageCount: len(v.Set.Pages), Columns: columns(v.Results, false), Plots: v.plots()}
	for i, r := range v.Results {
		row := rowView{Name: r.System, Colour: colour(i)}
		for _, m := range out.Columns {
			x, ok := r.Values[m.Name]
			if !ok {
				row.Cells = append(row.Cells, cellView{Value: "–"})
				continue
			}
			c := cellView{Value: percent(x.Value, 2), Best: len(v.Results) > 1}
			if !math.IsNaN(x.Low) {
				c.Interval = percent(x.Low, 1) + "–" + percent(x.High, 1)
			}
			for _, other := range v.Results {
				if y, ok := other.Values[m.Name]; ok && y.Value > x.Value {
					c.Best = false
				}
			}
			row.Cells = append(row.Cells, c)
		}
		out.Rows = append(out.Rows, row)
		for _, n := range r.Notes {
			out.Notes = append(out.Notes, r.System+": "+n)
		}
	}
	for _, c := range v.Comparisons {
		out.TestTitle = c.A + " minus " + c.B + ", page by page"
		out.Tests = append(out.Tests, testView{c.Metric.Title, c.Metric.Help, c.Pages, c.Better, c.Worse,
			fmt.Sprintf("%+.2f", 100*c.Difference), probability(c.Wilcoxon.P), fmt.Sprintf("%.2f", c.T.Statistic), probability(c.T.P)})
	}
	return out
}

// metaFields lists the fields of meta.jsonl in the list of pages.
var metaFields = []string{"lang", "page_type", "host", "split"}

// data returns the data of a set for the script.
func (v View) data() (setData, error) {
	out := setData{MetaNames: []string{}}
	for _, f := range metaFields {
		values := map[string]bool{}
		for _, g := range v.Set.Pages {
			values[g.Field(f)] = true
		}
		if len(values) > 1 { // a value shared by all pages is not informative
			out.MetaNames = append(out.MetaNames, f)
		}
	}
	for i, r := range v.Results {
		out.Systems = append(out.Systems, systemData{r.System, colour(i)})
	}
	var metrics []Metric
	for _, m := range columns(v.Results, false) {
		if m.Page != nil && m.Name != "wM_f" { // a page's own word F is shown as w_f
			metrics = append(metrics, m)
			out.Metrics = append(out.Metrics, metricData{m.Title, m.Help})
		}
	}
	for i, g := range v.Set.Pages {
		p := pageData{ID: g.ID, Meta: []string{}}
		if url, ok := g.Meta["url"].(string); ok {
			p.URL = url
		}
		for _, f := range out.MetaNames {
			p.Meta = append(p.Meta, g.Field(f))
		}
		for _, m := range metrics {
			row := make([]*float64, len(v.Results))
			for k, r := range v.Results {
				row[k] = finite(math.Round(m.Page(r.Scores[i])*1e4) / 1e4)
			}
			p.Scores = append(p.Scores, row)
		}
		var err error
		if p.Words, p.Packed, err = v.texts(g); err != nil {
			return out, err
		}
		out.Pages = append(out.Pages, p)
	}
	return out, nil
}

// texts compresses the gold and the outputs of one page with their alignments.
func (v View) texts(g *Gold) (words int, packed string, err error) {
	var t pageTexts
	for _, x := range g.With {
		t.Snippets = append(t.Snippets, snippetText{x, true})
	}
	for _, x := range g.Without {
		t.Snippets = append(t.Snippets, snippetText{x, false})
	}
	if !g.SnippetsOnly {
		t.Snippets = nil
	}
	var vocabulary align.Vocabulary
	t.Gold = marker().ReplaceAllString(g.Text, " ")
	of := vocabulary.IDs(alignmentWords(t.Gold))
	for _, o := range v.Outputs {
		text := marker().ReplaceAllString(o.Pages[g.ID].Text, " ")
		out := outputTexts{Text: text, Blocks: [][3]int{}}
		for _, b := range align.Blocks(vocabulary.IDs(alignmentWords(text)), of) {
			out.Blocks = append(out.Blocks, [3]int{b.A, b.B, b.Len})
		}
		t.Outputs = append(t.Outputs, out)
	}
	b, err := json.Marshal(t)
	if err != nil {
		return 0, "", err
	}
	var z bytes.Buffer
	zw := gzip.NewWriter(&z)
	if _, err := zw.Write(b); err != nil {
		return 0, "", err
	}
	if err := zw.Close(); err != nil {
		return 0, "", err
	}
	return len(of), base64.StdEncoding.EncodeToString(z.Bytes()), nil
}

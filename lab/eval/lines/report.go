package lines

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"chaffinch/internal/csp"
	"chaffinch/internal/report"
)

//go:embed view/page.html
var pageHTML string

//go:embed view/page.css
var pageCSS string

//go:embed view/page.js
var pageJS string

// Script returns the script of the files of [WriteReport], for policies that allow no other.
func Script() string { return pageJS }

var pageTemplate = report.Template("page", pageHTML, nil)

// reportData is the data for the script of the report.
type reportData struct {
	Docs []reportDoc `json:"docs"`
	Runs []reportRun `json:"runs"`
}

type reportDoc struct {
	ID       string   `json:"id"`
	Lang     string   `json:"lang"`
	Register string   `json:"register"`
	Lines    []string `json:"lines"`
	// Labels holds "1" or "0" for each line.
	Labels string `json:"labels"`
}

type reportRun struct {
	Name string `json:"name"`
	// Scores holds the scores of each document in percent; null if not scored.
	Scores [][]int `json:"scores"`
}

// wholePercent rounds a probability without crossing the threshold.
func wholePercent(x float32) int {
	if x < threshold {
		return min(49, int(math.Round(100*float64(x))))
	}
	return int(math.Round(100 * float64(x)))
}

// WriteReport writes a self-contained HTML file: the tables, the plots of accuracy by position, and
// all documents with their lines coloured by gold and prediction of the first run of each result.
// The documents with the most errors come first.
func WriteReport(w io.Writer, s *Set, results []*Result, tables []string) error {
	data := reportData{}
	for _, d := range s.Docs {
		labels := make([]byte, len(d.Labels))
		for i, text := range d.Labels {
			labels[i] = '0'
			if text {
				labels[i] = '1'
			}
		}
		data.Docs = append(data.Docs, reportDoc{d.ID, d.Lang, d.Register, d.Lines, string(labels)})
	}
	page := struct {
		Title, Lead, Policy string
		CSS                 template.CSS
		JS                  template.JS
		Data                any
		Tables              []string
		Plots               []template.HTML
	}{
		Title: "Lines: " + s.Name, Policy: csp.SelfContained(pageJS, pageCSS),
		CSS: template.CSS(pageCSS), JS: template.JS(pageJS), Tables: tables,
	}
	var names []string
	for _, r := range results {
		run := reportRun{Name: r.Title(), Scores: make([][]int, len(s.Docs))}
		for i, scores := range r.Runs[0].Scores {
			if scores == nil {
				continue
			}
			run.Scores[i] = make([]int, len(scores))
			for n, x := range scores {
				run.Scores[i][n] = wholePercent(x)
			}
		}
		data.Runs = append(data.Runs, run)
		names = append(names, r.Title())
		page.Plots = append(page.Plots, template.HTML(PositionSVG(r.Title()+": accuracy by number of the line", r.Positions())))
	}
	page.Data = data
	page.Lead = fmt.Sprintf("%d documents, %d lines labelled by people; systems: %s. Lines are shown as labelled with the first seed.", len(s.Docs), s.Lines(), strings.Join(names, ", "))
	return pageTemplate().Execute(w, page)
}

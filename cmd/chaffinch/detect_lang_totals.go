package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"html/template"
	"maps"
	"slices"

	"chaffinch/internal/report"
	"chaffinch/internal/table"
	"chaffinch/page"
	"chaffinch/text/langid"
	"chaffinch/text/token"
)

// langTotal counts the pages of a language and their words.
type langTotal struct {
	Lang  string  `json:"lang"`
	Pages int64   `json:"pages"`
	Words int64   `json:"words"`
	Share float64 `json:"share"` // of the words of all pages
}

// total counts a page.
func (w *langWriter) total(lang string, p *page.Page) {
	t := w.totals[lang]
	if t == nil {
		t = &langTotal{Lang: lang}
		w.totals[lang] = t
	}
	t.Pages++
	t.Words += int64(token.Count(visible(p)))
}

//go:embed detect_lang.html
var langHTML string

var langTemplate = report.Template("languages", langHTML, template.FuncMap{"share": report.Share, "language": langid.Label})

// langPage holds the data of the page in HTML.
type langPage struct {
	Frame        report.Frame
	Title        string
	Pages, Words int64
	Rows         []*langTotal
}

// writeTotals prints the languages, the one with the most words first.
func (w *langWriter) writeTotals() error {
	view := langPage{Title: report.BaseNames(w.cmd.Input)}
	for _, t := range w.totals {
		view.Pages += t.Pages
		view.Words += t.Words
	}
	rows := slices.SortedFunc(maps.Values(w.totals), func(a, b *langTotal) int {
		return cmp.Or(cmp.Compare(b.Words, a.Words), cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Lang, b.Lang))
	})
	for _, t := range rows {
		t.Share = round(report.Share(t.Words, view.Words))
	}
	if w.cmd.Format == "html" {
		view.Frame, view.Rows = report.NewFrame("languages of "+view.Title+" by chaffinch"), rows
		return langTemplate().Execute(w.out, view)
	}
	out := table.New("language", ">pages", ">words", ">share")
	for _, t := range rows {
		if w.cmd.JSON {
			b, err := json.Marshal(t)
			if err != nil {
				return err
			}
			if _, err := w.out.Write(append(b, '\n')); err != nil {
				return err
			}
			continue
		}
		out.Add(langid.Label(t.Lang), number(t.Pages), number(t.Words), report.Percent(report.Share(t.Words, view.Words)))
	}
	if w.cmd.JSON {
		return nil
	}
	return out.Write(w.out, "")
}

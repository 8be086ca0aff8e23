package explain

import (
	_ "embed"
	"io"

	"chaffinch/internal/report"
)

//go:embed view/page.html
var pageHTML string

//go:embed view/page.css
var pageCSS string

//go:embed view/labels.js
var labelsJS string

//go:embed view/roles.js
var rolesJS string

//go:embed view/page.js
var pageJS string

var pageTemplate = report.Template("page", pageHTML, nil)

// Script returns the script of the files, for policies that let no other run.
func Script() string { return "\"use strict\";\n" + labelsJS + rolesJS + pageJS }

// WriteHTML writes the file. It holds everything it needs.
func (p *Page) WriteHTML(w io.Writer) error {
	title := "explained by chaffinch"
	if p.data.head.Title != "" {
		title = p.data.head.Title + " · " + title
	}
	return pageTemplate().Execute(w, struct {
		header
		Frame report.Frame
		Data  *data
	}{p.data.head, report.NewFrameWith(title, pageCSS, Script()), p.data})
}

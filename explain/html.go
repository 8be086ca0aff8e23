package explain

import (
	_ "embed"
	"html/template"
	"io"

	"chaffinch/internal/csp"
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

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// Script returns the script of the files, for policies that let no other run.
func Script() string { return "\"use strict\";\n" + labelsJS + rolesJS + pageJS }

// WriteHTML writes the file. It holds everything it needs.
func (p *Page) WriteHTML(w io.Writer) error {
	script := Script()
	return pageTemplate.Execute(w, struct {
		header
		Policy string
		CSS    template.CSS
		JS     template.JS
		Data   *data
	}{p.data.head, csp.SelfContained(script, pageCSS), template.CSS(pageCSS), template.JS(script), p.data})
}

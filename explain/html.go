package explain

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
)

//go:embed view/page.html
var pageHTML string

//go:embed view/page.css
var pageCSS string

//go:embed view/labels.js
var labelsJS string

//go:embed view/page.js
var pageJS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// policy lets the file run its own script and style and nothing else: it can
// load nothing, send nothing, and a script that got into it is not run.
func policy(script, style string) string {
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) + "; base-uri 'none'; form-action 'none'"
}

// WriteHTML writes the file. It holds everything it needs.
func (p *Page) WriteHTML(w io.Writer) error {
	script := "\"use strict\";\n" + labelsJS + pageJS
	return pageTemplate.Execute(w, struct {
		header
		Policy string
		CSS    template.CSS
		JS     template.JS
		Data   *data
	}{p.data.head, policy(script, pageCSS), template.CSS(pageCSS), template.JS(script), p.data})
}

// Package manual shows the manual in the browser: [Handler] serves the embedded pages of
// package docs as HTML, without requests to other hosts.
//
// Unstable: this package may change in any release.
package manual

import (
	"bytes"
	_ "embed"
	"html/template"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"chaffinch/docs"
	"chaffinch/serve/problem"
)

// Path is the prefix of the addresses of the manual.
const Path = "/manual/"

// home is the page at [Path].
const home = "README.md"

//go:embed page.html
var pageHTML string

var (
	markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	frame    = template.Must(template.New("page").Parse(pageHTML))
)

// sections are the folders of the manual, in the order of the menu.
var sections = []struct{ Title, Folder string }{
	{"Tutorials", "tutorials"}, {"Guides", "guides"}, {"Reference", "reference"}, {"Formats", "reference/formats"}, {"Models", "reference/models"}, {"Explanation", "explanation"},
}

// entry is a page in the menu.
type entry struct {
	Title, Address string
	Current        bool
}

// menuSection is a folder in the menu.
type menuSection struct {
	Title string
	Open  bool
	Pages []entry
}

// page is the data of page.html.
type page struct {
	Title, Root string
	Menu        []menuSection
	Body        template.HTML
}

// Handler serves the pages of the manual below [Path].
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, Path)
		if name == "" {
			name = home
		}
		source, err := fs.ReadFile(docs.Pages, name)
		if err != nil || path.Ext(name) != ".md" {
			problem.New(http.StatusNotFound, "the manual has no page %q", name).Write(w)
			return
		}
		b, err := render(name, source)
		if err != nil {
			problem.New(http.StatusInternalServerError, "%s: %v", name, err).Write(w)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-ancestors 'none'")
		w.Write(b)
	})
}

// render returns a page as HTML in its frame.
func render(name string, source []byte) ([]byte, error) {
	doc := markdown.Parser().Parse(text.NewReader(source))
	unlink(doc, name)
	var body bytes.Buffer
	if err := markdown.Renderer().Render(&body, source, doc); err != nil {
		return nil, err
	}
	p := page{
		Title: title(source), Menu: menu(name), Body: template.HTML(body.String()), // from the embedded pages
		Root: strings.Repeat("../", strings.Count(name, "/")+1),
	}
	var out bytes.Buffer
	if err := frame.Execute(&out, p); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// title returns the first heading of a page as plain text.
func title(source []byte) string {
	for line := range strings.Lines(string(source)) {
		if t, ok := strings.CutPrefix(line, "# "); ok {
			return strings.ReplaceAll(strings.TrimSpace(t), "`", "")
		}
	}
	return "Manual"
}

// contents lists the pages of each section by title, with their names in place of addresses.
var contents = sync.OnceValue(func() [][]entry {
	all := make([][]entry, len(sections))
	for i, s := range sections {
		names, _ := fs.Glob(docs.Pages, s.Folder+"/*.md")
		for _, n := range names {
			source, err := fs.ReadFile(docs.Pages, n)
			if err == nil {
				all[i] = append(all[i], entry{Title: title(source), Address: n})
			}
		}
		slices.SortFunc(all[i], func(a, b entry) int { return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) })
	}
	return all
})

// menu lists the pages of all sections. The section of the current page is open.
func menu(current string) []menuSection {
	up := strings.Repeat("../", strings.Count(current, "/"))
	var all []menuSection
	for i, pages := range contents() {
		m := menuSection{Title: sections[i].Title, Open: path.Dir(current) == sections[i].Folder}
		for _, e := range pages {
			m.Pages = append(m.Pages, entry{e.Title, up + e.Address, e.Address == current})
		}
		all = append(all, m)
	}
	return all
}

// unlink replaces links to files that are not embedded, and all pictures, by their text.
func unlink(doc ast.Node, name string) {
	var gone []ast.Node
	ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch n := n.(type) {
			case *ast.Image:
				gone = append(gone, n)
			case *ast.Link:
				if !embedded(name, string(n.Destination)) {
					gone = append(gone, n)
				}
			}
		}
		return ast.WalkContinue, nil
	})
	for _, n := range gone {
		parent := n.Parent()
		for c := n.FirstChild(); c != nil; c = n.FirstChild() {
			parent.InsertBefore(parent, n, c)
		}
		parent.RemoveChild(parent, n)
	}
}

// embedded reports whether a link on a page leads to another host, to a heading of the page or
// to an embedded page.
func embedded(name, to string) bool {
	u, err := url.Parse(to)
	if err != nil {
		return false
	}
	if u.IsAbs() || u.Path == "" {
		return true
	}
	_, err = fs.Stat(docs.Pages, path.Join(path.Dir(name), u.Path))
	return err == nil && path.Ext(u.Path) == ".md"
}

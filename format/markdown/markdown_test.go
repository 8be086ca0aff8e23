package markdown_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"chaffinch/extract"
	"chaffinch/format/markdown"
	"chaffinch/internal/archive"
	"chaffinch/internal/layout"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/cases"
	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/oddpages"
	"chaffinch/page"
)

var extractor = func() *extract.Extractor {
	cfg := extract.Default
	cfg.Inline = true
	e, err := extract.New(cfg)
	if err != nil {
		panic(err)
	}
	return e
}()

// pageOf extracts a page and keeps all that it shows.
func pageOf(t testing.TB, html []byte) *page.Page {
	t.Helper()
	p := &page.Page{ID: "id", URL: "https://example.org/dir/", Raw: html, MIME: "text/html"}
	must.Succeed(t, extractor.Do(context.Background(), p))
	for i := range p.Blocks {
		if !p.Blocks[i].Hidden {
			p.Blocks[i].Label = page.Good
		}
	}
	return p
}

// TestCases runs the files in testdata, of HTML and Markdown.
func TestCases(t *testing.T) {
	cases.Run(t, "testdata/*.txt", "\n====\n", func(t *testing.T, c cases.Case) string {
		p := pageOf(t, []byte(c.Input))
		check(t, p, markdown.Encoder{})
		return string(markdown.Encoder{}.Append(nil, p))
	})
}

// reader reads CommonMark with tables and strikethrough.
var reader = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Footnote))

// unescape undoes backslash escapes and character references.
func unescape(b []byte) []byte {
	var out []byte
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '\\' && i+1 < len(b) && util.IsPunct(b[i+1]):
			i++
			out = append(out, b[i])
		case b[i] == '&' && bytes.IndexByte(b[i:], ';') > 0:
			end := i + bytes.IndexByte(b[i:], ';') + 1
			if !bytes.ContainsAny(b[i+1:end-1], "&\\ ") {
				out = append(out, util.ResolveEntityNames(util.ResolveNumericReferences(b[i:end]))...)
				i = end - 1
				continue
			}
			out = append(out, b[i])
		default:
			out = append(out, b[i])
		}
	}
	return out
}

// readBack parses Markdown and returns its words and the number of each structure.
func readBack(src []byte) (words []string, counts map[string]int) {
	counts = map[string]int{}
	var b bytes.Buffer
	doc := reader.Parser().Parse(text.NewReader(src))
	_ = ast.Walk(doc, func(n ast.Node, in bool) (ast.WalkStatus, error) {
		if n.Type() == ast.TypeBlock {
			b.WriteByte(' ')
		}
		if !in {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(unescape(n.Value(src)))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.CodeSpan:
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				v := c.(*ast.Text).Value(src)
				if _, cell := n.Parent().(*extast.TableCell); cell {
					v = bytes.ReplaceAll(v, []byte(`\|`), []byte("|"))
				}
				b.Write(v)
			}
			counts["code"]++
			return ast.WalkSkipChildren, nil
		case *ast.AutoLink:
			b.Write(n.Label(src))
			counts["link"]++
		case *ast.RawHTML:
			s := string(n.Segments.Value(src))
			switch s {
			case "<br>":
				b.WriteByte(' ')
			case "<sub>", "</sub>", "<sup>", "</sup>":
			default:
				fmt.Fprintf(&b, "RAW%s", s)
			}
		case *ast.HTMLBlock, *ast.ThematicBreak:
			fmt.Fprintf(&b, "BLOCK%s", n.Kind())
		case *ast.FencedCodeBlock:
			lines := n.Lines()
			for i := range lines.Len() {
				seg := lines.At(i)
				b.Write(seg.Value(src))
			}
			counts["fence"]++
		case *ast.CodeBlock:
			b.WriteString("INDENTED")
		case *ast.Image:
			counts["image"]++
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			counts["link"]++
		case *ast.Emphasis:
			counts[[...]string{1: "emphasis", 2: "strong"}[n.Level]]++
		case *extast.Strikethrough:
			counts["deleted"]++
		case *ast.Heading:
			counts["heading"]++
		case *ast.ListItem:
			counts["item"]++
		case *ast.Blockquote:
			counts["quote"]++
		case *extast.TableCell:
			b.WriteByte(' ')
			counts["cell"]++
		}
		return ast.WalkContinue, nil
	})
	return strings.Fields(strings.ReplaceAll(b.String(), "\u00a0", " ")), counts
}

// check reads the Markdown of p back and wants its text, headings, lists,
// quotes and code.
func check(t testing.TB, p *page.Page, e markdown.Encoder) {
	t.Helper()
	if hasFormula(p) || layout.FindNotes(p).Len() > 0 { // not for readers without the extension; footnotes move to the end
		return
	}
	md := e.Append(nil, p)
	got, counts := readBack(md)
	var want []string
	structure := map[string]int{}
	var walk func([]*layout.Node, bool)
	walk = func(nodes []*layout.Node, cell bool) {
		// The caption of a table is written before its rows.
		captions, rest := []*layout.Node{}, []*layout.Node{}
		for _, n := range nodes {
			if n.Kind == layout.Caption {
				captions = append(captions, n)
			} else {
				rest = append(rest, n)
			}
		}
		for _, n := range append(captions, rest...) {
			switch n.Kind {
			case layout.Text:
				b := &p.Blocks[n.Index]
				_, marks := b.KeptInline()
				if len(marks) > 0 && marks[0].Kind == page.Checkbox && marks[0].Start == 0 && !e.Without.Has(page.FeatureLists) {
					want = append(want, strings.Fields("["+cmp.Or(marks[0].Alt, " ")+"]")...)
				}
				want = append(want, strings.Fields(b.Kept())...)
				if text := b.Kept(); !cell && len(marks) > 0 && marks[0].Kind == page.Verbatim && marks[0].Start == 0 && marks[0].End == len(text) && !e.Without.Has(page.FeatureCodes) &&
					slices.ContainsFunc(marks, func(m page.Inline) bool { return m.Kind == page.LineBreak }) && (b.Kind != page.Heading || e.Without.Has(page.FeatureHeadings)) {
					structure["fence"]++
				}
				if b.Kind == page.Heading && !cell && !e.Without.Has(page.FeatureHeadings) {
					structure["heading"]++
				}
			case layout.Code:
				if !cell {
					structure["fence"]++
				}
			case layout.Item:
				if !cell {
					structure["item"]++
				}
			case layout.Quote:
				if !cell {
					structure["quote"]++
				}
				if n.Callout != "" && !cell {
					want = append(want, "[!"+strings.ToUpper(n.Callout)+"]")
					n.Nodes = n.Body(p)
				}
			}
			walk(n.Nodes, cell || n.Kind == layout.Cell)
		}
	}
	walk(layout.Build(p, layout.Config{Without: e.Without, Callouts: true}), false)
	if g, w := strings.Join(got, " "), strings.Join(want, " "); g != w {
		i := 0
		for i < len(g) && i < len(w) && g[i] == w[i] {
			i++
		}
		lo := max(0, i-60)
		t.Fatalf("read back:\n...%q\nwant\n...%q\nin\n%s", g[lo:min(len(g), i+60)], w[lo:min(len(w), i+60)], near(md, g[lo:i]))
	}
	for _, k := range []string{"heading", "fence", "item", "quote"} {
		if counts[k] != structure[k] {
			t.Fatalf("%d of %s, want %d:\n%s", counts[k], k, structure[k], near(md, ""))
		}
	}
}

// near returns the part of md around the end of s.
func near(md []byte, s string) []byte {
	if f := strings.Fields(s); len(f) > 2 {
		if i := bytes.Index(md, []byte(strings.Join(f[len(f)-2:], " "))); i >= 0 {
			return md[max(0, i-200):min(len(md), i+300)]
		}
	}
	return md[:min(len(md), 3000)]
}

func FuzzAppend(f *testing.F) {
	for _, c := range cases.Read(f, "testdata/*.txt", "\n====\n") {
		f.Add(c.Input, uint16(0))
		f.Add("<p>"+c.Output, uint16(1<<5))
	}
	f.Fuzz(func(t *testing.T, html string, without uint16) {
		check(t, pageOf(t, []byte(html)), markdown.Encoder{Without: page.Features(without)})
		check(t, oddpages.Cut(pageOf(t, []byte(html))), markdown.Encoder{})
	})
}

// TestPages reads the Markdown of real pages back.
func TestPages(t *testing.T) {
	for _, set := range []string{"cleaneval-en-dev", "wcxb-dev"} {
		n := 0
		err := archive.Walk(testkit.Data(t, "eval/"+set+".tar.zst"), func(name string, r io.Reader) error {
			if path.Base(path.Dir(name)) != "html" {
				return nil
			}
			if n++; set == "wcxb-dev" && n%8 != 0 {
				return nil
			}
			html, err := io.ReadAll(r)
			if err == nil {
				t.Run(path.Base(name), func(t *testing.T) {
					check(t, pageOf(t, html), markdown.Encoder{})
					check(t, oddpages.Cut(pageOf(t, html)), markdown.Encoder{})
				})
			}
			return err
		})
		if err != nil || n < 50 {
			t.Errorf("%s: %d pages, %v", set, n, err)
		}
	}
}

func hasFormula(p *page.Page) bool {
	for i := range p.Blocks {
		if slices.ContainsFunc(p.Blocks[i].Inline, func(m page.Inline) bool { return m.Kind == page.Formula }) {
			return true
		}
	}
	return false
}

// TestFormulas writes TeX unchanged, except bars in cells.
func TestFormulas(t *testing.T) {
	p := pageOf(t, []byte(`<p>for <b>all</b> <math alttext="x_1 * y_1 * \{z\}"></math> | a*b <img class=latex src=l.png alt="a_b*c*">`+
		`<table><tr><th>a<th>b<tr><td><img class=tex src=l.png alt="|x|+\|y\|"><td>2</table>`))
	const want = "for **all** $x_1 * y_1 * \\{z\\}$ | a\\*b $a_b*c*$\n\n| a | b |\n| --- | --- |\n| $\\vert x\\vert +\\Vert y\\Vert $ | 2 |\n"
	if got := string(markdown.Encoder{}.Append(nil, p)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

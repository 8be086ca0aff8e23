package layout_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/layout"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// pageOf extracts html; blocks with the text "BAD" are labelled bad.
func pageOf(t testing.TB, html string) *page.Page {
	t.Helper()
	cfg := extract.Default
	cfg.Inline = true
	e := must.Get(extract.New(cfg))(t)
	p := &page.Page{HTML: html, MIME: "text/html"}
	must.Succeed(t, e.Do(context.Background(), p))
	for i := range p.Blocks {
		if p.Blocks[i].Label = page.Good; p.Blocks[i].Text == "BAD" {
			p.Blocks[i].Label = page.Bad
		}
	}
	return p
}

// show writes nodes in one line.
func show(p *page.Page, nodes []*layout.Node) string {
	var out []string
	for _, n := range nodes {
		var s string
		switch n.Kind {
		case layout.Text:
			s = p.Blocks[n.Index].Text
		case layout.Image:
			s = "<" + p.Images[n.Index].URL + ">"
		default:
			s = n.Kind.String()
			if n.Ordered {
				s = "ordered"
			}
			if n.Number != 0 {
				s += fmt.Sprintf(" %d", n.Number)
			}
			if n.Header {
				s = "header " + s
			}
			if n.Kind == layout.Cell {
				s += fmt.Sprintf(" %d", n.Place.Col)
				if n.Place.ColSpan > 1 {
					s += fmt.Sprintf("-%d", n.Place.Col+n.Place.ColSpan-1)
				}
			}
			if n.Lang != "" {
				s += " " + n.Lang
			}
			s += "[" + show(p, n.Nodes) + "]"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestOf(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"lists", `<ul><li>a<ul><li>b<li>c</ul><li>d<ol start=4><li>e<p>f</ol></ul>g`,
			"list[item[a list[item[b] item[c]]] item[d ordered[item 4[e f]]]] g"},
		{"a list in a list without an item", `<ul><li>a<ul><li>b</ul><ul><li>c</ul></ul>`, "list[item[a list[item[b]] list[item[c]]]]"},
		{"a list that is no item's", `<ul><li>a</li><ul><li>b</ul></ul>`, "list[item[a list[item[b]]]]"},
		{"items without a list", `<div><li>a<li>b</div><p>c`, "list[item[a] item[b]] c"},
		{"text in a list", `<ul>a<li>b</ul>`, "list[item[a] item[b]]"},
		{"a header row that repeats", `<table><tr><th>n<th>p<tr><td>a<td>1<tr><th>n<th>p<tr><td>b<td>2</table>`,
			"table[header row[header cell 0[n] header cell 1[p]] row[cell 0[a] cell 1[1]] header row[header cell 0[n] header cell 1[p]] row[cell 0[b] cell 1[2]]]"},
		{"a head for each group", `<table><thead><tr><td>n<td>p<tbody><tr><td>a<td>1<thead><tr><td>n<td>p<tbody><tr><td>b<td>2</table>`,
			"table[header row[cell 0[n] cell 1[p]] row[cell 0[a] cell 1[1]] header row[cell 0[n] cell 1[p]] row[cell 0[b] cell 1[2]]]"},
		{"a header row that repeats and was dropped", `<table><tr><th>n<th>p<tr><td>a<td>1<tr><th>BAD<th>BAD<tr><td>b<td>2</table>`,
			"table[header row[header cell 0[n] header cell 1[p]] row[cell 0[a] cell 1[1]] row[cell 0[b] cell 1[2]]]"},
		{"definitions", `<dl><dt>t<dd>d<dd>e<dt>u<dd>f</dl>`, "list[item[t list[item[d] item[e]]] item[u list[item[f]]]]"},
		{"left out", `<ul><li>BAD<li>b</ul><ul><li>BAD</ul>`, "list[item[b]]"},
		{"quotes", `<blockquote><p>a<p>b<blockquote>c</blockquote></blockquote>d`, "quote[a b quote[c]] d"},
		{"code", `<pre class="hl"><code class="language-go">x</code></pre><div class="highlight-source-c++"><pre>y</pre></div><pre class="sourceCode python">z</pre><pre class="brush: Java; x">q</pre>`,
			"code go[x] code c++[y] code python[z] code java[q]"},
		{"lines of code", `<pre><div>a</div><div>b</div></pre><pre>c</pre>`, "code[a b] code[c]"},
		{"a page in a pre", `<pre>a<ul><li>b</ul></pre>`, "code[a] list[item[b]]"},
		{"numbers of lines", `<table><tr><td class=gutter><pre>1
2</pre><td><pre class=lang-c>a
b</pre></table><table><tr><td><pre>1
3</pre><td><pre>c</pre></table>`, "code c[a\nb] code[1\n3] code[c]"},
		{"table", `<table><caption>t</caption><thead><tr><th>a<th>b<tbody><tr><td>1<td><p>2<p>3</table>`,
			"table[caption[t] header row[header cell 0[a] header cell 1[b]] row[cell 0[1] cell 1[2 3]]]"},
		{"empty cells and spans", `<table><tr><th><th>a<th>b<tr><th>x<td colspan=2>1<tr><th>BAD<td><td>2</table>`,
			"table[header row[header cell 1[a] header cell 2[b]] row[header cell 0[x] cell 1-2[1]] row[cell 2[2]]]"},
		{"two rows of two", `<table><tr><td>a<td>b<tr><td>c<td>d</table>`, "table[row[cell 0[a] cell 1[b]] row[cell 0[c] cell 1[d]]]"},
		{"one row places things", `<table><tr><td>a<td>b</table>`, "a b"},
		{"one column places things", `<table><tr><td>a<tr><td>b</table>`, "a b"},
		{"a heading in it", `<table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>`, "a b c d"},
		{"tables in it", `<table><tr><td>m<td><table><tr><td>a<td>b<tr><td>c<td>d</table><tr><td>x<td>y</table>`,
			"m table[row[cell 0[a] cell 1[b]] row[cell 0[c] cell 1[d]]] x y"},
		{"its role", `<table role=presentation><tr><th>a<th>b<tr><td>c<td>d</table>`, "a b c d"},
		{"long cells", `<table><tr><td>a<td>b<tr><td>c<td>` + strings.Repeat("long ", 80) + `</table>`, "a b c " + strings.TrimSpace(strings.Repeat("long ", 80))},
		{"text between rows", `<table>x<tr><td>a<td>b<tr><td>c<td>d</table>`, "x a b c d"},
		{"images", `<p>a</p><img src=1><p>b</p><img src=2><p>BAD</p><img src=3><p>c</p><ul><li>d</li><li><img src=4></li><li>e</ul><img src=5>`,
			"a <1> b c list[item[d] item[<4>] item[e]] <5>"},
	} {
		p := pageOf(t, c.html)
		must.Equal(t, show(p, layout.Build(p, layout.Config{})), c.want, c.name)
	}
}

func TestWithout(t *testing.T) {
	const html = `<h1>t</h1><img src=i><ul><li>a<blockquote>b</blockquote></ul><pre>c</pre><table><tr><th>d<th>e<tr><td>f<td>g</table>`
	for _, c := range []struct{ without, want string }{
		{"", "t <i> list[item[a quote[b]]] code[c] table[header row[header cell 0[d] header cell 1[e]] row[cell 0[f] cell 1[g]]]"},
		{"lists,images", "t a quote[b] code[c] table[header row[header cell 0[d] header cell 1[e]] row[cell 0[f] cell 1[g]]]"},
		{"quotes,code,tables", "t <i> list[item[a b]] c d e f g"},
	} {
		var names []string
		if c.without != "" {
			names = strings.Split(c.without, ",")
		}
		f := must.Get(page.ParseFeatures(names))(t)
		p := pageOf(t, html)
		if got := show(p, layout.Build(p, layout.Config{Without: f})); got != c.want {
			t.Errorf("without %s:\n%s\nwant\n%s", c.without, got, c.want)
		}
	}
	must.Fail(t, must.Err(page.ParseFeatures([]string{"links", "sounds"})), `"sounds"`)
}

// TestAll tests dropped pages and blocks, and that no block gets lost.
func TestAll(t *testing.T) {
	p := pageOf(t, `<p>a<p>BAD<ul><li>BAD</ul>`)
	p.Drop = page.AllBad
	if got := show(p, layout.Build(p, layout.Config{})); got != "" {
		t.Errorf("a dropped page has the layout %s", got)
	}
	must.Equal(t, show(p, layout.Build(p, layout.Config{All: true})), "a BAD list[item[BAD]]", "all")
}

// TestDepth bounds how deep nodes nest, and with it what indentation costs.
func TestDepth(t *testing.T) {
	p := pageOf(t, strings.Repeat("<ul><li>", 200)+"a<li>b")
	nodes, depth := layout.Build(p, layout.Config{}), 0
	for len(nodes) > 0 {
		depth++
		nodes = nodes[0].Nodes
	}
	if depth < 50 || depth > 70 {
		t.Errorf("%d nodes deep", depth)
	}
}

func FuzzOf(f *testing.F) {
	f.Add(`<ul><li>a<table><tr><td>b<pre>c<dl><dt>d<blockquote><td>e<img src=x><li>f`)
	f.Add(`<table><li>a<tr>b<dd>c<th>d<ul>e<caption>f<table>g`)
	f.Add("<table><tr><tdHb<pre>c<dl><dt>d<blockquote><td>\x00<img src=x><li>f")
	f.Fuzz(func(t *testing.T, html string) {
		if html == "" {
			return
		}
		p := pageOf(t, html)
		for _, cfg := range []layout.Config{{All: true}, {}, {All: true, Without: page.FeatureLists | page.FeatureCodes}} {
			var seen []int
			var walk func(in layout.Kind, nodes []*layout.Node)
			walk = func(in layout.Kind, nodes []*layout.Node) {
				for _, n := range nodes {
					switch n.Kind {
					case layout.Text:
						seen = append(seen, n.Index)
					case layout.Image:
					case layout.Item, layout.Row, layout.Cell, layout.Caption:
						want := map[layout.Kind]layout.Kind{layout.Item: layout.List, layout.Row: layout.Table, layout.Caption: layout.Table, layout.Cell: layout.Row}[n.Kind]
						if in != want {
							t.Fatalf("%v in %v", n.Kind, in)
						}
					}
					bad := false
					switch in {
					case layout.List:
						bad = n.Kind != layout.Item
					case layout.Table:
						bad = n.Kind != layout.Row && n.Kind != layout.Caption
					case layout.Row:
						bad = n.Kind != layout.Cell
					case layout.Code:
						bad = n.Kind != layout.Text
					}
					if bad {
						t.Fatalf("%v in %v", n.Kind, in)
					}
					if n.Kind != layout.Text && n.Kind != layout.Image && len(n.Nodes) == 0 {
						t.Fatalf("empty %v", n.Kind)
					}
					walk(n.Kind, n.Nodes)
				}
			}
			walk(layout.Quote, layout.Build(p, cfg))
			k := 0
			for i := range p.Blocks {
				if !cfg.All && (p.Drop != page.None || p.Blocks[i].Kept() == "") {
					continue
				}
				if strings.Trim(p.Blocks[i].Text, "0123456789 \n\t") == "" && (k >= len(seen) || seen[k] != i) {
					continue // numbers of lines
				}
				if k >= len(seen) || seen[k] != i {
					t.Fatalf("blocks in the order %v, want %d at place %d", seen, i, k)
				}
				k++
			}
			if k != len(seen) {
				t.Fatalf("blocks %v, want %d", seen, k)
			}
		}
	})
}

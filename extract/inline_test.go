package extract_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// marking serves all tests with Config.Inline set.
var marking = func() *extract.Extractor {
	cfg := extract.Default
	cfg.Inline = true
	e, err := extract.New(cfg)
	if err != nil {
		panic(err)
	}
	return e
}()

// marked shows the text of b with its markup as tags.
func marked(b *page.Block) string {
	var out strings.Builder
	var ends []page.Inline
	at := 0
	upTo := func(pos int) {
		for len(ends) > 0 && ends[len(ends)-1].End <= pos {
			m := ends[len(ends)-1]
			out.WriteString(b.Text[at:m.End])
			at = m.End
			fmt.Fprintf(&out, "</%v>", m.Kind)
			ends = ends[:len(ends)-1]
		}
		out.WriteString(b.Text[at:pos])
		at = pos
	}
	for _, m := range b.Inline {
		upTo(m.Start)
		switch {
		case m.Kind.Empty():
			fmt.Fprintf(&out, "<image %s %q>", m.URL, m.Alt)
		case m.URL != "":
			fmt.Fprintf(&out, "<%v %s>", m.Kind, m.URL)
			ends = append(ends, m)
		default:
			fmt.Fprintf(&out, "<%v>", m.Kind)
			ends = append(ends, m)
		}
	}
	upTo(len(b.Text))
	return out.String()
}

func TestInline(t *testing.T) {
	for _, c := range []struct{ name, url, html, want string }{
		{"kinds", "", `<p><em>a</em> <i>b</i> <strong>c</strong> <b>d</b> <code>e</code> <kbd>f</kbd> H<sub>2</sub>O x<sup>2</sup> <del>g</del>`,
			"<emphasis>a</emphasis> <emphasis>b</emphasis> <strong>c</strong> <strong>d</strong> <code>e</code> <code>f</code> H<sub>2</sub>O x<sup>2</sup> <deleted>g</deleted>"},
		{"white space stays outside", "", `<p>a<b> b </b>c<i> </i>d`, "a <strong>b</strong> c d"},
		{"nested, outer first", "", `<p><a href=u><b><i>x</i></b> y</a>`, "<link u><strong><emphasis>x</emphasis></strong> y</link>"},
		{"same span", "", `<p><b><i>x</i></b>`, "<strong><emphasis>x</emphasis></strong>"},
		{"around blocks", "", `<b><p>x<p>y</b> z`, "<strong>x</strong>|<strong>y</strong> z"},
		{"a link over blocks", "", `<a href=u><h2>x</h2><p>y</p></a>`, "<link u>x</link>|<link u>y</link>"},
		{"a link opens again", "", `<div><a href=u><div>x</div></div>y</a> z`, "<link u>x</link>|<link u>y</link> z"},
		{"misnested", "", `<p><b>one <i>two</b> three</i>`, "<strong>one two</strong> <emphasis>three</emphasis>"},
		{"misnested link", "", `<p><b>one <a href=u>two</b> three</a>`, "<strong>one</strong> <link u>two three</link>"},
		{"breaks", "", `<p>a<br>b<br><br>c<br></p>`, "a<break> </break>b|c"},
		{"images", "", `<p><img src=a.png alt="A &amp; B"> x <img src=b.png><b>y</b><img src=c.png>`,
			`<image a.png "A & B">x <image b.png ""><strong>y</strong><image c.png "">`},
		{"lazy image and counter", "", `<p>x<img src="data:image/gif;base64,R0" data-src=b.png><img src=count.gif width=1 height=1>`, `x<image b.png "">`},
		{"image in a link without text", "", `<p>x <a href=u><img src=i.png></a> y`, `x <image i.png "">y`},
		{"addresses", "http://h.org/a/b.html?q", `<p><a href="c.html">1</a> <a href="/d e">2</a> <a href="//x.net/">3</a> <a href="?r&amp;s">4</a> <a href="mailto:a@b">5</a> <a href="#n">6</a> <a href="javascript:f()">7</a> <a href="https://y.net/ü">8</a> <a href="..">9</a>`,
			"<link http://h.org/a/c.html>1</link> <link http://h.org/d%20e>2</link> <link http://x.net/>3</link> <link http://h.org/a/b.html?r&s>4</link> <link mailto:a@b>5</link> <note n>6</note> 7 <link https://y.net/ü>8</link> <link http://h.org/>9</link>"},
		{"base", "http://h.org/a/", `<base href="/top/"><p><a href="c">1</a>`, "<link http://h.org/top/c>1</link>"},
		{"base alone", "", `<base href="http://b.org/x/y"><p><a href="c">1</a>`, "<link http://b.org/x/c>1</link>"},
		{"base behind a canonical link", "", `<link rel=canonical href=" http://h.org/a/b?x&amp;y "><base href="top/"><p><a href="c">1</a> <a href="/d">2</a>`, "<link http://h.org/a/top/c>1</link> <link http://h.org/d>2</link>"},
		{"canonical link", "", `<base href="/top/"><link rel=canonical href=http://h.org/a/b><p><a href="c">1</a> <img src=i.png>`, `<link http://h.org/top/c>1</link><image http://h.org/top/i.png "">`},
		{"address before canonical", "http://x.org/", `<link rel=canonical href=http://h.org/a/b><p><a href="c">1</a>`, "<link http://x.org/c>1</link>"},
		{"relative canonical link", "", `<link rel=canonical href=/a/b><p><a href="c">1</a>`, "<link c>1</link>"},
		{"hidden words", "", `<p>a <b>b<span hidden><i>c</i></span> d</b>`, "a <strong>b d</strong>|c"},
		{"hidden image", "", `<p>a<span hidden><img src=x></span>b`, "ab"},
		{"left out", "", `<p>a <b><select><option>x</select></b><i>b</i>`, "a <emphasis>b</emphasis>"},
	} {
		p := &page.Page{HTML: c.html, MIME: "text/html", URL: c.url}
		must.Succeed(t, marking.Do(context.Background(), p))
		var got []string
		for i := range p.Blocks {
			got = append(got, marked(&p.Blocks[i]))
		}
		must.Equal(t, strings.Join(got, "|"), c.want, c.name)
		checkInline(t, p)
	}
}

// TestPlaces tests the other records of Config.Inline: cells, items, images outside text, the
// indentation of code.
func TestPlaces(t *testing.T) {
	const html = `<figure><img src=a alt=A></figure><h1>t</h1>
<table><tr><td rowspan=2>a<td colspan=2>b<td>c<tr><td><td>d<tr><th>e</table>
<ol start=3><li>f<li><ul><li>g</ul><li value=9>h</ol><p><img src=b></p>
<pre>
    one
	two</pre><div><img src=c></div>`
	p := &page.Page{HTML: html, MIME: "text/html"}
	must.Succeed(t, marking.Do(context.Background(), p))
	var got strings.Builder
	for i := range p.Blocks {
		b := &p.Blocks[i]
		e := p.Elements[b.Element]
		fmt.Fprintf(&got, "%q %s", b.Text, e.Name)
		if e.Place != (page.Place{}) {
			fmt.Fprintf(&got, " %v", e.Place)
		}
		if e.Number != 0 {
			fmt.Fprintf(&got, " #%d", e.Number)
		}
		if b.Indent != "" {
			fmt.Fprintf(&got, " %q", b.Indent)
		}
		got.WriteByte('\n')
	}
	var images []string
	for _, im := range p.Images {
		images = append(images, fmt.Sprintf("{%d [%s] %s %s}", im.Before, p.ImageElements[int(im.Element)-len(p.Elements)].Name, im.URL, im.Alt))
	}
	fmt.Fprintln(&got, images)
	const want = `"t" h1
"a" td {0 1 2}
"b" td {1 2 1}
"c" td {3 1 1}
"d" td {2 1 1}
"e" th {0 1 1}
"f" li #3
"g" li
"h" li #9
"one\n\ttwo" pre "    "
[{0 [figure] a A} {9 [p] b } {10 [div] c }]
`
	must.Equal(t, got.String(), want)
}

// checkInline tests what holds for the markup of any page: spans lie in the
// text, are in order and nest, and all else is as without Config.Inline.
func checkInline(t testing.TB, p *page.Page) {
	t.Helper()
	for i := range p.Blocks {
		b := &p.Blocks[i]
		var around []page.Inline
		last := 0
		for _, m := range b.Inline {
			if m.Start < last || m.End < m.Start || m.End > len(b.Text) || (m.Start == m.End) != (m.Kind.Empty()) {
				t.Fatalf("block %d %q: bad span in %v", i, b.Text, b.Inline)
			}
			last = m.Start
			for len(around) > 0 && around[len(around)-1].End <= m.Start {
				around = around[:len(around)-1]
			}
			if len(around) > 0 && around[len(around)-1].End < m.End {
				t.Fatalf("block %d %q: %v reaches out of %v", i, b.Text, m, around[len(around)-1])
			}
			around = append(around, m)
		}
	}
	bare := &page.Page{ID: p.ID, URL: p.URL, Raw: p.Raw, MIME: p.MIME}
	if p.Raw == nil {
		bare.HTML = p.HTML
	}
	must.Succeed(t, shared.Do(context.Background(), bare))
	with := *p
	with.Images = nil
	with.Blocks = append([]page.Block(nil), p.Blocks...)
	for i := range with.Blocks {
		with.Blocks[i].Inline, with.Blocks[i].Indent = nil, ""
		if bare.Blocks[i].Inline != nil {
			t.Fatal("markup without Config.Inline")
		}
	}
	with.Elements, with.ImageElements = append([]page.Element(nil), p.Elements...), nil
	for i := range with.Elements {
		with.Elements[i].Number = 0
	}
	if len(bare.Blocks) == 0 {
		bare.Blocks, with.Blocks = nil, nil
	}
	if !reflect.DeepEqual(&with, bare) {
		t.Fatalf("Config.Inline changes the page:\n%s\n%s", show(&with), show(bare))
	}
}

// TestInlinePages checks real pages.
func TestInlinePages(t *testing.T) {
	n, spans := 0, 0
	goldSet(t, testkit.Data(t, "eval/cleaneval-en-dev.tar.zst"), func(_ string, html []byte, _ string) {
		p := &page.Page{Raw: html, MIME: "text/html", URL: "http://example.org/dir/page"}
		must.Succeed(t, marking.Do(context.Background(), p))
		checkInline(t, p)
		n++
		for i := range p.Blocks {
			spans += len(p.Blocks[i].Inline)
		}
	})
	if n < 50 || spans < 1000 {
		t.Errorf("%d pages with %d spans", n, spans)
	}
}

package extract_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/cases"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// shared serves all tests, so that state that one page leaves would show in another.
var shared = func() *extract.Extractor {
	e, err := extract.New(extract.Default)
	if err != nil {
		panic(err)
	}
	return e
}()

// do extracts one page with the default limits.
func do(t testing.TB, p *page.Page) *page.Page {
	t.Helper()
	must.Succeed(t, shared.Do(context.Background(), p))
	return p
}

// TestCases runs the files in testdata, of HTML, or of text where the name begins with
// "text". An output has a line for each block: kind path [flags] "text".
func TestCases(t *testing.T) {
	cases.Run(t, "testdata/*.txt", "\n\n# ", func(t *testing.T, c cases.Case) string {
		mime := "text/html"
		if strings.HasPrefix(filepath.Base(c.File), "text") {
			mime = "text/plain"
		}
		return show(do(t, &page.Page{Raw: []byte(c.Input), MIME: mime}))
	})
}

// show prints what a page became, one line for each block.
func show(p *page.Page) string {
	var b strings.Builder
	for _, f := range [...]struct{ name, val string }{
		{"title", p.Meta.Title}, {"lang", p.Meta.Lang}, {"date", p.Meta.Date}, {"canonical", p.Meta.Canonical},
		{"drop", p.Drop.String()}, {"cut", p.Cut.String()},
	} {
		if f.val != "" {
			fmt.Fprintf(&b, "%s: %s\n", f.name, f.val)
		}
	}
	for i := range p.Blocks {
		k := &p.Blocks[i]
		fmt.Fprintf(&b, "%s", k.Kind)
		if k.Level > 0 {
			fmt.Fprintf(&b, "%d", k.Level)
		}
		fmt.Fprintf(&b, " %s", strings.TrimPrefix(k.Path, "html.body"))
		if k.Hidden {
			b.WriteString(" hidden")
		}
		if k.LinkChars > 0 {
			fmt.Fprintf(&b, " link=%d/%d", k.LinkChars, k.Chars())
		}
		if k.Tags > 0 {
			fmt.Fprintf(&b, " tags=%d", k.Tags)
		}
		fmt.Fprintf(&b, " %q\n", k.Text)
	}
	return b.String()
}

// TestRelease wants pages that are read where others stood to be the same as by themselves.
func TestRelease(t *testing.T) {
	cfg := extract.Default
	cfg.Inline = true
	e := must.Get(extract.New(cfg))(t)
	read := func(e *extract.Extractor, html string) *page.Page {
		p := &page.Page{Raw: []byte(html)}
		must.Succeed(t, e.Do(context.Background(), p))
		return p
	}
	for range 3 {
		for _, html := range []string{
			"<main class=a><h1>One <a href=/>link</a></h1><p>two<p hidden>three<table><tr><td>4<td>5</table></main>",
			"<p>short", "", "<ul><li>a<li>b<li>c<li>d<li>e<li>f</ul><pre>g</pre>", "<p> ",
			"<div id=a><img src=1.png></div><p><b>x</b> <i>y</i> <a href=z>z</a><div id=b><img src=2.png alt=b></div>", "<p><em>x</em> y",
		} {
			fresh := must.Get(extract.New(cfg))(t)
			got, want := read(e, html), read(fresh, html)
			if !reflect.DeepEqual(got.Blocks, want.Blocks) || fmt.Sprint(got.Elements, got.Images, got.ImageElements) != fmt.Sprint(want.Elements, want.Images, want.ImageElements) {
				t.Errorf("%q: %+v, %+v, %+v\nwant %+v, %+v, %+v", html, got.Blocks, got.Elements, got.Images, want.Blocks, want.Elements, want.Images)
			}
			if e.Release(got); got.Blocks != nil || got.Elements != nil || got.Images != nil {
				t.Errorf("%q: blocks, elements or images are still there", html)
			}
		}
	}
}

package document

import (
	"strings"
	"testing"

	"chaffinch/page"
)

func TestBuilder(t *testing.T) {
	b := NewBuilder(Default)
	b.Head(Meta{Title: "A & B", Lang: "en", Authors: []string{`Ann "X"`}})
	b.Page("1")
	b.Block("p", "one <two>\x01\xff", "class", "", "role", PageHeader)
	b.Start("ul")
	b.Block("li", "item")
	d := b.Document()
	const want = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>A &amp; B</title>" +
		"<meta name=\"author\" content=\"Ann &quot;X&quot;\"></head>\n<body>\n<span role=\"doc-pagebreak\" id=\"page-1\"></span>" +
		"<p role=\"doc-pageheader\">one &lt;two&gt; \uFFFD</p>\n<ul><li>item</li>\n</ul>\n</body></html>\n"
	if d.HTML != want || d.Cut != page.None {
		t.Errorf("got %q (%v)\nwant %q", d.HTML, d.Cut, want)
	}
}

func TestBuilderLimits(t *testing.T) {
	b := NewBuilder(Limits{MaxHTML: 100})
	b.Head(Meta{})
	for range 50 {
		b.Block("p", "é&")
	}
	d := b.Document()
	if d.Cut != page.TooLarge || len(d.HTML) > 200 || !strings.HasSuffix(d.HTML, "</p>\n</body></html>\n") {
		t.Errorf("cut %v: %q", d.Cut, d.HTML)
	}
	b = NewBuilder(Default)
	b.Head(Meta{})
	for range 2 * maxDepth {
		b.Start("div")
	}
	b.Text("deep")
	d = b.Document()
	if d.Cut != page.TooDeep || strings.Count(d.HTML, "<div>") != maxDepth || strings.Count(d.HTML, "</div>") != maxDepth || !strings.Contains(d.HTML, "deep") {
		t.Errorf("cut %v", d.Cut)
	}
}

// TestZeroLimits writes more than the default limit.
func TestZeroLimits(t *testing.T) {
	b := NewBuilder(Limits{})
	b.Head(Meta{})
	text := strings.Repeat("x", 1<<20)
	for range 17 {
		b.Block("p", text)
	}
	if d := b.Document(); d.Cut != page.TooLarge || len(d.HTML) > Default.MaxHTML+100 {
		t.Errorf("cut %v at %d bytes", d.Cut, len(d.HTML))
	}
}

package pdf

import (
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/format/pdf/internal/wire"
)

// twoPages writes a paragraph with lines on two pages, and returns its HTML.
func twoPages(name string, m *metrics, first, second []string) string {
	c := &converter{pages: []*wire.Page{{Width: 595, Height: 842}, {Width: 595, Height: 842}}, trusted: 2, m: m}
	p := &paragraph{name: name}
	for i, texts := range [][]string{first, second} {
		for k, text := range texts {
			y := 40 + 12*float32(k)
			p.lines = append(p.lines, &line{Box: wire.Box{X0: 72, X1: 200, Y0: y, Y1: y + 12}, text: text, size: 10, page: i, sheet: c.pages[i]})
		}
	}
	c.paragraphs = []*paragraph{p}
	_, html, _ := strings.Cut(c.write(document.Default).HTML, "<body>\n")
	return html
}

// TestCodeOverPages fails if the page end in code is no line end, or is not marked in the code.
func TestCodeOverPages(t *testing.T) {
	got := twoPages("pre", &metrics{}, []string{"a = 1", "b = 2"}, []string{"c = 3"})
	if want := "a = 1\nb = 2\n<span role=\"doc-pagebreak\" id=\"page-2\"></span>c = 3</pre>"; !strings.Contains(got, want) {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestHyphenOverPages fails if the hyphen of a word at a page end remains.
func TestHyphenOverPages(t *testing.T) {
	m := &metrics{words: map[string]int{"un": 2, "known": 2, "well-known": 1}}
	for _, c := range [][3]string{{"un\u0002", "known", "un</span>known"}, {"un\u00ad", "known", "un</span>known"}, {"well-", "known", "well-</span>known"}, {"the", "end", "the </span>end"}} {
		got := strings.ReplaceAll(twoPages("p", m, []string{c[0]}, []string{c[1]}), `<span role="doc-pagebreak" id="page-2">`, "")
		if !strings.Contains(got, ">"+c[2]+"<") {
			t.Errorf("%q, %q: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

package metadata_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/cases"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestCases reads the pages in testdata, perhaps with a line "url: ADDRESS" first, whose
// outputs are their fields.
func TestCases(t *testing.T) {
	cases.Run(t, "testdata/*.txt", "\n\n", func(t *testing.T, c cases.Case) string { return fields(t, c.Input) })
}

// fields returns the metadata of a page, a field a line.
func fields(t *testing.T, html string) string {
	p := &page.Page{MIME: "text/html"}
	if rest, ok := strings.CutPrefix(html, "url: "); ok {
		p.URL, html, _ = strings.Cut(rest, "\n")
	}
	p.Raw = []byte(html)
	e, err := extract.New(extract.Default)
	must.Succeed(t, err)
	must.Succeed(t, e.Do(context.Background(), p))
	var out []string
	m := p.Meta
	for _, f := range [][2]string{
		{"title", m.Title}, {"authors", strings.Join(m.Authors, " + ")}, {"date", m.Date}, {"modified", m.Modified}, {"lang", m.Lang}, {"canonical", m.Canonical},
		{"site", m.Site}, {"description", m.Description}, {"license", m.License}, {"optout", m.Optout}, {"categories", strings.Join(m.Categories, " + ")},
		{"tags", strings.Join(m.Tags, " + ")}, {"image", m.Image}, {"type", m.Type},
	} {
		if f[1] != "" {
			out = append(out, f[0]+": "+f[1])
		}
	}
	return strings.Join(out, "\n")
}

// TestOff checks that only the language is read where metadata are not wanted.
func TestOff(t *testing.T) {
	cfg := extract.Default
	cfg.Metadata = false
	e, err := extract.New(cfg)
	must.Succeed(t, err)
	p := &page.Page{MIME: "text/html", Raw: []byte(`<meta name="dc.language" content="sv"><meta name="author" content="A B"><title>T</title><p class="byline">By C D<p>text`)}
	must.Succeed(t, e.Do(context.Background(), p))
	if got := fmt.Sprintf("%+v", p.Meta); got != fmt.Sprintf("%+v", page.Metadata{Lang: "sv"}) {
		t.Error(got)
	}
}

// TestKnown checks that what the source of a page knows stays.
func TestKnown(t *testing.T) {
	e, err := extract.New(extract.Default)
	must.Succeed(t, err)
	p := &page.Page{MIME: "text/html", Meta: page.Metadata{Title: "given", Date: "2020-01-01", Authors: []string{"X"}, Optout: "X-Robots-Tag: noai"},
		Raw: []byte(`<title>T</title><meta name=robots content=noindex><meta name=author content="A B"><meta name=date content=2021-01-01>x`)}
	must.Succeed(t, e.Do(context.Background(), p))
	if p.Meta.Title != "given" || p.Meta.Date != "2020-01-01" || strings.Join(p.Meta.Authors, "") != "X" || p.Meta.Optout != "X-Robots-Tag: noai, meta robots: noindex" {
		t.Errorf("%+v", p.Meta)
	}
}

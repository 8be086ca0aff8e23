package metadata_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

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
	e := must.Get(extract.New(extract.Default))(t)
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
	e := must.Get(extract.New(cfg))(t)
	p := &page.Page{MIME: "text/html", Raw: []byte(`<meta name="dc.language" content="sv"><meta name="author" content="A B"><title>T</title><p class="byline">By C D<p>text`)}
	must.Succeed(t, e.Do(context.Background(), p))
	if got := fmt.Sprintf("%+v", p.Meta); got != fmt.Sprintf("%+v", page.Metadata{Lang: "sv"}) {
		t.Error(got)
	}
}

// TestKnown checks that what the source of a page knows stays.
func TestKnown(t *testing.T) {
	e := must.Get(extract.New(extract.Default))(t)
	p := &page.Page{MIME: "text/html", Meta: page.Metadata{Title: "given", Date: "2020-01-01", Authors: []string{"X"}, Optout: "X-Robots-Tag: noai"},
		Raw: []byte(`<title>T</title><meta name=robots content=noindex><meta name=author content="A B"><meta name=date content=2021-01-01>x`)}
	must.Succeed(t, e.Do(context.Background(), p))
	if p.Meta.Title != "given" || p.Meta.Date != "2020-01-01" || strings.Join(p.Meta.Authors, "") != "X" || p.Meta.Optout != "X-Robots-Tag: noai, meta robots: noindex" {
		t.Errorf("%+v", p.Meta)
	}
}

// TestZones checks that dates do not depend on the time zone of the machine.
func TestZones(t *testing.T) {
	local := time.Local
	defer func() { time.Local = local }()
	time.Local = time.FixedZone("EST", -5*3600)
	for _, date := range []string{"Mon, 02 Jan 2017 15:04:05 EST", "2017-01-02 15:04:05 EST"} {
		must.Equal(t, fields(t, `<meta name=date content="`+date+`">`), "date: 2017-01-02T15:04:05Z", date)
	}
}

// TestManyAuthors checks that no name of a long list is cut.
func TestManyAuthors(t *testing.T) {
	for _, c := range []struct {
		name       string
		n, want    int
		begin, sep string
		end        string
	}{
		{"JSON-LD", 18, 18, `<script type="application/ld+json">{"@type":"Article","author":[{"@type":"Person","name":"`, `"},{"@type":"Person","name":"`, `"}]}</script>`},
		{"many in JSON-LD", 400, 20, `<script type="application/ld+json">{"@type":"Article","author":[{"@type":"Person","name":"`, `"},{"@type":"Person","name":"`, `"}]}</script>`},
		{"meta", 18, 18, `<meta name="citation_authors" content="`, "; ", `">`},
		{"byline", 18, 9, `<h1>Herring</h1><p class="byline">By `, ", ", `</p>`},
	} {
		names := make([]string, c.n)
		for i := range names {
			names[i] = fmt.Sprintf("Nora Lindqvist Q%c%c Long-Name", 'a'+i/26, 'a'+i%26)
		}
		_, got, _ := strings.Cut(fields(t, c.begin+strings.Join(names, c.sep)+c.end), "authors: ")
		got, _, _ = strings.Cut(got, "\n")
		must.Equal(t, got, strings.Join(names[:c.want], " + "), c.name)
	}
}

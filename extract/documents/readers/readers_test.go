package readers

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"chaffinch/extract/documents"
	"chaffinch/format/document"
	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// docx returns a Word document with one paragraph.
func docx(text string) []byte {
	const types = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
	const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`
	return testkit.Zip(
		testkit.File{Name: "[Content_Types].xml", Data: []byte(types)},
		testkit.File{Name: "_rels/.rels", Data: []byte(rels)},
		testkit.File{Name: "word/document.xml", Data: []byte(`<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:body></w:document>`)})
}

// TestFormats: there is a reader of every format.
func TestFormats(t *testing.T) {
	if got, want := slices.Sorted(maps.Keys(documents.Readers)), slices.Sorted(slices.Values(document.Formats())); !slices.Equal(got, want) {
		t.Errorf("readers of %v, formats %v", got, want)
	}
}

func TestStage(t *testing.T) {
	all := must.Get(documents.New(documents.Default))(t)
	p := &page.Page{Raw: docx("The ferry left."), MIME: "application/octet-stream"}
	must.Succeed(t, all.Do(t.Context(), p))
	if p.Format != "docx" || p.Drop != page.None || !strings.Contains(p.HTML, "<p>The ferry left.</p>") || !strings.HasSuffix(p.MIME, "wordprocessingml.document") {
		t.Errorf("%q %v %s: %s", p.Format, p.Drop, p.MIME, p.HTML)
	}
	html := &page.Page{Raw: []byte("<html><p>x"), MIME: "text/html"}
	must.Succeed(t, all.Do(t.Context(), html))
	if html.Format != "" || html.HTML != "" || html.Drop != page.None {
		t.Errorf("HTML: %+v", html)
	}

	cfg := documents.Default
	cfg.Formats = []string{"epub", documents.HTML}
	some := must.Get(documents.New(cfg))(t)
	for raw, want := range map[string]page.Reason{string(docx("x")): page.OtherFormat, "<html><p>x": page.None} {
		p := &page.Page{Raw: []byte(raw)}
		if must.Succeed(t, some.Do(t.Context(), p)); p.Drop != want {
			t.Errorf("%.20q: %v, want %v", raw, p.Drop, want)
		}
	}
	for address, want := range map[string]string{"https://example.org/a.md?x": "<p>a <em>b</em></p>\n", "https://example.org/a.txt?a.md": "", "https://example.org": ""} {
		p := &page.Page{Raw: []byte("a *b*\n"), MIME: "text/plain", URL: address}
		if must.Succeed(t, all.Do(t.Context(), p)); !strings.Contains(p.HTML, want) || (p.HTML != "") != (want != "") {
			t.Errorf("%s: %q", address, p.HTML)
		}
		p = &page.Page{Raw: []byte("a *b*\n"), MIME: "text/plain", URL: address}
		if must.Succeed(t, some.Do(t.Context(), p)); p.HTML != "" || p.Drop != page.None || p.MIME != "text/plain" {
			t.Errorf("%s, HTML only: %+v", address, p)
		}
	}
	cfg.Formats = []string{"xlsx"}
	must.Fail(t, must.Err(documents.New(cfg)), `"xlsx"`)
}

// TestPrepare prepares the reader of PDF for PDF documents that are read, and for no other page.
func TestPrepare(t *testing.T) {
	defer func(was func(context.Context) error) { documents.PreparePDF = was }(documents.PreparePDF)
	calls := 0
	documents.PreparePDF = func(context.Context) error { calls++; return nil }
	for _, c := range []struct {
		raw, format string
		want        int
	}{
		{"%PDF-1.7\n", "", 1}, {"junk\n%PDF-1.7\n", "pdf", 1}, {"%PDF-1.7\n", documents.HTML, 0}, {"<p>%PDF", "", 0}, {"", "", 0},
	} {
		cfg := documents.Default
		if c.format != "" {
			cfg.Formats = []string{c.format}
		}
		s := must.Get(documents.New(cfg))(t)
		calls = 0
		must.Succeed(t, s.Prepare(t.Context(), &page.Page{Raw: []byte(c.raw)}))
		if calls != c.want {
			t.Errorf("%q, format %q: prepared %d times, want %d", c.raw, c.format, calls, c.want)
		}
	}
}

// TestZeroLimits reads documents with zero limits: the default limits apply.
func TestZeroLimits(t *testing.T) {
	testkit.Slow(t)
	long := strings.Repeat("Salt and bread. ", 17<<16)
	for format, raw := range map[string]string{
		"eml":       "From: a@b.example\nTo: c@d.example\nSubject: x\n\n" + long,
		"mediawiki": long,
		"rtf":       `{\rtf1 ` + long + "}",
		"srt":       "1\n00:00:01,000 --> 00:00:02,000\n" + long,
	} {
		d := must.Get(documents.Readers[format](t.Context(), []byte(raw), document.Limits{}))(t)
		if d.Cut != page.TooLarge || len(d.HTML) > document.Default.MaxHTML+1000 {
			t.Errorf("%s: cut %v at %d bytes", format, d.Cut, len(d.HTML))
		}
	}
}

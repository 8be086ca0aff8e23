package documents

import (
	"errors"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestNoReaders: a program without the readers accepts web pages and plain text, and returns an error
// that names their package for other documents.
func TestNoReaders(t *testing.T) {
	all := must.Get(New(Default))(t)
	for raw, want := range map[string]error{"<html><p>x": nil, "plain text": nil, "%PDF-1.7\n": ErrNoReaders, "# A\n\nb\n\n- c\n": ErrNoReaders} {
		p := &page.Page{Raw: []byte(raw)}
		if want != nil && raw[0] == '#' {
			p.MIME = "text/markdown"
		}
		if err := all.Do(t.Context(), p); !errors.Is(err, want) || p.HTML != "" {
			t.Errorf("%q: %v, want %v", raw, err, want)
		}
	}
	for _, cfg := range []Config{{Formats: []string{HTML, "pdf"}}, {OCR: "cat"}} {
		if _, err := New(cfg); !errors.Is(err, ErrNoReaders) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
	must.Fail(t, must.Err(New(Config{Formats: []string{"xlsx"}})), `"xlsx"`)
	html := must.Get(New(Config{Formats: []string{HTML}}))(t)
	p := &page.Page{Raw: []byte("a *b*\n"), MIME: "text/markdown"}
	if must.Succeed(t, html.Do(t.Context(), p)); p.MIME != "text/plain" || p.Drop != page.None {
		t.Errorf("Markdown as plain text: %+v", p)
	}
	p = &page.Page{Raw: []byte("%PDF-1.7\n")}
	if must.Succeed(t, html.Do(t.Context(), p)); p.Drop != page.OtherFormat {
		t.Errorf("PDF: %v", p.Drop)
	}
}

// Package doctest tests readers that convert markup to HTML, such as [chaffinch/format/rst.Read].
package doctest

import (
	"context"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// Read converts a document to HTML.
type Read = func(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error)

// Text is a document with the HTML in the body that is read from it.
type Text = struct{ Name, Text, Want string }

// end is the end of every document.
const end = "</body></html>\n"

// Texts reads texts.
func Texts(t *testing.T, read Read, texts []Text) {
	t.Helper()
	for _, c := range texts {
		d := must.Get(read(t.Context(), []byte(c.Text), document.Limits{}))(t)
		if _, body, _ := strings.Cut(d.HTML, "<body>\n"); body != c.Want+end || d.Drop != page.None || d.Cut != page.None {
			t.Errorf("%s: drop %q, cut %q\ngot  %q\nwant %q", c.Name, d.Drop, d.Cut, body, c.Want)
		}
	}
}

// Bombs reads texts of repeated pieces of markup, nested or unclosed. The test does not end if the
// time to read them is quadratic.
func Bombs(t *testing.T, read Read, texts func(piece string) []string, pieces []string) {
	t.Helper()
	for _, piece := range pieces {
		for _, text := range texts(piece) {
			d := must.Get(read(context.Background(), []byte(text), document.Limits{MaxHTML: 1 << 20}))(t)
			if d.Drop == page.None && !strings.HasSuffix(d.HTML, end) {
				t.Errorf("%q: no end", piece)
			}
		}
	}
}

// Fill returns repetitions of piece of at most n bytes.
func Fill(piece string, n int) string { return strings.Repeat(piece, n/len(piece)) }

// Fuzz reads any text.
func Fuzz(f *testing.F, read Read, texts []Text) {
	for _, c := range texts {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := must.Get(read(context.Background(), []byte(text), document.Limits{MaxHTML: 1 << 16}))(t)
		if len(d.HTML) > 1<<16+4000 || !strings.HasSuffix(d.HTML, end) {
			t.Errorf("%d bytes of HTML", len(d.HTML))
		}
	})
}

package office

import (
	"context"
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/internal/testkit/must"
)

// bodyOf returns the content of the element body of HTML.
func bodyOf(html string) string {
	_, html, _ = strings.Cut(html, "<body>\n")
	html, _, _ = strings.Cut(html, "</body>")
	return html
}

type readFunc func(context.Context, []byte, document.Limits) (document.Document, error)

// check compares the body that read writes with want.
func check(t *testing.T, name string, read readFunc, raw []byte, want string) {
	t.Helper()
	d := must.Get(read(context.Background(), raw, document.Default))(t)
	if got := bodyOf(d.HTML); got != want || d.Drop != 0 || d.Cut != 0 {
		t.Errorf("%s: drop %q, cut %q\ngot  %q\nwant %q", name, d.Drop, d.Cut, got, want)
	}
}

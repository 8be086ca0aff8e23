package extract_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"chaffinch/extract"
	"chaffinch/internal/testkit/cases"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

func FuzzExtract(f *testing.F) {
	for _, c := range cases.Read(f, "testdata/*.txt", "\n\n# ") {
		f.Add([]byte(c.Input), false)
		f.Add([]byte(c.Input), true)
	}
	f.Fuzz(func(t *testing.T, raw []byte, text bool) {
		p := &page.Page{Raw: raw, MIME: "text/html"}
		if text {
			p.MIME = "text/plain"
		}
		check(t, do(t, p))
		marks := &page.Page{Raw: raw, MIME: p.MIME, URL: "http://example.org/"}
		must.Succeed(t, marking.Do(context.Background(), marks))
		checkInline(t, marks)
		fresh := must.Get(extract.New(extract.Default))(t)
		second := &page.Page{Raw: raw, MIME: p.MIME}
		must.Succeed(t, fresh.Do(context.Background(), second))
		if !reflect.DeepEqual(p, second) {
			t.Fatalf("a second reading differs:\n%s\n%s", show(p), show(second))
		}
	})
}

// check tests what holds for the blocks of any page.
func check(t testing.TB, p *page.Page) {
	t.Helper()
	last := 0
	moved := strings.Contains(strings.ToLower(p.HTML), "shadowrootmode") // slots change the order
	for i := range p.Blocks {
		b := &p.Blocks[i]
		switch {
		case b.Start < last && !moved:
			t.Fatalf("block %d begins at %d, before the one before it at %d", i, b.Start, last)
		case b.End <= b.Start || b.End > len(p.HTML):
			t.Fatalf("block %d has the span %d to %d of %d", i, b.Start, b.End, len(p.HTML))
		case b.Text == "" || strings.TrimSpace(b.Text) != b.Text:
			t.Fatalf("block %d has the text %q", i, b.Text)
		case !utf8.ValidString(b.Text):
			t.Fatalf("block %d is not valid UTF-8: %q", i, b.Text)
		case b.LinkChars < 0 || b.LinkChars > b.Chars():
			t.Fatalf("block %d has %d characters in links of %d", i, b.LinkChars, b.Chars())
		case b.Kind != page.Code && b.Kind != page.Line && strings.ContainsAny(b.Text, "\n\t\r"):
			t.Fatalf("block %d has white space in %q", i, b.Text)
		case strings.Contains(b.Text, "  ") && b.Kind != page.Code:
			t.Fatalf("block %d has two blanks: %q", i, b.Text)
		}
		last = b.Start
	}
}

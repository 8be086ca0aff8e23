package explain

import (
	"bytes"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// FuzzWrite: whatever a page holds, the file has its own two scripts and no
// more, and its data read back as the blocks of the page.
func FuzzWrite(f *testing.F) {
	for _, s := range []string{hostile, hebrew, "", "plain text", "<p>\xff\xfe\x00</p>", "<p>\U0001f600 <b>one. Two! \U0001f600</b>", "<pre>a\nb | c | d\n\n</pre>"} {
		f.Add([]byte(s), "https://example.org/")
	}
	f.Add([]byte("<p>x"), "javascript:\"'><script>")
	e := must.Get(New(Config{MaxBlockChars: 50, MaxChars: 300}))(f)
	f.Fuzz(func(t *testing.T, raw []byte, url string) {
		p := &page.Page{ID: url, URL: url, Raw: raw, Source: page.Source{File: url, Record: url}}
		x := must.Get(e.Do(t.Context(), p))(t)
		var b bytes.Buffer
		must.Succeed(t, x.WriteHTML(&b))
		out := b.String()
		lower := strings.ToLower(out)
		if strings.Count(lower, "<script") != 2 || strings.Count(lower, "</script") != 2 || strings.Count(lower, "<style") != 1 || strings.Contains(lower, "<!--") {
			t.Fatal("the page got out of its place")
		}
		d := read(t, out)
		if len(d.Blocks) != len(p.Blocks) {
			t.Fatalf("%d blocks, want %d", len(d.Blocks), len(p.Blocks))
		}
		for i, b := range d.Blocks {
			if whole := string([]rune(p.Blocks[i].Text)); !strings.HasPrefix(whole, b.Text) || b.Cut != (b.Text != whole) {
				t.Fatalf("block %d: %q, want the beginning of %q", i, b.Text, whole)
			}
			for _, m := range d.Methods {
				last := 0.0
				for _, s := range m.Verdicts[i].Sentences {
					if s[0] < last || s[1] < s[0] {
						t.Fatalf("block %d: sentences %v", i, m.Verdicts[i].Sentences)
					}
					last = s[1]
				}
			}
		}
	})
}

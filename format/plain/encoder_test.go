package plain_test

import (
	"strings"
	"testing"

	"chaffinch/format/plain"
	"chaffinch/page"
)

func TestAppend(t *testing.T) {
	good, bad := page.Verdict{Label: page.Good, Score: 1}, page.Verdict{Label: page.Bad, Score: 0.25, Reason: "too\tshort"}
	p := &page.Page{ID: "a.html", URL: "https://a.example", Charset: "utf-8", Blocks: []page.Block{
		{Text: "A line.", Verdict: good},
		{Text: "Menu", Verdict: bad},
		{Text: "x\n\n  y \r\n", Kind: page.Code, Verdict: good},
	}}
	if got, want := string(plain.Encoder{}.Append(nil, p)), "A line.\nx\n  y\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	const want = "# a.html\turl=https://a.example\tcharset=utf-8\tdrop=all-bad\n" +
		"good\tparagraph\t1\t\tA line.\n" +
		"bad\tparagraph\t0.25\ttoo short\tMenu\n" +
		"good\tcode\t1\t\tx    y   \n\n"
	p.Drop = page.AllBad
	if got := string(plain.Encoder{Annotate: true}.Append(nil, p)); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := (plain.Encoder{}).Append(nil, p); len(got) != 0 {
		t.Errorf("a dropped page is written: %q", got)
	}
}

// FuzzAppend wants an empty line at the end of each page and nowhere else.
func FuzzAppend(f *testing.F) {
	for _, s := range []string{"", "a", "\n", "a\n\n\nb", " \t\r\n", "a\r"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := &page.Page{Blocks: []page.Block{{Text: s, Verdict: page.Verdict{Label: page.Good}}, {Text: "end", Verdict: page.Verdict{Label: page.Good}}}}
		got := string(plain.Encoder{}.Append(nil, p))
		if !strings.HasSuffix(got, "end\n\n") || strings.Count(got, "\n\n") != 1 || got[0] == '\n' {
			t.Errorf("page %q is written as %q", s, got)
		}
	})
}

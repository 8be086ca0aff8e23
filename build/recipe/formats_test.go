package recipe

import (
	"regexp"
	"slices"
	"testing"

	"chaffinch/format/suffix"
	"chaffinch/page"
)

// TestFormats checks what every row of the table must have: docs/contributing/format.md.
func TestFormats(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	media := map[string]string{}
	p := &page.Page{ID: "a", URL: "https://ferry.example/a", Lang: "en", Meta: page.Metadata{Title: "Ferry"}, Blocks: []page.Block{
		{Kind: page.Paragraph, Text: "The mail came at nine.", Verdict: page.Verdict{Label: page.Good}},
		{Kind: page.Paragraph, Text: "Home, about us", Verdict: page.Verdict{Label: page.Bad}},
	}}
	dropped := &page.Page{ID: "b", Drop: page.Empty}
	for i, f := range Formats {
		if !name.MatchString(f.Name) || f.Help == "" || f.New == nil || slices.ContainsFunc(Formats[:i], func(g Format) bool { return g.Name == f.Name }) {
			t.Errorf("format %q: want a name of a-z and 0-9 that no other format has, Help and New", f.Name)
			continue
		}
		if got := suffix.Usual(f.Name); got != f.Ext || !suffix.Written(f.Name) {
			t.Errorf("format %s: %s is not the first suffix of the format in written in format/suffix/suffix.go: put {%q, %q} there, and take it out of others", f.Name, f.Ext, f.Ext, f.Name)
		}
		for _, m := range f.Media {
			if other := media[m]; other != "" {
				t.Errorf("format %s: media type %s is the one of %s", f.Name, m, other)
			}
			media[m] = f.Name
		}
		kept := f.New(EncoderOptions{}).Append(nil, p)
		if len(kept) == 0 {
			t.Errorf("format %s writes nothing of a page with text", f.Name)
		}
		if got := f.New(EncoderOptions{}).Append(nil, dropped); len(got) > 0 {
			t.Errorf("format %s writes a dropped page: %q", f.Name, got)
		}
		if got := f.New(EncoderOptions{Annotate: true}).Append(nil, p); f.Annotates == (string(got) == string(kept)) {
			t.Errorf("format %s: Annotates is %v, but it writes with and without Annotate\n%q\n%q", f.Name, f.Annotates, got, kept)
		}
	}
}

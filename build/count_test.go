package build

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/layout"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestKeptPieces: the kept text of a page is the text of its layout, with and without code.
func TestKeptPieces(t *testing.T) {
	e := must.Get(extract.New(extract.Default))(t)
	list := func(pieces []piece) (all []string) {
		texts(pieces, func(_ int, p *piece) { all = append(all, p.Role+": "+p.Text) })
		return all
	}
	files := must.Get(filepath.Glob(filepath.Join(structuredPages(t), "*.html")))(t)
	var d digester
	for _, name := range files {
		code := string(must.Read(t, name))
		for _, html := range []string{code, strings.NewReplacer("<pre>", "<p>", "</pre>", "</p>").Replace(code)} {
			p := &page.Page{MIME: "text/html", Raw: []byte(html)}
			must.Succeed(t, e.Do(t.Context(), p))
			for i := range p.Blocks {
				p.Blocks[i].Label = page.Good
				if i%5 == 3 {
					p.Blocks[i].Label = page.Bad
				}
			}
			pieces, _ := d.keptPieces(p)
			if got, want := list(pieces), list(nodePieces(p, layout.Build(p, layout.Config{}))); !slices.Equal(got, want) || len(got) < 10 {
				t.Errorf("%q, wanted %q", got, want)
			}
		}
	}
}

// TestDigestRead: a digest that reuses memory holds nothing of the line before.
func TestDigestRead(t *testing.T) {
	var d digester
	kept := &record{ID: "a", URL: "https://a.example/", Lang: "en", Blocks: []piece{{Text: "One, two and two", Role: "title"}, {Text: "three", Role: "body"}}}
	removed := &record{ID: "a", Blocks: []piece{{Text: "A menu with four words", By: "blocks", Label: "bad"}}}
	whole := &record{ID: "b", Drop: "all-bad", Blocks: []piece{{Text: "five"}}}
	var x digest
	var parts [2]part
	for _, r := range [][2]*record{{kept, removed}, {nil, whole}, {kept, nil}, {kept, removed}} {
		want := d.digest(r[0], r[1]).append(nil)
		must.Succeed(t, x.read(want, &parts))
		if got := x.append(nil); string(got) != string(want) {
			t.Errorf("%s, wanted %s", got, want)
		}
	}
}

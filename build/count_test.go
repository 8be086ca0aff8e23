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
	e, err := extract.New(extract.Default)
	must.Succeed(t, err)
	list := func(pieces []piece) (all []string) {
		texts(pieces, func(_ int, p *piece) { all = append(all, p.Role+": "+p.Text) })
		return all
	}
	files, err := filepath.Glob(filepath.Join(structuredPages(t), "*.html"))
	must.Succeed(t, err)
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

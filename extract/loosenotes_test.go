package extract_test

import (
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestLooseNotes finds footnotes without links.
func TestLooseNotes(t *testing.T) {
	notes := `<p><sup>1</sup> Built in 1850.</p><p><b>2</b> Built in 1840.</p>`
	for _, c := range []struct{ name, html, want string }{
		{"raised and bold", `<p>The pier.<sup>1</sup></p><p>A ferry<sup>[2]</sup> too.</p>` + notes, "note 1, note 2, anchor 1, anchor 2"},
		{"two references", `<p>The pier<sup>1</sup> and the ferry,<sup>2</sup> the old pier.<sup>1</sup></p>` + notes, "note 1, note 2, note 1, anchor 1, anchor 2"},
		{"before the reference", notes + `<p>The pier<sup>1</sup> and the ferry.<sup>2</sup></p>`, ""},
		{"one footnote", `<p>The pier.<sup>1</sup></p><p><sup>1</sup> Built in 1850.</p>`, ""},
		{"without the first", `<p>The pier.<sup>2</sup></p><p>A ferry.<sup>3</sup></p><p><sup>2</sup> Built.</p><p><sup>3</sup> Built.</p>`, ""},
		{"exponents", `<p>A deck of 9 m<sup>2</sup> and 10<sup>1</sup> seats.</p>` + notes, ""},
		{"linked footnotes", `<p>The pier.<sup>1</sup></p><p>A ferry<sup>2</sup> <a href="#n">[*]</a></p>` + notes + `<p id="n">Linked</p>`, ""},
	} {
		cfg := extract.Default
		cfg.Inline = true
		e := must.Get(extract.New(cfg))(t)
		p := &page.Page{Raw: []byte(c.html)}
		must.Succeed(t, e.Do(t.Context(), p))
		var got []string
		for i := range p.Blocks {
			for _, m := range p.Blocks[i].Inline {
				if number, ok := strings.CutPrefix(m.URL, "chaffinch-note-"); ok {
					got = append(got, m.Kind.String()+" "+number)
				}
			}
		}
		must.Equal(t, strings.Join(got, ", "), c.want, c.name)
	}
}

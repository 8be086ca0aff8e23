package lines

import (
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// leftover are lines of a page of text with code in it.
var leftover = []string{
	"The harbour of the island was opened on Monday by the mayor, who had waited for this day for eleven years.",
	`[vc_row][vc_column width="1/2"][/vc_column][/vc_row]`,
	"Two ferries left for the islands at noon, and the third one followed when the fog had gone.",
	`{{ post.title | default: "Untitled" }}`,
	".entry-content p { margin: 0 0 1.5em; color: #333; font-size: 16px; }",
	"Most of the fishermen stayed at home and watched the guests from the windows of the old inn.",
	`(function(w,d){w[l]=w[l]||[];var j=d.createElement('script');j.async=true;})(window,document);`,
	`<p><strong></strong></p><img src="https://example.org/a.png" width="20">`,
	"In summer their pups learn to swim in the shallow water, and by autumn they are gone.",
}

// TestCode: code left in text is no text, but in documents about code, in elements for code and on
// pages that have any.
func TestCode(t *testing.T) {
	l := embeddedLabeller(t)
	label := func(p *page.Page) (kept []int) {
		t.Helper()
		verdicts := must.Get(l.Label(t.Context(), p))(t)
		for i, v := range verdicts {
			if v.Label.Keep() {
				kept = append(kept, i)
			} else if v.Reason != whyCode || v.Score != 0 {
				t.Errorf("%q: %+v", p.Blocks[i].Text, v)
			}
		}
		return kept
	}
	prose := []int{0, 2, 5, 8}
	must.Same(t, label(plainPage(leftover...)), prose, "kept")
	m := must.Get(Embedded())(t)
	for i, score := range m.Score(nil, "en", leftover) {
		if (score > 0) != slices.Contains(prose, i) {
			t.Errorf("%q: score %v", leftover[i], score)
		}
	}
	html := plainPage(leftover...)
	for i := range html.Blocks {
		html.Blocks[i].Kind = page.Paragraph
	}
	html.Blocks[4].Kind = page.Cell
	must.Same(t, label(html), []int{0, 2, 4, 5, 8}, "with a cell: kept")
	html.Elements = []page.Element{{Name: "code", Parent: -1}}
	if got := codeIn(html, leftover); got != nil {
		t.Errorf("on a page with an element for code: %v", got)
	}
	about := append(slices.Clone(leftover), strings.Fields(strings.Repeat("a();b(); ", 10))...)
	if got := codeOf(about); got != nil {
		t.Errorf("in a document about code: %v", got)
	}
}

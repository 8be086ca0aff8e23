package documents_test

import (
	"strings"
	"testing"

	"chaffinch/clean/documents"
	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestLabel labels the parts that a document states, by the wanted roles.
func TestLabel(t *testing.T) {
	x := must.Get(extract.New(extract.Default))(t)
	p := &page.Page{Format: "pdf", HTML: `<html><body><p role="doc-pageheader">head</p><h1>The title</h1><p class="byline">Ann</p><p>Text.</p><h1>Next</h1>
<nav role="doc-toc"><ul><li>1 one</li></ul></nav><figure><figcaption>Caption</figcaption></figure><aside role="doc-footnote"><p>Note</p></aside>
<section role="doc-bibliography"><h2>References</h2><p>Ann 1999.</p></section>
<div class="fields"><p>Date: today</p></div><blockquote class="quote"><p>Earlier</p></blockquote><div class="signature">Ann</div></body></html>`}
	must.Succeed(t, x.Do(t.Context(), p))
	for keep, want := range map[string]string{
		"text": "running-head- title+ byline+ body+ heading+ navigation- caption+ note+ references- references- fields- quoted- signature-",
		"body": "running-head- title- byline- body+ heading+ navigation- caption- note- references- references- fields- quoted- signature-",
	} {
		roles := must.Get(page.ParseRoles(keep))(t)
		verdicts := must.Get(documents.New(roles).Label(t.Context(), p))(t)
		var got []string
		for _, v := range verdicts {
			got = append(got, v.Role.String()+map[bool]string{true: "+", false: "-"}[v.Label.Keep()])
		}
		must.Equal(t, strings.Join(got, " "), want, keep)
	}
}

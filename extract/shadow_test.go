package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/page"
)

// TestShadowSpans: the blocks, elements and links of a page with shadow roots have the
// places that they have in the page, not in the rewritten one.
func TestShadowSpans(t *testing.T) {
	const html = `<title>T</title><p>Before</p><x-card id=card><template shadowrootmode=open><h2><slot name=t></slot></h2>
<p class=in>Its <a href=/in>text</a> and <slot></slot></p></template>the <b>rest</b><a slot=t href=/t>Name</a><i slot=none>gone</i></x-card><p id=after>After <a href=/out>it</a>`
	cfg := extract.Default
	cfg.Links = true
	e := must.Get(extract.New(cfg))(t)
	p := &page.Page{Raw: []byte(html)}
	must.Succeed(t, e.Do(t.Context(), p))
	if p.HTML != html {
		t.Errorf("the page is now %q", p.HTML)
	}
	var got []string
	for i := range p.Blocks {
		got = append(got, html[p.Blocks[i].Start:p.Blocks[i].End])
	}
	want := []string{"Before", "Name",
		`Its <a href=/in>text</a> and <slot></slot></p></template>the <b>rest`, "gone", "After <a href=/out>it"}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("blocks\n%q, want\n%q", got, want)
	}
	for i := range p.Elements {
		if el := &p.Elements[i]; el.Start >= 0 && !strings.HasPrefix(html[el.Start:], "<"+el.Name) && el.Name != "span" {
			t.Errorf("element %s begins at %.20q", el.Name, html[el.Start:])
		}
	}
	for _, l := range p.Links {
		if !strings.HasPrefix(html[l.Start:], "<a ") {
			t.Errorf("link %s begins at %.20q", l.URL, html[l.Start:])
		}
	}
	if len(p.Links) != 3 || p.Meta.Title == "" {
		t.Errorf("%d links, title %q", len(p.Links), p.Meta.Title)
	}
}

package pdf

import (
	"strings"
	"testing"

	"chaffinch/format/document"
	"chaffinch/format/pdf/internal/wire"
	"chaffinch/format/pdf/roles"
)

// TestApply writes the elements of predicted roles.
func TestApply(t *testing.T) {
	for role, want := range map[roles.Role]string{
		roles.Body:       `<p>1. Ships</p>`,
		roles.Title:      `<h1>1. Ships</h1>`,
		roles.Heading:    `<h2>1. Ships</h2>`,
		roles.Byline:     `<p class="byline">1. Ships</p>`,
		roles.List:       `<ol><li>1. Ships</li></ol>`,
		roles.Code:       `<pre>1. Ships</pre>`,
		roles.Caption:    `<figure><figcaption>1. Ships</figcaption></figure>`,
		roles.Note:       `doc-footnote`,
		roles.References: `doc-bibliography`,
		roles.Running:    `<p role="doc-pageheader">1. Ships</p>`,
		roles.Contents:   `doc-toc`,
		roles.Other:      `<aside>1. Ships</aside>`,
	} {
		c := &converter{pages: []*wire.Page{{Width: 595, Height: 842}}, outline: map[string]int{}, trusted: 1}
		l := &line{text: "1. Ships", size: 10, sheet: c.pages[0]}
		l.X0, l.Y0, l.X1, l.Y1 = 72, 40, 200, 52
		c.m = &metrics{body: 10}
		p := &paragraph{lines: []*line{l}, name: "p"}
		c.paragraphs = []*paragraph{p}
		c.apply(p, role)
		html := strings.ReplaceAll(strings.ReplaceAll(c.write(document.Default).HTML, "\n", ""), ` data-box="1 72 40 200 52"`, "")
		if !strings.Contains(html, want) {
			t.Errorf("%v: no %s in %s", role, want, html)
		}
	}
}

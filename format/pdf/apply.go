package pdf

import (
	"math"
	"slices"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/pdf/roles"
)

// predict replaces the roles that the rules gave by predicted ones.
func (c *converter) predict(m *roles.Model) {
	d := c.parts()
	changed := false
	for i, role := range m.Predict(d) {
		p := c.paragraphs[i]
		if role != d.Paragraphs[i].Rule {
			c.apply(p, role)
			changed = true
		}
	}
	if !changed {
		return
	}
	var heads []*paragraph
	for _, p := range c.paragraphs {
		if isHeading(p) && !stated(p) {
			heads = append(heads, p)
		}
	}
	c.levels(heads)
	c.joinCode()
}

// stated reports whether the tags of a document state the element of a paragraph.
func stated(p *paragraph) bool {
	kind := p.lines[0].kind
	return len(kind) == 2 && kind[0] == 'H' || kind == "LI" || kind == "Note" || kind == "Caption" || kind == "TOCI"
}

// apply sets the element and role of a paragraph.
func (c *converter) apply(p *paragraph, role roles.Role) {
	if p.table != nil {
		switch role {
		case roles.Contents:
			p.section = document.Contents
		case roles.References:
			p.section = document.Bibliography
		}
		return
	}
	p.name, p.role, p.section, p.list, p.bullet, p.title = "p", "", "", "", "", false
	if p.text == "" {
		p.text = c.m.text(p.lines)
	}
	switch role {
	case roles.Title:
		p.name, p.title = "h1", true
	case roles.Heading:
		p.name = "h2"
	case roles.Byline:
		p.class = document.Byline
	case roles.List:
		p.name, p.list = "li", "ul"
		if m := marker(p.text); strings.ContainsAny(m, ".)") {
			p.list = "ol"
		} else {
			p.bullet = m
		}
	case roles.Code:
		p.name = "pre"
	case roles.Caption:
		p.name = "figcaption"
	case roles.Note:
		p.role = document.Footnote
	case roles.References:
		p.section = document.Bibliography
	case roles.Running:
		p.role = document.PageHeader
		if first := p.lines[0]; first.Y0 > .5*c.pages[first.page].Height {
			p.role = document.PageFooter
		}
	case roles.Contents:
		p.section = document.Contents
	case roles.Other:
		p.name = "aside"
	}
}

// joinCode joins paragraphs of code that follow each other on a page.
func (c *converter) joinCode() {
	out := c.paragraphs[:0]
	for _, p := range c.paragraphs {
		if n := len(out); n > 0 && p.name == "pre" && out[n-1].name == "pre" {
			if lines := out[n-1].lines; lines[len(lines)-1].page == p.lines[0].page {
				out[n-1].lines = append(slices.Clip(lines), p.lines...)
				continue
			}
		}
		out = append(out, p)
	}
	c.paragraphs = out
}

// codeWidth is the width of a character of code, relative to its size.
const codeWidth = .6

// code returns lines of program code, with their indent.
func code(lines []*line) string {
	left := lines[0].X0
	for _, l := range lines {
		left = min(left, l.X0)
	}
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		indent := math.Round(float64((l.X0 - left) / (codeWidth * max(l.size, 1))))
		b.WriteString(strings.Repeat(" ", int(min(max(indent, 0), 80))))
		b.WriteString(clean(l.text))
	}
	return b.String()
}

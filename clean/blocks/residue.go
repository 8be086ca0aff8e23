package blocks

import (
	"strings"

	"chaffinch/internal/residue"
	"chaffinch/page"
)

// leastResidue is the share of code from which on a paragraph is no text. Paragraphs of prose
// about code have less, even those that explain a tag (docs/clean/labelling.md).
const leastResidue = .6

// settleResidue gives paragraphs of code the role "other": shortcodes, placeholders of
// templates, escaped tags, style rules and scripts that software failed to render. Their
// elements are those of text, so the model takes them for text. Pages that mark code as code
// are about code, and what they have outside of it is left to the model.
func (s *scratch) settleResidue(p *page.Page) {
	s.residue = grow(s.residue, len(p.Blocks))
	clear(s.residue)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Kind != page.Paragraph || b.Hidden || residue.Share(b.Text) < leastResidue {
			continue
		}
		if marksCode(p) {
			return
		}
		roles := s.rolesOf(i)
		clear(roles)
		roles[page.RoleOther-1] = 1
		s.residue[i] = true
	}
}

// marksCode reports whether some text of the page is in an element for code.
func marksCode(p *page.Page) bool {
	for i := range p.Blocks {
		if p.Blocks[i].Kind == page.Code {
			return true
		}
	}
	for i := range p.Elements {
		e := &p.Elements[i]
		switch e.Name {
		case "code", "kbd", "samp", "tt", "pre":
			return true
		}
		class := strings.ToLower(e.Class)
		for _, word := range [...]string{"syntaxhighlight", "codebox", "codeblock", "code-", "hljs", "codemirror", "dp-highlighter"} {
			if strings.Contains(class, word) {
				return true
			}
		}
	}
	return false
}

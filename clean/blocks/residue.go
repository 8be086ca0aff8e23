package blocks

import (
	"chaffinch/internal/layout"
	"chaffinch/internal/residue"
	"chaffinch/page"
)

// settleResidue sets the role of code in paragraphs to "other": shortcodes, template
// placeholders, escaped tags, style rules and scripts that software failed to render. Their
// elements are text elements, so the model classifies them as text. Pages that mark code as
// code are about code; on these the model decides.
func (s *scratch) settleResidue(p *page.Page) {
	s.residue = grow(s.residue, len(p.Blocks))
	clear(s.residue)
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Kind != page.Paragraph || b.Hidden || s.sheet.blocks[i].sign&signCode == 0 || !residue.IsCode(b.Text) {
			continue
		}
		if layout.MarksCode(p) {
			return
		}
		roles := s.rolesOf(i)
		clear(roles)
		roles[page.RoleOther-1] = 1
		s.residue[i] = true
	}
}

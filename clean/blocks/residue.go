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
	found := false
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Kind != page.Paragraph || b.Hidden || !s.sheet.blocks[i].mayBeCode(b.Text) || !residue.IsCode(b.Text) {
			continue
		}
		if !found && layout.MarksCode(p) {
			return
		}
		found = true
		roles := s.rolesOf(i)
		clear(roles)
		roles[page.RoleOther-1] = 1
		s.residue[i] = true
	}
}

// mayBeCode reports whether text with these counts has characters of code, or so many symbols that
// it may consist of UUIDs: a UUID has 4 hyphens in 36 bytes, and covers .6 of the text.
func (s *textStats) mayBeCode(text string) bool {
	return s.sign&signCode != 0 || 15*int(s.symbols) >= len(text)
}

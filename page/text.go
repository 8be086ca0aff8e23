package page

import "strings"

// PlainText reports whether p was plain text, a WET record or the like: its
// blocks stand in no element.
func (p *Page) PlainText() bool { return len(p.Blocks) > 0 && p.Blocks[0].Element < 0 }

// Text returns the text that goes into the corpus: what is kept of each block,
// one block a line (blocks of code and of plain text may have several). It is
// "" for a dropped page.
func (p *Page) Text() string {
	if p.Drop != None {
		return ""
	}
	var b strings.Builder
	for i := range p.Blocks {
		if t := p.Blocks[i].Kept(); t != "" {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(t)
		}
	}
	return b.String()
}

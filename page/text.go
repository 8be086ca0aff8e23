package page

import "strings"

// PlainText reports whether p is plain text, such as a WET record: its blocks are in no
// element.
func (p *Page) PlainText() bool { return len(p.Blocks) > 0 && p.Blocks[0].Element < 0 }

// Text returns the text that is kept in the corpus: the lines that [Page.Line] returns for the
// blocks. It is "" for a dropped page.
func (p *Page) Text() string {
	if p.Drop != None {
		return ""
	}
	size := 0
	for i := range p.Blocks {
		if p.Blocks[i].Label.Keep() {
			size += len(p.Blocks[i].Text) + 1
		}
	}
	var b strings.Builder
	b.Grow(size)
	for i := 0; i < len(p.Blocks); {
		text, next := p.Line(i)
		i = next
		if text != "" {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(text)
		}
	}
	return b.String()
}

// Line returns the kept text of block i and of the following blocks in the same row of a data
// table. The result next is the index of the first block after them. A row is one line, with a
// tab between cells (several if cells between them are empty) and a blank between blocks of one
// cell. Every other block is one line; blocks of code and of plain text may contain line
// breaks.
func (p *Page) Line(i int) (text string, next int) {
	row := p.Blocks[i].Row
	if row == 0 {
		return p.Blocks[i].Kept(), i + 1
	}
	var line strings.Builder
	column := uint16(0)
	for next = i; next < len(p.Blocks) && p.Blocks[next].Row == row; next++ {
		b := &p.Blocks[next]
		kept := b.Kept()
		if kept == "" {
			continue
		}
		if line.Len() > 0 && b.Column <= column {
			line.WriteByte(' ')
		}
		for ; column < b.Column; column++ {
			line.WriteByte('\t')
		}
		line.WriteString(cellSpace.Replace(kept))
	}
	return line.String(), next
}

// cellSpace replaces white space that would end a cell.
var cellSpace = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")

package lines

import (
	"chaffinch/internal/layout"
	"chaffinch/internal/residue"
	"chaffinch/page"
)

// A document is about code, and left to the model, if at least manyCode of its lines are
// code and their share is above 1/codeLines.
const (
	manyCode  = 10
	codeLines = 10
)

// codeOf returns the indexes of lines of code left in text: shortcodes, template
// placeholders, escaped tags, style rules and scripts. The training data has few of them,
// and the model takes them for text when they are next to text.
func codeOf(lines []string) (code []int) {
	for i, line := range lines {
		if residue.IsCode(line) {
			code = append(code, i)
		}
	}
	if len(code) >= manyCode && len(code)*codeLines > len(lines) {
		return nil
	}
	return code
}

// codeIn returns the indexes of the blocks of p with such code: paragraphs and lines of a
// page without code elements.
func codeIn(p *page.Page, lines []string) (code []int) {
	for _, i := range codeOf(lines) {
		if k := p.Blocks[i].Kind; k == page.Paragraph || k == page.Line {
			code = append(code, i)
		}
	}
	if len(code) > 0 && layout.MarksCode(p) {
		return nil
	}
	return code
}

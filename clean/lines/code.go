package lines

import (
	"chaffinch/internal/layout"
	"chaffinch/internal/residue"
	"chaffinch/page"
)

// A document is about code, which the model judges, if at least manyCode of its lines are code and
// these are more than one in codeLines.
const (
	manyCode  = 10
	codeLines = 10
)

// codeOf returns the indexes of the lines that are code left in text: shortcodes, placeholders
// of templates, escaped tags, style rules and scripts. The model was trained on few of them and
// takes them for text beside text.
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

// codeIn returns the indexes of the blocks of p that are such code: paragraphs and lines
// of a page without elements for code.
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

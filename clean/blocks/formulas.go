package blocks

import (
	"slices"
	"strings"

	"chaffinch/page"
)

// settleFormulas gives a formula that is a block of its own the roles of the text
// that it stands in: of the last block before it that is neither formula nor
// heading. By itself it looks like a by-line or a button.
func (s *scratch) settleFormulas(blocks []page.Block) {
	const k = page.RoleCount
	var text []float32 // the roles of the block before
	for i := range blocks {
		b, roles := &blocks[i], s.roles[i*k:(i+1)*k]
		switch {
		case b.Hidden:
		case isFormula(b.Text):
			copy(roles, text)
		case b.Kind != page.Heading:
			text = roles
		}
	}
}

// isFormula tells whether a text is one formula on lines of its own, in TeX.
func isFormula(text string) bool {
	if len(text) <= 4 || text[0] != '$' && text[0] != '\\' {
		return false
	}
	return slices.ContainsFunc([][2]string{{"$$", "$$"}, {`\[`, `\]`}}, func(marks [2]string) bool {
		return strings.HasPrefix(text, marks[0]) && strings.HasSuffix(text, marks[1])
	})
}

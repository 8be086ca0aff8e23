package blocks

import (
	"slices"
	"strings"

	"chaffinch/page"
)

// settleFormulas gives each formula in a separate block the roles of its context: the last
// block before it that is neither a formula nor a heading. Without context a formula looks
// like a byline or a button.
func (s *scratch) settleFormulas(blocks []page.Block) {
	const k = Roles
	var text []float32 // roles of the preceding text
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

// isFormula reports whether text is a single displayed TeX formula.
func isFormula(text string) bool {
	if len(text) <= 4 || text[0] != '$' && text[0] != '\\' {
		return false
	}
	return slices.ContainsFunc([][2]string{{"$$", "$$"}, {`\[`, `\]`}}, func(marks [2]string) bool {
		return strings.HasPrefix(text, marks[0]) && strings.HasSuffix(text, marks[1])
	})
}

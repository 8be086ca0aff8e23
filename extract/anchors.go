package extract

import (
	"strings"

	"chaffinch/internal/runes"
)

// isHeadingMark reports whether the current start tag, an a with this address,
// is a mark that leads to the heading it stands in: "¶" of Sphinx, "§", "#".
// Readers see it under the mouse only.
func (s *scan) isHeadingMark(href string) bool {
	if strings.IndexByte(href, '#') < 0 {
		return false
	}
	rest := s.lex.src[s.lex.pos:]
	rest = rest[:min(len(rest), maxHeadingMark)]
	end := strings.Index(rest, "</")
	if end < 0 || !hasFold(rest[end:], "</a>") || strings.IndexByte(rest[:end], '<') >= 0 {
		return false
	}
	text := strings.TrimPrefix(fold(rest[:end], false), "Â") // as UTF-8 read in windows-1252 has it
	if headingMarks[text] {
		return true
	}
	class, _ := s.lex.attr("class")
	for c := range strings.FieldsSeq(class) {
		if headingClasses[c] && !hasWord(text) {
			return true
		}
	}
	return false
}

// maxHeadingMark bounds the bytes from the start tag of a mark to behind its
// end tag.
const maxHeadingMark = 64

// headingMarks are the texts of such links, headingClasses classes of them,
// where any text without letters and digits will do.
var (
	headingMarks   = map[string]bool{"¶": true, "#": true, "§": true, "🔗": true, "⚓": true, "∞": true, "⌗": true, "[#]": true, "[¶]": true, "(#)": true}
	headingClasses = map[string]bool{"headerlink": true, "header-anchor": true, "heading-anchor": true, "heading-permalink": true, "hash-link": true,
		"anchor": true, "anchorjs-link": true, "anchor-link": true, "header-link": true, "permalink": true, "toclink": true}
)

// isAside reports whether the current start tag, of element t and this class,
// holds what is no text of the page: the link to edit the section below a
// heading, as MediaWiki writes it in any language, or the drawing of a formula.
func (s *scan) isAside(t tagID, class string) bool {
	return t == tagSpan && (strings.HasPrefix(class, "mw-editsection") || strings.HasPrefix(class, "editsection")) || s.drawn(t, class)
}

// hasWord reports whether s has a letter or a digit.
func hasWord(s string) bool { return strings.IndexFunc(s, runes.IsWord) >= 0 }

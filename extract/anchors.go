package extract

import (
	"strings"

	"chaffinch/internal/runes"
)

// isMarkLink reports whether the link that the current start tag begins, an a element with address
// href, is a symbol rather than text: a permalink in a heading ("¶" of Sphinx, "§", "#"), which
// browsers show under the mouse only, or the arrow from a footnote back to its reference.
func (s *scan) isMarkLink(href string) bool {
	if strings.IndexByte(href, '#') < 0 {
		return false
	}
	text, ok := s.linkText()
	if !ok || strings.IndexByte(text, '<') >= 0 {
		return false
	}
	text = strings.TrimPrefix(text, "Â") // UTF-8 decoded as windows-1252
	if headingMarks[text] || backMarks[strings.TrimRight(text, "\ufe0e\ufe0f")] {
		return true
	}
	class := s.lex.attrs.value(attrClass)
	for c := range strings.FieldsSeq(class) {
		if headingClasses[c] && !hasWord(text) {
			return true
		}
	}
	return false
}

// linkText returns the inner HTML of the a element whose start tag is the current token, with white
// space collapsed. It returns false if the element is longer than maxLinkText.
func (s *scan) linkText() (string, bool) {
	rest := s.lex.src[s.lex.pos:]
	rest = rest[:min(len(rest), maxLinkText)]
	for end := 0; ; end += len("</") {
		i := strings.Index(rest[end:], "</")
		if i < 0 {
			return "", false
		}
		if end += i; hasFold(rest[end:], "</a>") {
			return collapse(rest[:end], true), true
		}
	}
}

// maxLinkText is the most bytes from the start tag of a link to its end tag.
const maxLinkText = 64

// headingMarks holds the texts of permalinks in headings. headingClasses holds the classes of such
// links; with them any text without letters and digits is a permalink.
var (
	headingMarks   = map[string]bool{"¶": true, "#": true, "§": true, "🔗": true, "⚓": true, "∞": true, "⌗": true, "[#]": true, "[¶]": true, "(#)": true}
	headingClasses = map[string]bool{"headerlink": true, "header-anchor": true, "heading-anchor": true, "heading-permalink": true, "hash-link": true,
		"anchor": true, "anchorjs-link": true, "anchor-link": true, "header-link": true, "permalink": true, "toclink": true}
)

// backMarks holds the texts of links from a footnote back to its reference.
var backMarks = map[string]bool{"↩": true, "↵": true, "⤴": true, "↑": true, "⇑": true, "⬆": true, "⇗": true, "↗": true, "^": true, "[↩]": true, "⏎": true}

// isExcluded reports whether the current start tag, of element t and this class, begins an element
// that is left out: a link of MediaWiki to edit the section, the number of a line of code, or a
// rendered formula.
func (s *scan) isExcluded(t tagID, class string) bool {
	return t == tagSpan && (strings.HasPrefix(class, "mw-editsection") || strings.HasPrefix(class, "editsection") || s.verbatim > 0 && s.numbersLine(class)) || s.isRenderedFormula(t, class)
}

// lineNumberClasses holds the classes of line numbers in highlighted code: Pygments, Chroma, Rouge,
// highlight.js, Prism.
var lineNumberClasses = map[string]bool{"linenos": true, "lineno": true, "ln": true, "lnt": true, "line-number": true, "linenumber": true, "hljs-ln-n": true, "react-syntax-highlighter-line-number": true}

// numbersLine reports whether the current start tag, of an element in code with this class, begins
// the number of a line. Its class or a style that excludes it from selections marks it.
func (s *scan) numbersLine(class string) bool {
	marked := false
	for c := range strings.FieldsSeq(class) {
		marked = marked || lineNumberClasses[strings.ToLower(c)]
	}
	if !marked {
		style := s.lex.attrs.value(attrStyle)
		if !strings.Contains(strings.ReplaceAll(style, " ", ""), "user-select:none") {
			return false
		}
	}
	rest := s.lex.src[s.lex.pos:]
	text, _, ok := strings.Cut(rest[:min(len(rest), maxLinkText)], "<")
	return ok && strings.Trim(strings.TrimSpace(text), "0123456789") == ""
}

// hasWord reports whether s contains a letter or a digit.
func hasWord(s string) bool { return strings.IndexFunc(s, runes.IsWord) >= 0 }

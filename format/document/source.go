package document

import (
	"bytes"

	"chaffinch/internal/lazyregexp"
)

// sourceBytes is the number of bytes in which marks of source formats are searched.
const sourceBytes = 16 << 10

// isHTML reports whether a document begins as HTML or XML.
func isHTML(head []byte) bool {
	low := bytes.ToLower(head[:min(len(head), 16)])
	for _, begin := range [...]string{"<!doctype", "<html", "<head", "<?xml"} {
		if bytes.HasPrefix(low, []byte(begin)) {
			return true
		}
	}
	return false
}

var (
	frontMatter = lazyregexp.New(`^---\r?\n(?:[\w-]+:.*\r?\n|[ -].*\r?\n)*(?:title|layout):`)
	firstATX    = lazyregexp.New(`^#{1,2} [^\n]*\S[^\n]*\r?\n`)
	marked      = lazyregexp.New(`(?m)^#{2,4} \S|^\x60\x60\x60|\]\((?:https?://|[\w./#-]+\))`)
)

// isMarkdown reports whether text begins with front matter, or with a heading and has another
// mark of Markdown. Like the functions below, it matches expressions only after a quick test, since
// all plain text is tested.
func isMarkdown(head []byte) bool {
	if bytes.HasPrefix(head, []byte("---")) && frontMatter().Match(head) {
		return true
	}
	if !bytes.HasPrefix(head, []byte("#")) {
		return false
	}
	first := firstATX().Find(head)
	return first != nil && marked().Match(head[len(first):])
}

var (
	rstDirective = lazyregexp.New(`(?m)^\.\. (?:[\w:-]+:: ?|_[^:\n]+:)`)
	underlined   = lazyregexp.New(`(?m)^[^\s][^\n]*\S[^\n]*\n(?:={4,}|-{4,}|~{4,}|\*{4,}|#{4,})\r?$`)
)

// isRST reports whether text has a directive or target, and an underlined title.
func isRST(head []byte) bool {
	return (bytes.HasPrefix(head, []byte(".. ")) || bytes.Contains(head, []byte("\n.. "))) &&
		rstDirective().Match(head) && underlined().Match(head)
}

var (
	adocTitle = lazyregexp.New(`^= \S[^\n]*\n`)
	adocMark  = lazyregexp.New(`(?m)^:[a-z][\w-]*:(?:$| )|^==+ \S|^\[(?:source|NOTE|quote)`)
)

// isAsciiDoc reports whether text begins with a title and has an attribute or another heading.
func isAsciiDoc(head []byte) bool {
	if !bytes.HasPrefix(head, []byte("= ")) {
		return false
	}
	first := adocTitle().Find(head)
	return first != nil && adocMark().Match(head[len(first):])
}

var texBegin = lazyregexp.New(`^(?:%[^\n]*\n|\s+)*\\document(?:class|style)\s*[\[{]`)

// isLaTeX reports whether text begins with the class of a LaTeX document, after comments.
func isLaTeX(head []byte) bool {
	return len(head) > 0 && bytes.IndexByte([]byte("%\\ \t\n\f\r"), head[0]) >= 0 && texBegin().Match(head)
}

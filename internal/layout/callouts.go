package layout

import (
	"strings"

	"chaffinch/internal/sets"
	"chaffinch/page"
)

// calloutBoxes lists the classes of boxes beside the text that documentation sites use: mkdocs,
// Sphinx and Hugo (admonition), GitHub (markdown-alert), Bootstrap and Docusaurus (alert), Quarto
// and Obsidian (callout), VitePress (custom-block), Jekyll (notice), GitBook and Hugo's books
// (hint), Starlight, and details elements of MkDocs, which have no other class. The value reports
// whether the class alone makes a box a callout, without a kind.
var calloutBoxes = map[string]bool{
	"admonition": true, "theme-admonition": true, "admonitionblock": true, "markdown-alert": true, "callout": true, "starlight-aside": true,
	"alert": false, "custom-block": false, "custom-container": false, "notice": false, "hint": false,
	"book-hint": false, "gdoc-hint": false, "details": false,
}

// calloutKinds lists the kinds that classes and Obsidian's attribute name.
var calloutKinds = sets.Words(`note info tip hint important warning caution danger attention error success seealso
		abstract summary tldr todo question faq help example quote cite bug failure fail missing check done`)

// githubKinds maps kinds to GitHub's kinds of the same meaning. Kinds without such a counterpart
// keep their name.
var githubKinds = map[string]string{"info": "note", "hint": "tip", "attention": "warning", "danger": "caution", "error": "caution"}

// calloutOf returns the kind of the callout at element e, such as "warning", or "" if it is not a
// callout.
func calloutOf(p *page.Page, e int32) string {
	el := elementAt(p, e)
	class := el.Class
	if el.Name != "div" && el.Name != "aside" && el.Name != "blockquote" && el.Name != "section" && el.Name != "details" || len(class) < 4 {
		return ""
	}
	box, kind := "", ""
	if el.Name == "details" {
		box = "details"
	}
	for c := range strings.FieldsSeq(class) {
		c = strings.ToLower(c)
		if bare, ok := calloutBoxes[c]; ok {
			if box == "" || bare {
				box = c
			}
			continue
		}
		if calloutKinds[c] && kind == "" {
			kind = c
			continue
		}
		if i := strings.LastIndexByte(c, '-'); i > 0 && calloutKinds[c[i+1:]] {
			if name := strings.TrimRight(c[:i], "-"); name == "is" {
				kind = c[i+1:]
			} else if _, ok := calloutBoxes[name]; ok && c != "details-summary" { // the title of a details box
				box, kind = name, c[i+1:]
			}
		}
	}
	switch {
	case box == "":
		return ""
	case kind == "" && box == "callout":
		kind = dataCallout(p, el)
	}
	if kind == "" && calloutBoxes[box] {
		return "note"
	}
	return kind
}

// maxStartTag is the maximum number of bytes of a start tag that are searched.
const maxStartTag = 512

// dataCallout returns the kind in the attribute data-callout of an element, which Obsidian writes,
// or "" if it has no known kind.
func dataCallout(p *page.Page, el *page.Element) string {
	if el.Start < 0 || int(el.Start) >= len(p.HTML) {
		return ""
	}
	tag := p.HTML[el.Start:]
	tag, _, _ = strings.Cut(tag[:min(len(tag), maxStartTag)], ">")
	_, value, _ := strings.Cut(tag, "data-callout=")
	value = strings.TrimLeft(value, `"'`)
	if i := strings.IndexAny(value, "\"' "); i >= 0 {
		value = value[:i]
	}
	if value = strings.ToLower(value); calloutKinds[value] {
		return value
	}
	return ""
}

// githubKind returns GitHub's kind of the same meaning as kind, or kind if there is none.
func githubKind(kind string) string {
	if same, ok := githubKinds[kind]; ok {
		return same
	}
	return kind
}

// Body returns the children of the callout n without a title that only repeats its kind.
func (n *Node) Body(p *page.Page) []*Node {
	if len(n.Nodes) < 2 || n.Nodes[0].Kind != Text {
		return n.Nodes
	}
	title := strings.NewReplacer(" ", "", ":", "", "!", "").Replace(strings.ToLower(block(p, n.Nodes[0]).Kept()))
	if githubKind(title) == n.Callout {
		return n.Nodes[1:]
	}
	return n.Nodes
}

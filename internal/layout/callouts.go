package layout

import (
	"strings"

	"chaffinch/page"
)

// calloutBoxes are classes of boxes beside the text, as documentation sites
// write them: mkdocs, Sphinx and Hugo (admonition), GitHub (markdown-alert),
// Bootstrap and Docusaurus (alert), Quarto and Obsidian (callout), VitePress
// (custom-block), Jekyll (notice), GitBook (hint). The value reports whether
// the class alone makes a box a callout, without a kind.
var calloutBoxes = map[string]bool{
	"admonition": true, "theme-admonition": true, "admonitionblock": true, "markdown-alert": true, "callout": true,
	"alert": false, "custom-block": false, "custom-container": false, "notice": false, "hint": false,
}

// calloutKinds are the kinds that classes name.
var calloutKinds = func() map[string]bool {
	m := map[string]bool{}
	for _, k := range strings.Fields(`note info tip hint important warning caution danger attention error success seealso
		abstract summary tldr todo question faq help example quote bug failure check`) {
		m[k] = true
	}
	return m
}()

// calloutOf returns the kind of the callout that the element is, such as
// "warning", "" if it is none.
func calloutOf(el *page.Element) string {
	class := el.Class
	if el.Name != "div" && el.Name != "aside" && el.Name != "blockquote" && el.Name != "section" && el.Name != "details" || len(class) < 4 {
		return ""
	}
	box, kind := "", ""
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
			} else if _, ok := calloutBoxes[name]; ok {
				box, kind = name, c[i+1:]
			}
		}
	}
	switch {
	case box == "":
		return ""
	case kind == "" && calloutBoxes[box]:
		return "note"
	}
	return kind
}

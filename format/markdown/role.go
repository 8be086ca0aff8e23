package markdown

import (
	"slices"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// page writes the nodes of a page, with a rule where readers' comments begin or end.
func (w *writer) page(nodes []*layout.Node) {
	comment := func(n *layout.Node) bool { return n.Has(w.p, page.RoleComment) }
	for i := 0; i < len(nodes); {
		end := i + 1
		for end < len(nodes) && comment(nodes[end]) == comment(nodes[i]) {
			end++
		}
		if i > 0 {
			w.dst = append(w.dst, "\n---\n\n"...)
		}
		w.nodes(nodes[i:end], false)
		i = end
	}
}

// byline writes the by-lines at the start of nodes as one paragraph, one line each, and
// returns their number.
func (w *writer) byline(nodes []*layout.Node) int {
	var all []byte
	var marks []page.Inline
	n := 0
	for ; n < len(nodes) && nodes[n].Kind == layout.Text && nodes[n].Has(w.p, page.RoleByline); n++ {
		text, list := w.p.Blocks[nodes[n].Index].KeptInline()
		if n > 0 {
			marks = append(marks, page.Inline{Kind: page.LineBreak, Start: len(all), End: len(all) + 1})
			all = append(all, ' ')
		}
		for _, m := range list {
			m.Start, m.End = m.Start+len(all), m.End+len(all)
			marks = append(marks, m)
		}
		all = append(all, text...)
	}
	w.paragraph(string(all), marks)
	return n
}

// italic returns marks with a single emphasis, over the whole text.
func italic(text string, marks []page.Inline) []page.Inline {
	all := []page.Inline{{Kind: page.Emphasis, Start: 0, End: len(text)}}
	return append(all, slices.DeleteFunc(slices.Clone(marks), func(m page.Inline) bool { return m.Kind == page.Emphasis })...)
}

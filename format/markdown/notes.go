package markdown

import (
	"slices"
	"strings"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// note writes a footnote.
func (w *writer) note(n *layout.Node) {
	w.label = n.Label
	nodes := n.Nodes
	if len(nodes) > 1 && nodes[0].Kind == layout.Text && strings.Trim(w.p.Blocks[nodes[0].Index].Kept(), "[]().: ") == n.Label {
		nodes, w.label = nodes[1:], "" // the label is a separate block, as in a table of notes
	}
	w.inside("[^"+n.Label+"]: ", "    ", func() { w.nodes(nodes, false) })
	w.label = ""
}

// keptContent returns the kept text of n and its markup. It removes the label at the start of
// the first block of a footnote.
func (w *writer) keptContent(n *layout.Node) (string, []page.Inline) {
	text, marks := w.p.Blocks[n.Index].KeptInline()
	if n.End > 0 {
		line := strings.TrimRight(text[:n.End], " ")
		text, marks = cutInline(line, marks, n.Start)
	}
	if w.label == "" {
		return text, marks
	}
	label := w.label
	w.label = ""
	if k := labelLength(text, marks, label); k > 0 && k < len(text) {
		return cutInline(text, marks, k)
	}
	return text, marks
}

// cutInline returns text[start:] and its markup.
func cutInline(text string, marks []page.Inline, start int) (string, []page.Inline) {
	var rest []page.Inline
	for _, m := range marks {
		m.Start, m.End = max(m.Start, start), min(m.End, len(text))
		if m.Start < m.End || m.Start == m.End && m.Kind.Empty() {
			m.Start, m.End = m.Start-start, m.End-start
			rest = append(rest, m)
		}
	}
	return text[start:], rest
}

// labelLength returns the length in bytes of the label at the start of a footnote. The
// label is a link back to the reference, or text with a closing sign ("1.", "[1]").
func labelLength(text string, marks []page.Inline, label string) int {
	n, linked := 0, false
	for _, m := range marks {
		if m.Start <= 1 && (m.Kind == page.NoteRef || m.Kind == page.Sup && strings.Trim(text[m.Start:m.End], "[]().: ") == label) {
			n, linked = max(n, m.End), true
		}
	}
	if n == 0 {
		n = len(text) - len(strings.TrimLeft(text, "[( "))
		if !strings.HasPrefix(text[n:], label) {
			return 0
		}
		n += len(label)
	}
	end := n + len(text[n:]) - len(strings.TrimLeft(text[n:], ".:)] \u00a0"))
	if end == n && !linked || strings.TrimSpace(text[n:end]) == "" && !linked {
		return 0
	}
	return end
}

// references returns marks in which references replace the superscripts around them and
// the markup inside them. References to unknown footnotes lose their URL.
func (w *inline) references(text string, marks []page.Inline) []page.Inline {
	if !slices.ContainsFunc(marks, func(m page.Inline) bool { return m.Kind == page.NoteRef }) {
		return marks
	}
	out := slices.Clone(marks)
	for i := range out {
		m := &out[i]
		if m.Kind != page.NoteRef {
			continue
		}
		if w.notes.Label(m.URL) == "" {
			m.URL = ""
			continue
		}
		if m.Start > 0 && m.End < len(text) && text[m.Start-1] == '[' && text[m.End] == ']' {
			m.Start, m.End = m.Start-1, m.End+1
		}
		for k := i + 1; k < len(out) && out[k].Start < m.End; k++ {
			if out[k].End <= m.End {
				out[k] = page.Inline{Kind: page.NoteRef, Start: out[k].Start, End: out[k].End}
			}
		}
		for k := i - 1; k >= max(i-maxAround, 0); k-- {
			if raises(out[k], *m, text) {
				out[k] = page.Inline{Kind: page.NoteRef, Start: out[k].Start, End: out[k].End, URL: m.URL}
				m.URL = ""
				break
			}
		}
	}
	return out
}

// maxAround is the maximum distance, in spans, between a reference and its superscript.
const maxAround = 3

// raises reports whether sup is a superscript that contains only note and brackets.
func raises(sup, note page.Inline, text string) bool {
	return sup.Kind == page.Sup && sup.Start <= note.Start && note.End <= sup.End && strings.Trim(text[sup.Start:note.Start]+text[note.End:sup.End], "[]() ") == ""
}

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
	w.inside("[^"+n.Label+"]: ", "    ", func() { w.nodes(n.Nodes, false) })
	w.label = ""
}

// kept returns the kept text of b with its markup, less the label that the
// first block of a footnote begins with.
func (w *writer) kept(b *page.Block) (string, []page.Inline) {
	text, marks := b.KeptInline()
	if w.label == "" {
		return text, marks
	}
	label := w.label
	w.label = ""
	n := labelLength(text, marks, label)
	if n == 0 || n == len(text) {
		return text, marks
	}
	var rest []page.Inline
	for _, m := range marks {
		if m.End > n {
			m.Start, m.End = max(m.Start-n, 0), m.End-n
			rest = append(rest, m)
		}
	}
	return text[n:], rest
}

// labelLength returns how many bytes the label takes at the beginning of the
// text of a footnote: a link back to the reference, or the label with a sign
// that ends it ("1.", "[1]").
func labelLength(text string, marks []page.Inline, label string) int {
	n, linked := 0, false
	for _, m := range marks {
		if m.Start <= 1 && m.Kind == page.NoteRef {
			n, linked = m.End, true
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

// references returns marks with references to footnotes alone, instead of
// superscripts around them and markup in them. Other references have no address.
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

// maxAround bounds the markup between a reference and the superscript around it.
const maxAround = 3

// raises reports whether sup is a superscript of nothing but note and brackets.
func raises(sup, note page.Inline, text string) bool {
	return sup.Kind == page.Sup && sup.Start <= note.Start && note.End <= sup.End && strings.Trim(text[sup.Start:note.Start]+text[note.End:sup.End], "[]() ") == ""
}

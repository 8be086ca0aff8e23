package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"chaffinch/internal/layout"
	"chaffinch/page"
)

// nodes writes nodes in order. An empty line separates them unless tight is set and the
// next node is a list that can interrupt a paragraph.
func (w *writer) nodes(nodes []*layout.Node, tight bool) {
	alike := 0 // consecutive lists of the same kind before this one
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		if i > 0 && !(tight && n.Kind == layout.List && interrupts(n)) {
			w.blank()
		}
		if n.Kind == layout.List && i > 0 && nodes[i-1].Kind == layout.List && nodes[i-1].Ordered == n.Ordered {
			alike++
		} else {
			alike = 0
		}
		switch n.Kind {
		case layout.Text:
			switch b := &w.p.Blocks[n.Index]; {
			case b.Role == page.RoleByline && b.Kind != page.Code && n.End == 0:
				i += w.byline(nodes[i:]) - 1
			case b.Role == page.RoleCaption && b.Kind != page.Code:
				text, marks := w.keptContent(n)
				w.paragraph(text, italic(text, marks))
			default:
				w.block(n)
			}
		case layout.Image:
			im := &w.p.Images[n.Index]
			w.begin()
			w.dst = appendImage(w.dst, im.URL, im.Alt, false)
			w.end()
		case layout.Code:
			w.code(n)
		case layout.List:
			w.list(n, alike%2 == 1)
		case layout.Quote:
			w.inside("> ", "> ", func() { w.quote(n) })
		case layout.Note:
			w.note(n)
		case layout.Table:
			w.table(n)
		default:
			w.nodes(n.Nodes, false)
		}
	}
}

// quote writes the content of a quote. A callout begins with its kind, which replaces a
// title of the same text.
func (w *writer) quote(n *layout.Node) {
	nodes := n.Nodes
	if n.Callout != "" {
		w.begin()
		w.dst = append(w.dst, "[!"+strings.ToUpper(n.Callout)+"]"...)
		w.end()
		nodes = n.Body(w.p)
	}
	w.nodes(nodes, false)
}

// interrupts reports whether the list can follow a paragraph without an empty line.
func interrupts(n *layout.Node) bool {
	return !n.Ordered || n.Nodes[0].Number == 1
}

// block writes a paragraph or a heading.
func (w *writer) block(n *layout.Node) {
	b := &w.p.Blocks[n.Index]
	text, marks := w.keptContent(n)
	if b.Kind == page.Heading && b.Role != page.RoleStandfirst && !w.without.Has(page.FeatureHeadings) {
		w.begin()
		w.dst = append(w.dst, "######"[:min(max(int(b.Level), 1), 6)]...)
		w.dst = append(w.dst, ' ')
		w.dst = append(w.dst, w.line.render(text, marks, w.without, place{oneLine: true})...)
		w.end()
		return
	}
	if lines, ok := codeLines(text, marks); ok && !w.without.Has(page.FeatureCodes) {
		w.fenced(lines, "")
		return
	}
	if b.Kind == page.Code { // its role overrides code: keep the lines
		marks = nil
	}
	w.paragraph(text, marks)
}

// codeLines returns the lines of a text that is a single code element. It reports whether
// the element contains line breaks.
func codeLines(text string, marks []page.Inline) (string, bool) {
	if len(marks) < 2 || marks[0].Kind != page.Verbatim || marks[0].Start > 0 || marks[0].End < len(text) {
		return "", false
	}
	lines, broken := []byte(text), false
	for _, m := range marks[1:] {
		if m.Kind == page.LineBreak {
			lines[m.Start], broken = '\n', true
		}
	}
	return string(lines), broken
}

// paragraph writes text of one or more lines.
func (w *writer) paragraph(text string, marks []page.Inline) {
	rest := w.line.render(text, marks, w.without, place{})
	for len(rest) > 0 {
		line := rest
		if i := bytes.IndexByte(rest, '\n'); i >= 0 {
			line, rest = rest[:i], rest[i+1:]
		} else {
			rest = nil
		}
		w.begin()
		w.dst = append(w.dst, line...)
		w.end()
	}
}

// code writes the blocks of a pre element as a fenced code block.
func (w *writer) code(n *layout.Node) {
	var text strings.Builder
	for i, c := range n.Nodes {
		b := &w.p.Blocks[c.Index]
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(b.Indent)
		text.WriteString(b.Kept())
	}
	w.fenced(text.String(), n.Lang)
}

func (w *writer) fenced(text, lang string) {
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	w.begin()
	w.dst = append(w.dst, fence...)
	w.dst = append(w.dst, lang...)
	w.end()
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		if line == "" {
			w.blank()
			continue
		}
		w.begin()
		w.dst = append(w.dst, line...)
		w.end()
	}
	w.begin()
	w.dst = append(w.dst, fence...)
	w.end()
}

// longestRun returns the length of the longest run of backticks in s.
func longestRun(s string) int {
	longest, run := 0, 0
	for i := 0; i < len(s); i++ {
		if run++; s[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// list writes a list. If second is set, it uses the alternative markers, which separate the
// list from the list before it.
func (w *writer) list(n *layout.Node, second bool) {
	tight := isTight(n)
	number := 0
	for i, item := range n.Nodes {
		if i > 0 && !tight {
			w.blank()
		}
		marker := "- "
		if n.Ordered {
			if number++; item.Number > 0 && item.Number < 1e9 {
				number = item.Number
			}
			marker = strconv.Itoa(number) + ". "
		}
		if second {
			marker = strings.NewReplacer("-", "*", ".", ")").Replace(marker)
		}
		w.inside(marker, strings.Repeat(" ", len(marker)), func() { w.nodes(item.Nodes, tight) })
	}
}

// isTight reports whether no item of the list needs an empty line: each item holds one
// paragraph or image, optionally followed by one tight list.
func isTight(n *layout.Node) bool {
	for _, item := range n.Nodes {
		for i, c := range item.Nodes {
			if (i == 0) != (c.Kind == layout.Text || c.Kind == layout.Image) || i > 0 && (c.Kind != layout.List || !isTight(c)) || i > 1 {
				return false
			}
		}
	}
	return true
}

package layout

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/page"
)

// Notes holds the footnotes of a page: elements, or lines of a block, that are the targets of
// references in the kept text before them.
type Notes struct {
	labels   map[string]string // by the id in the references
	elements map[int32]string  // labels by element
	lines    map[int][]line    // of blocks that hold footnotes, by block
}

// line is a part of the kept text of a block: a footnote, or text before the first one.
type line struct {
	start, end int
	label      string
}

// Label returns the label of the footnote with the given id, or "" if there is none.
func (n *Notes) Label(id string) string { return n.labels[id] }

// Len returns the number of footnotes.
func (n *Notes) Len() int { return len(n.labels) }

// FindNotes returns the footnotes of p whose text and at least one reference are kept. The label of
// a footnote is the text of its reference if it is a number or a word, otherwise the number of the
// footnote.
//
// A footnote is the element with the id of its reference. If footnotes share an element, or the id
// is an anchor within a block, the footnote is the text from the anchor to the next one or to the
// end of the block.
func FindNotes(p *page.Page) *Notes {
	n := &Notes{}
	f := finder{p: p, targets: map[string]*noteTarget{}}
	for i := range p.Blocks {
		if p.Blocks[i].Kept() == "" {
			continue
		}
		text, marks := p.Blocks[i].KeptInline()
		begin := 0 // of the line
		for _, m := range marks {
			switch m.Kind {
			case page.LineBreak:
				begin = m.End
			case page.NoteRef:
				f.reference(i, m.URL, text[m.Start:m.End])
			case page.Anchor:
				if beginsLine(text[begin:m.Start]) {
					f.anchor(i, m.URL, begin)
				}
			}
		}
	}
	if len(f.order) == 0 {
		return n
	}
	f.findElements()
	n.labels, n.elements, n.lines = map[string]string{}, map[int32]string{}, map[int][]line{}
	used := map[string]bool{}
	at := map[[2]int]string{} // labels of lines
	for _, t := range f.order {
		if t.ambiguous || t.element < 0 && (t.at < 0 || len(n.lines[t.block]) == maxLines) {
			continue
		}
		if same := at[[2]int{t.block, t.at}]; same != "" && t.element < 0 {
			n.labels[t.id] = same
			continue
		}
		label := noteLabel(t.ref)
		for k := len(n.labels) + 1; label == "" || used[label]; k++ {
			label = strconv.Itoa(k)
		}
		used[label] = true
		n.labels[t.id] = label
		if t.element >= 0 {
			n.elements[t.element] = label
		} else {
			at[[2]int{t.block, t.at}] = label
			n.lines[t.block] = append(n.lines[t.block], line{start: t.at, label: label})
		}
	}
	for i, lines := range n.lines {
		n.lines[i] = cutLines(lines, len(p.Blocks[i].Kept()))
	}
	return n
}

// maxLines is the maximum number of footnotes in one block, each of which is cut from its text.
const maxLines = 1000

// noteTarget is the target of a reference.
type noteTarget struct {
	id, ref   string // ref is the text of the first reference
	from      int    // the block of the first reference
	ambiguous bool   // references with other numbers have the same target
	block, at int    // of the anchor: its block, and the start of its line; -1 for none
	element   int32  // -1 for none
}

// finder finds footnotes.
type finder struct {
	p       *page.Page
	targets map[string]*noteTarget
	order   []*noteTarget // by first reference
}

// reference records a reference in block i.
func (f *finder) reference(i int, id, ref string) {
	t := f.targets[id]
	if t == nil {
		t = &noteTarget{id: id, ref: ref, from: i, block: -1, at: -1, element: -1}
		f.targets[id] = t
		f.order = append(f.order, t)
	} else if a, b := noteLabel(ref), noteLabel(t.ref); a != "" && b != "" && a != b {
		t.ambiguous = true // "see the notes"
	}
}

// anchor records an anchor in block i after a reference to it.
func (f *finder) anchor(i int, id string, at int) {
	b := &f.p.Blocks[i]
	if t := f.targets[id]; t != nil && t.block < 0 && i > t.from && b.Kind != page.Heading && b.Kind != page.Code && !f.inCell(b.Element) {
		t.block, t.at = i, at
	}
}

// findElements finds the elements of the footnotes.
func (f *finder) findElements() {
	ids := map[string]int32{} // elements by id, -1 for a duplicate id
	for i := range f.p.Elements {
		if id := f.p.Elements[i].ID; f.targets[id] != nil {
			if _, ok := ids[id]; ok {
				ids[id] = -1
			} else {
				ids[id] = int32(i)
			}
		}
	}
	first := firstBlocks(f.p)
	owner := map[int32]*noteTarget{}
	for _, t := range f.order {
		if t.ambiguous {
			continue
		}
		e, ok := ids[t.id]
		if !ok && t.at == 0 && isElement(f.p, f.p.Blocks[t.block].Element) {
			e, ok = f.p.Blocks[t.block].Element, true // of the block that starts with the anchor
		}
		if !ok || e < 0 {
			continue
		}
		if e = f.around(e); e < 0 || f.inCell(e) {
			continue
		}
		i := int(first[e]) - 1 // it has no kept block, or is before the reference
		if i <= t.from || t.block >= 0 && t.block != i || f.p.Blocks[i].Kind == page.Heading || f.p.Blocks[i].Kind == page.Code {
			continue
		}
		if other := owner[e]; other != nil {
			other.element = -1 // only its line
			continue
		}
		owner[e], t.element = t, e
	}
	for _, t := range f.order {
		up := t.element
		switch {
		case t.ambiguous:
			continue
		case up >= 0:
			up = f.p.Elements[up].Parent
		case t.block >= 0:
			up = f.p.Blocks[t.block].Element
		}
		for ; isElement(f.p, up); up = f.p.Elements[up].Parent {
			if other := owner[up]; other != nil {
				other.element = -1 // it contains another footnote
			}
		}
	}
}

// around returns the block element that is e or starts with e, the target of a reference, or -1 for
// the page.
func (f *finder) around(e int32) int32 {
	for e >= 0 && inlineNames[f.p.Elements[e].Name] {
		e = f.p.Elements[e].Parent
	}
	if e < 0 || f.p.Elements[e].Name == "body" || f.p.Elements[e].Name == "html" {
		return -1
	}
	return e
}

// inCell reports whether e is in code or in a table, whose cells hold one line.
func (f *finder) inCell(e int32) bool {
	for up := e; isElement(f.p, up); up = f.p.Elements[up].Parent {
		if el := &f.p.Elements[up]; el.Data || el.Name == "td" || el.Name == "th" || el.Name == "pre" {
			return true
		}
	}
	return false
}

// beginsLine reports whether before, the text of a line before an anchor, is at most a bracket.
func beginsLine(before string) bool { return len(before) <= 2 && strings.Trim(before, "[( ") == "" }

// cutLines sets the ends of the footnotes of a block of n bytes: each ends where the next one
// begins. Text before the first footnote becomes a line without a label.
func cutLines(lines []line, n int) []line {
	slices.SortStableFunc(lines, func(a, b line) int { return a.start - b.start })
	if lines[0].start > 0 {
		lines = slices.Insert(lines, 0, line{})
	}
	for i := range lines {
		if lines[i].end = n; i+1 < len(lines) {
			lines[i].end = lines[i+1].start
		}
	}
	return lines
}

// inlineNames lists the elements that anchors of footnotes consist of.
var inlineNames = map[string]bool{"a": true, "sup": true, "span": true, "b": true, "strong": true, "em": true, "i": true, "small": true, "cite": true}

// firstBlocks returns for each element the index of its first kept block plus one, 0 if it has
// none.
func firstBlocks(p *page.Page) []int32 {
	first := make([]int32, len(p.Elements))
	for i := range p.Blocks {
		if p.Blocks[i].Kept() == "" {
			continue
		}
		for e := p.Blocks[i].Element; isElement(p, e) && first[e] == 0; e = p.Elements[e].Parent {
			first[e] = int32(i) + 1
		}
	}
	return first
}

// maxNoteLabel is the maximum number of characters of a label.
const maxNoteLabel = 8

// noteLabel returns the label for the text of a reference, or "" if it is a symbol or too long.
func noteLabel(ref string) string {
	ref = strings.Trim(ref, "[]() ")
	if ref == "" || utf8.RuneCountInString(ref) > maxNoteLabel {
		return ""
	}
	for i := range len(ref) {
		if c := ref[i]; c < '0' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z' {
			return ""
		}
	}
	return ref
}

// addLines adds the lines of the block with index i to in.
func (b *builder) addLines(in *Node, i int, lines []line) {
	for _, l := range lines {
		text := &Node{Kind: Text, Index: i, Start: l.start, End: l.end, element: b.p.Blocks[i].Element}
		if l.label != "" {
			text = &Node{Kind: Note, Label: l.label, Nodes: []*Node{text}, element: -1}
		}
		in.Nodes = append(in.Nodes, text)
	}
}

// splitNotes separates the footnotes of a list from its other items.
func splitNotes(list *Node) (items, notes []*Node) {
	for _, c := range list.Nodes {
		if c.Kind == Note {
			notes = append(notes, c)
		} else {
			items = append(items, c)
		}
	}
	return items, notes
}

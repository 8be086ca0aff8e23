package layout

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"chaffinch/page"
)

// Notes holds the footnotes of a page: elements that references in the kept
// text before them lead to.
type Notes struct {
	labels   map[string]string // by the id that references lead to
	elements map[int32]string  // labels by element
}

// Label returns the label of the footnote that a reference to id leads to, ""
// if there is no such footnote.
func (n *Notes) Label(id string) string { return n.labels[id] }

// Len returns the number of footnotes.
func (n *Notes) Len() int { return len(n.elements) }

// FindNotes returns the footnotes of p whose text and at least one reference
// are kept. A label is the text of the reference where that is a number or a
// word, and the number of the footnote otherwise.
func FindNotes(p *page.Page) *Notes {
	n := &Notes{}
	ids := map[string]int32{} // elements by id, -1 for an id that is there twice
	for i := range p.Elements {
		if id := p.Elements[i].ID; id != "" {
			if _, ok := ids[id]; ok {
				ids[id] = -1
			} else {
				ids[id] = int32(i)
			}
		}
	}
	if len(ids) == 0 {
		return n
	}
	var first []int32          // by element, the first kept block in it plus one
	used := map[string]bool{}  // labels
	refs := map[int32]string{} // ids by the element of the note
	shared := map[int32]bool{} // elements that several notes are in
	for i := range p.Blocks {
		if p.Blocks[i].Kept() == "" {
			continue
		}
		text, marks := p.Blocks[i].KeptInline()
		for _, m := range marks {
			if m.Kind != page.NoteRef || n.labels[m.URL] != "" {
				continue
			}
			e, ok := ids[m.URL]
			if !ok || e < 0 {
				continue
			}
			if e, ok = noteElement(p, e); !ok {
				continue
			}
			if first == nil {
				first = firstBlocks(p)
			}
			if first[e] <= int32(i)+1 { // nothing is kept of it, or it is before the reference
				continue
			}
			if id, ok := refs[e]; ok && id != m.URL {
				shared[e] = true
				continue
			}
			if n.labels == nil {
				n.labels, n.elements = map[string]string{}, map[int32]string{}
			}
			label := noteLabel(text[m.Start:m.End])
			for k := len(refs) + 1; label == "" || used[label]; k++ {
				label = strconv.Itoa(k)
			}
			used[label] = true
			refs[e], n.labels[m.URL], n.elements[e] = m.URL, label, label
		}
	}
	for e := range shared {
		delete(n.labels, refs[e])
		delete(n.elements, e)
	}
	return n
}

// noteElement returns the block element that e, the target of a reference, is
// or begins. It reports false in tables, whose cells hold one line.
func noteElement(p *page.Page, e int32) (int32, bool) {
	for e >= 0 && inlineNames[p.Elements[e].Name] {
		e = p.Elements[e].Parent
	}
	if e < 0 || p.Elements[e].Name == "body" || p.Elements[e].Name == "html" {
		return -1, false
	}
	for up := e; up >= 0; up = p.Elements[up].Parent {
		if el := &p.Elements[up]; el.Data || el.Name == "td" || el.Name == "th" || el.Name == "pre" {
			return -1, false
		}
	}
	return e, true
}

// inlineNames are elements that anchors of footnotes are made of.
var inlineNames = map[string]bool{"a": true, "sup": true, "span": true, "b": true, "strong": true, "em": true, "i": true, "small": true, "cite": true}

// firstBlocks returns for each element the index of the first kept block in it
// plus one, 0 if it holds none.
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

// maxNoteLabel bounds the characters of a label.
const maxNoteLabel = 8

// noteLabel returns the label that the text of a reference is, "" if it is a
// sign or too long.
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

// splitNotes parts the footnotes in a list from its other items.
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

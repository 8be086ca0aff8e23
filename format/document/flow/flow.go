// Package flow writes the paragraphs, lists, tables and notes of word processors as HTML.
// Their files contain lists as paragraphs with a level, and notes where they are referred to.
//
// Unstable: this package may change in any release.
package flow

import (
	"slices"
	"strconv"
	"strings"

	"chaffinch/format/document"
)

// Style is a set of properties of text.
type Style uint8

// The properties of text.
const (
	Bold Style = 1 << iota
	Italic
	Super
	Sub
)

// elements contains the element of each property, in the order in which they are nested.
var elements = [...]string{"b", "i", "sup", "sub"}

// Span is a piece of text. In text, a line feed is a line break.
type Span struct {
	Text  string
	Style Style
	Href  string // address of a link, "" for none
	Note  int    // number of a note, from 1: the span is the reference
	Math  string // element math of HTML: the span is the formula
}

// Para is a paragraph.
type Para struct {
	// Tag is the element: p, h1 to h6, pre, or caption within a table.
	Tag  string
	Role string // value of the attribute role, such as [document.Contents]
	Lang string // language if it differs from the language of the document
	// Depth is the depth of the list of which the paragraph is an item, 0 for none.
	Depth int
	// Ordered reports whether the items of the list are numbered. ListID distinguishes lists that
	// follow one another.
	Ordered bool
	ListID  string
	// More reports whether the paragraph continues the item before it.
	More  bool
	Spans []Span
}

// Cell is a cell of a table. Cols and Rows are the columns and rows that it covers, at least 1.
type Cell struct {
	Cols, Rows int
	Head       bool
	Blocks     []Block
}

// Table is a table.
type Table struct {
	Caption []Span
	Rows    [][]Cell
}

// Block is a paragraph, a table, or an element with blocks.
type Block struct {
	Para  *Para
	Table *Table
	// Tag and Role describe an element with the blocks within, such as an aside.
	Tag, Role string
	Within    []Block
}

// Text returns the text of spans without references.
func Text(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		if s.Note == 0 {
			b.WriteString(s.Text)
		}
	}
	return strings.TrimSpace(b.String())
}

// maxJoined is the length of a span from which no text is joined to it.
const maxJoined = 4096

// Add appends a span. It joins text with the last span if both are alike.
func (p *Para) Add(s Span) {
	if s.Text == "" && s.Note == 0 && s.Math == "" {
		return
	}
	if n := len(p.Spans); n > 0 && s.Note == 0 && p.Spans[n-1].Note == 0 && s.Math == "" && p.Spans[n-1].Math == "" && len(p.Spans[n-1].Text) < maxJoined && p.Spans[n-1].Style == s.Style && p.Spans[n-1].Href == s.Href {
		p.Spans[n-1].Text += s.Text
		return
	}
	p.Spans = append(p.Spans, s)
}

// Empty reports whether the paragraph has neither text nor a formula nor a reference to a note.
func (p *Para) Empty() bool {
	return Text(p.Spans) == "" && !slices.ContainsFunc(p.Spans, func(s Span) bool { return s.Note > 0 || s.Math != "" })
}

// maxLists is the greatest depth of lists.
const maxLists = 10

// maxCover is the most columns or rows that a cell covers.
const maxCover = 1000

// Writer writes blocks. Lists and parts with a role are closed when a block is not in them.
type Writer struct {
	b     *document.Builder
	lists []list
	role  string // of the open part
	// code is the number of line ends before the next line of the open code, 0 for none; codeLang is
	// the language of the code.
	code     int
	codeLang string
}

type list struct {
	ordered bool
	id      string
}

// NewWriter returns a writer to b.
func NewWriter(b *document.Builder) *Writer { return &Writer{b: b} }

// Full reports whether the limit of the document is reached.
func (w *Writer) Full() bool { return w.b.Full() }

// Blocks writes blocks.
func (w *Writer) Blocks(blocks []Block) {
	for i := range blocks {
		w.Block(&blocks[i])
	}
}

// Block writes a block. A paragraph without text is left out.
func (w *Writer) Block(k *Block) {
	switch {
	case k.Para != nil:
		w.para(k.Para)
	case k.Table != nil:
		w.Flush()
		w.table(k.Table)
	case !empty(k.Within):
		w.Flush()
		tag := k.Tag
		if tag == "" {
			tag = "div"
		}
		w.b.Start(tag, "role", k.Role)
		w.within(k.Within)
		w.b.End()
	}
}

// within writes blocks within the current element.
func (w *Writer) within(blocks []Block) {
	inner := NewWriter(w.b)
	inner.Blocks(blocks)
	inner.Flush()
}

// empty reports whether blocks have no text.
func empty(blocks []Block) bool {
	for i := range blocks {
		k := &blocks[i]
		if k.Table != nil || k.Para != nil && Text(k.Para.Spans) != "" || !empty(k.Within) {
			return false
		}
	}
	return true
}

// Flush closes the open lists and the open part.
func (w *Writer) Flush() {
	w.endCode()
	w.closeLists(0)
	if w.role != "" {
		w.b.End()
		w.role = ""
	}
}

// closeLists closes lists deeper than depth. Each list has two open elements: itself and an item.
func (w *Writer) closeLists(depth int) {
	for len(w.lists) > depth {
		w.lists = w.lists[:len(w.lists)-1]
		w.b.End()
		w.b.End()
	}
}

// endCode closes the open code.
func (w *Writer) endCode() {
	if w.code > 0 {
		w.b.End()
		w.code = 0
	}
}

// para writes a paragraph. Consecutive paragraphs of code are lines of one element.
func (w *Writer) para(p *Para) {
	isCode := p.Tag == "pre" && p.Depth == 0 && p.Role == ""
	if p.Empty() {
		if isCode && w.code > 0 {
			w.code++
		}
		return
	}
	if !isCode || p.Lang != w.codeLang {
		w.endCode()
	}
	if isCode {
		if w.code == 0 {
			w.Flush()
			w.b.Start("pre", "lang", p.Lang)
		}
		w.b.Text(strings.Repeat("\n", w.code))
		w.spans(p.Spans, true)
		w.code, w.codeLang = 1, p.Lang
		return
	}
	// Paragraphs of a table of contents become one part. Other parts have one paragraph each.
	role, own := p.Role, p.Role
	if role == document.Contents {
		own = ""
	} else {
		role = ""
	}
	if role != w.role {
		w.Flush()
		if role != "" {
			w.b.Start("nav", "role", role)
			w.role = role
		}
	}
	depth := min(p.Depth, maxLists)
	if depth == 0 {
		w.closeLists(0)
		tag := p.Tag
		if tag == "" {
			tag = "p"
		}
		w.b.Start(tag, "role", own, "lang", p.Lang)
		w.spans(p.Spans, tag == "pre")
		w.b.End()
		return
	}
	if p.More && len(w.lists) >= depth {
		w.closeLists(depth)
		w.b.Start("p", "lang", p.Lang)
		w.spans(p.Spans, false)
		w.b.End()
		return
	}
	w.closeLists(depth)
	if n := len(w.lists); n == depth && (w.lists[n-1].ordered != p.Ordered || w.lists[n-1].id != p.ListID) {
		w.closeLists(depth - 1)
	}
	if len(w.lists) == depth {
		w.b.End()
		w.b.Start("li", "lang", p.Lang)
	}
	for len(w.lists) < depth {
		w.lists = append(w.lists, list{p.Ordered, p.ListID})
		tag := "ul"
		if p.Ordered {
			tag = "ol"
		}
		w.b.Start(tag)
		lang := ""
		if len(w.lists) == depth {
			lang = p.Lang
		}
		w.b.Start("li", "lang", lang)
	}
	if heading := len(p.Tag) == 2 && p.Tag[0] == 'h'; heading {
		w.b.Start(p.Tag)
		w.spans(p.Spans, false)
		w.b.End()
	} else {
		w.spans(p.Spans, false)
	}
}

// spans writes text with its links and styles.
func (w *Writer) spans(spans []Span, pre bool) {
	href := ""
	for i := range spans {
		s := &spans[i]
		if s.Href != href {
			if href != "" {
				w.b.End()
			}
			if href = s.Href; href != "" {
				w.b.Start("a", "href", href)
			}
		}
		if s.Note > 0 {
			n := strconv.Itoa(s.Note)
			w.b.Start("a", "href", "#note-"+n, "role", document.NoteRef)
			w.b.Block("sup", n)
			w.b.End()
			continue
		}
		if s.Math != "" {
			w.b.HTML(s.Math)
			continue
		}
		open := 0
		if strings.TrimSpace(s.Text) != "" {
			for j, e := range elements {
				if s.Style&(1<<j) != 0 {
					w.b.Start(e)
					open++
				}
			}
		}
		w.lines(s.Text, pre)
		for range open {
			w.b.End()
		}
	}
	if href != "" {
		w.b.End()
	}
}

// lines writes text. Line feeds become line breaks.
func (w *Writer) lines(text string, pre bool) {
	for first := true; ; first = false {
		if !first && pre {
			w.b.Text("\n")
		} else if !first {
			w.b.Void("br")
		}
		line, rest, more := strings.Cut(text, "\n")
		w.b.Text(line)
		if !more {
			return
		}
		text = rest
	}
}

func (w *Writer) table(t *Table) {
	if len(t.Rows) == 0 {
		return
	}
	w.b.Start("table")
	if Text(t.Caption) != "" {
		w.b.Start("caption")
		w.spans(t.Caption, false)
		w.b.End()
	}
	for _, row := range t.Rows {
		w.b.Start("tr")
		for i := range row {
			c := &row[i]
			tag := "td"
			if c.Head {
				tag = "th"
			}
			w.b.Start(tag, "colspan", cover(c.Cols), "rowspan", cover(c.Rows))
			if len(c.Blocks) == 1 && c.Blocks[0].Para != nil && c.Blocks[0].Para.Depth == 0 && c.Blocks[0].Para.Tag == "" {
				w.spans(c.Blocks[0].Para.Spans, false)
			} else {
				w.within(c.Blocks)
			}
			w.b.End()
		}
		w.b.End()
	}
	w.b.End()
}

// cover returns the value of an attribute colspan or rowspan, "" for 1.
func cover(n int) string {
	if n <= 1 {
		return ""
	}
	return strconv.Itoa(min(n, maxCover))
}

// Note writes the note of a number.
func (w *Writer) Note(n int, blocks []Block) {
	w.Flush()
	w.b.Start("aside", "role", document.Footnote, "id", "note-"+strconv.Itoa(n))
	w.within(blocks)
	w.b.End()
}

// WebLink returns an address that a document links to if it is one of the web or of mail; "" otherwise.
func WebLink(address string) string {
	address = strings.TrimSpace(address)
	scheme, _, _ := strings.Cut(address, ":")
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto":
		return address
	}
	return ""
}

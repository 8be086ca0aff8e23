package latex

import (
	"context"
	"strings"

	"chaffinch/format/document"
)

// writer writes LaTeX as HTML.
type writer struct {
	ctx     context.Context
	b       *document.Builder
	macros  map[string]user
	left    int // bytes that macros may still write
	depth   int // of arguments and macros
	top     int // level of sections
	notes   []string
	stack   []scope         // open groups and environments
	over    int             // open groups that are not in stack
	para    int             // depth of the open paragraph, 0 for none
	flow    bool            // the current element contains text without paragraphs
	space   bool            // a space precedes the next text
	fresh   bool            // the current element has no text yet
	hole    bool            // a macro without text precedes the next text
	missing map[string]bool // ends that the rest of the text does not contain
	flat    *strings.Builder
}

// scope is an open group or environment.
type scope struct {
	name   string // of an environment, "" for a group
	depth  int    // of the elements around it
	flow   bool
	cells  bool // of a table
	headed bool // the head of a long table was read
	block  bool // the group is a block, such as a heading
}

// fork returns a writer with the same macros, whose text is not part of the document.
func (w *writer) fork() *writer {
	return &writer{ctx: w.ctx, b: document.NewBuilder(document.Limits{}), macros: w.macros, left: w.left, missing: map[string]bool{}, flat: new(strings.Builder), depth: 1}
}

// plain returns the text of LaTeX without elements.
func (w *writer) plain(text string) string {
	w.flat.Reset()
	w.stack, w.space, w.missing = w.stack[:0], false, map[string]bool{}
	w.run(text)
	return strings.Join(strings.Fields(w.flat.String()), " ")
}

func (w *writer) done() bool { return w.b.Full() || w.ctx.Err() != nil }

// text writes text, in a paragraph if the current element has none.
func (w *writer) text(s string) {
	if s == "" {
		return
	}
	if w.hole && strings.IndexByte(".,;:)]", s[0]) >= 0 {
		w.space = false
	}
	if w.flat != nil {
		if w.space {
			w.flat.WriteByte(' ')
		}
		w.space = false
		w.flat.WriteString(s)
		return
	}
	w.begin()
	w.blank()
	w.b.Text(s)
}

// blank writes a space if one precedes the next text.
func (w *writer) blank() {
	if w.space && !w.fresh {
		w.b.Text(" ")
	}
	w.space, w.fresh, w.hole = false, false, false
}

// begin opens a paragraph if there is none.
func (w *writer) begin() {
	if w.para == 0 && !w.flow && w.flat == nil {
		w.space = false
		w.b.Start("p")
		w.para, w.fresh = w.b.Depth(), true
	}
}

// endPara ends the paragraph.
func (w *writer) endPara() {
	w.space = false
	if w.para > 0 {
		w.b.Close(w.para - 1)
		w.para = 0
	}
}

// start opens an element within text.
func (w *writer) start(name string, attrs ...string) {
	if w.flat != nil {
		return
	}
	w.begin()
	w.blank()
	w.b.Start(name, attrs...)
}

// block opens an element outside paragraphs.
func (w *writer) block(name string, flow bool, attrs ...string) {
	if w.flat != nil {
		return
	}
	w.endPara()
	w.b.Start(name, attrs...)
	w.flow, w.fresh = flow, true
}

// push opens a scope. Elements that are opened until it ends are closed with it.
func (w *writer) push(s scope) {
	s.depth, s.flow = w.b.Depth(), w.flow
	w.stack = append(w.stack, s)
}

// pop ends the last scope.
func (w *writer) pop() {
	s := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	if w.flat != nil {
		return
	}
	if s.name != "" || s.block {
		w.endPara()
	}
	if w.para == 0 || w.para <= s.depth {
		w.b.Close(s.depth)
	}
	if s.name != "" || s.block {
		w.flow = s.flow
	}
}

// item begins an item of the current list.
func (w *writer) item(label string) {
	i := len(w.stack) - 1
	for i >= 0 && (w.stack[i].name == "" || !lists[w.stack[i].name]) {
		i--
	}
	if i < 0 || w.flat != nil {
		return
	}
	w.stack = w.stack[:i+1]
	w.endPara()
	w.b.Close(w.stack[i].depth + 1)
	if w.stack[i].name == "description" {
		w.b.Start("dt")
		w.flow, w.fresh = true, true
		w.run(label)
		w.endPara()
		w.b.Close(w.stack[i].depth + 1)
		w.b.Start("dd")
		w.fresh = true
	} else {
		w.b.Start("li")
		w.fresh = true
		if label != "" && len(label) < 200 {
			w.flow = true
			w.run(label)
			w.space = true
		}
	}
	w.flow = true
}

// table returns the innermost table, nil if the text is in none.
func (w *writer) table() *scope {
	for i := len(w.stack) - 1; i >= 0; i-- {
		if w.stack[i].cells {
			return &w.stack[i]
		}
		if w.stack[i].name != "" {
			return nil
		}
	}
	return nil
}

// cell begins a cell of the current table.
func (w *writer) cell(t *scope, row bool, attrs ...string) {
	w.endPara()
	depth := t.depth + 1 // of the rows
	if row {
		w.b.Close(depth)
		w.space = false
		return
	}
	w.b.Close(depth + 1)
	w.b.Start("td", attrs...)
	w.flow, w.space, w.fresh = true, false, true
}

// open begins a row and a cell if there is none.
func (w *writer) open(t *scope) {
	if w.b.Depth() == t.depth+1 {
		w.b.Start("tr")
	}
	if w.b.Depth() == t.depth+2 {
		w.cell(t, false)
	}
}

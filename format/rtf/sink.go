package rtf

import (
	"chaffinch/format/document/flow"
)

// sink collects the paragraphs of the text, of a note, or of a running head.
type sink struct {
	emit   func(flow.Block)
	done   func()
	para   flow.Para
	langs  map[int]int
	tables []*table // tables that are open, nested
}

// lang counts the bytes of a language in the paragraph.
func (s *sink) lang(id, n int) {
	if s.langs == nil {
		s.langs = map[int]int{}
	}
	s.langs[id] += n
}

// pushNote begins a note. Its reference belongs to the current paragraph.
func (r *reader) pushNote() {
	r.notes = append(r.notes, nil)
	n := len(r.notes)
	r.sinks[len(r.sinks)-1].para.Add(flow.Span{Note: n})
	r.push(func(k flow.Block) { r.notes[n-1] = append(r.notes[n-1], k) }, nil)
}

// pushPart begins a running head or foot.
func (r *reader) pushPart(tag, role string) {
	k := &flow.Block{Tag: tag, Role: role}
	r.push(func(b flow.Block) { k.Within = append(k.Within, b) }, func() {
		if len(r.parts) < 64 {
			r.parts = append(r.parts, *k)
		}
	})
}

// pushBox begins a text box. Its paragraphs precede the current one.
func (r *reader) pushBox() {
	to := r.sinks[len(r.sinks)-1]
	r.push(func(k flow.Block) { to.put(k, 0) }, nil)
}

func (r *reader) push(emit func(flow.Block), done func()) {
	r.g.part = emit
	r.g.para, r.g.href = noParagraph, ""
	r.g.bold, r.g.italic, r.g.raised = false, false, 0
	r.sinks = append(r.sinks, &sink{emit: emit, done: done})
}

// popSink ends a note, running head or text box.
func (r *reader) popSink() {
	s := r.sinks[len(r.sinks)-1]
	s.close(r)
	r.sinks = r.sinks[:len(r.sinks)-1]
	if s.done != nil {
		s.done()
	}
}

// close ends the last paragraph and all tables.
func (s *sink) close(r *reader) {
	r.endPara(s, 0)
	s.closeTables(0)
}

// put emits a block at a depth of tables.
func (s *sink) put(k flow.Block, depth int) {
	if depth == 0 {
		s.emit(k)
		return
	}
	t := s.tables[depth-1]
	t.blocks = append(t.blocks, k)
}

// endPara ends the current paragraph at a depth of tables.
func (r *reader) endPara(s *sink, depth int) {
	p := s.para
	s.para = flow.Para{}
	langs := s.langs
	s.langs = nil
	if p.Empty() {
		if depth > 0 || len(s.tables) == 0 {
			return
		}
		s.closeTables(0)
		return
	}
	s.closeTables(depth)
	for len(s.tables) < depth {
		s.tables = append(s.tables, &table{})
	}
	props := noParagraph
	if r.g != nil {
		props = r.g.para
	}
	r.describe(&p, props)
	most := 0
	for id, n := range langs {
		if n > langs[most] || n == langs[most] && id < most {
			most = id
		}
	}
	if lang := languageOf(most); lang != languageOf(r.lang) {
		p.Lang = lang
	}
	s.put(flow.Block{Para: &p}, depth)
}

// describe sets the element, role and list of a paragraph.
func (r *reader) describe(p *flow.Para, props paragraph) {
	role, tag, outline := r.styleOf(props.style)
	p.Role, p.Tag = role, tag
	if props.outline >= 0 {
		outline = props.outline
	}
	if outline >= 0 && outline < 9 && role == "" && tag != "figcaption" {
		p.Tag = "h" + string(rune('1'+min(outline, 5)))
	}
	if p.Tag != "" || p.Role != "" {
		return
	}
	old := props.bullet || props.numbered
	switch format, ok := r.listed.format(props.list, props.level); {
	case props.list > 0 && ok && format != noFormat:
		p.Depth, p.Ordered, p.ListID = props.level+1, format != bulletFormat, string(rune(props.list))
	case old && !ok:
		p.Depth, p.Ordered = 1, props.numbered
	}
}

// paraWord reads a control word of paragraphs and tables.
func (r *reader) paraWord(word string, n int) {
	g, s := r.g, r.sinks[len(r.sinks)-1]
	switch word {
	case "par", "sect":
		r.endPara(s, g.para.depth())
	case "pard":
		g.para = noParagraph
	case "s":
		g.para.style = n
	case "ls":
		g.para.list = n
	case "ilvl":
		g.para.level = max(0, min(n, 8))
	case "outlinelevel":
		g.para.outline = n
	case "intbl":
		g.para.table = true
	case "itap":
		g.para.nesting, g.para.table = max(1, min(n, maxNesting)), n > 0
	case "pnlvlblt":
		r.outer().bullet = true
	case "pnlvlbody", "pnlvl":
		r.outer().numbered = true
	case "trowd":
		s.table(g.para.depth()).defs = nil
		s.table(g.para.depth()).def = cellDef{}
	case "trhdr":
		s.table(g.para.depth()).head = true
	case "clmgf", "clmrg", "clvmgf", "clvmrg":
		s.table(g.para.depth()).define(word)
	case "cellx":
		s.table(g.para.depth()).edge(n)
	case "cell":
		r.endPara(s, 1)
		s.table(1).endCell()
	case "nestcell":
		r.endPara(s, max(2, g.para.nesting))
		s.table(max(2, g.para.nesting)).endCell()
	case "row":
		s.closeTables(1)
		s.table(1).endRow()
	case "nestrow":
		s.closeTables(max(2, g.para.nesting))
		s.table(max(2, g.para.nesting)).endRow()
	}
}

// outer returns the properties of the paragraph that the group of an old list belongs to.
func (r *reader) outer() *paragraph {
	if n := len(r.groups); n > 1 {
		return &r.groups[n-2].para
	}
	return &r.g.para
}

// maxNesting is the greatest depth of tables.
const maxNesting = 16

// depth returns the depth of tables of a paragraph.
func (p *paragraph) depth() int {
	if !p.table {
		return 0
	}
	return p.nesting
}

package office

import (
	"context"
	"slices"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/internal/xmltoken"
	"chaffinch/page"
)

// docx reads a DOCX document.
type docx struct {
	*pack
	styles map[string]*style
	normal string // default style of paragraphs
	base   runProps
	nums   map[string]*levels
	links  map[string]string // numberings to styles that define them
	lang   string            // of the document

	rels     map[string]relation // of the current part
	fields   []field
	notes    []note
	numbers  map[note]int
	sections []section // running heads and feet in the order of their first use
	used     map[string]bool
	initial  []flow.Span // letters that begin the next paragraph
	role     string      // of paragraphs in the current part of the document
}

// note identifies a note.
type note struct{ part, id string }

// section is a part with a running head or foot.
type section struct{ part, tag, role string }

// field is a field that is open. Its result follows its instruction.
type field struct {
	instruction string
	result      bool
}

// maxInstruction is the most bytes of an instruction of a field that are read.
const maxInstruction = 4096

// DOCX reads a DOCX document. Errors are from ctx.
func DOCX(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	p, drop := open(ctx, raw, limits)
	if drop != page.None {
		return document.Document{Drop: drop}, ctx.Err()
	}
	d := &docx{pack: p, styles: map[string]*style{}, nums: map[string]*levels{}, links: map[string]string{}, numbers: map[note]int{}, used: map[string]bool{}}
	main, core := p.main("word/document.xml")
	text := p.doc.Text(main)
	if text == "" {
		return document.Document{Drop: page.Damaged}, ctx.Err()
	}
	rels, ids := p.relations(main)
	part := func(kind string) string {
		if name := first(rels, ids, kind); name != "" {
			return name
		}
		return "word/" + kind + ".xml"
	}
	d.readStyles(part("styles"))
	d.readNumbering(part("numbering"))
	meta := p.properties(core)
	if meta.Lang == "" {
		meta.Lang = d.style(d.normal).run.over(d.base).lang
	}
	d.lang = meta.Lang
	b := document.NewBuilder(limits)
	b.Head(meta)
	w := flow.NewWriter(b)
	emit := func(k flow.Block) { w.Block(&k) }
	d.rels = rels
	d.blocks(newXML(text), emit, w.Full)
	text = ""
	d.writeNotes(w, map[string]string{"footnote": part("footnotes"), "endnote": part("endnotes")})
	w.Flush()
	for _, s := range d.sections {
		if within := d.part(s.part); len(within) > 0 {
			w.Block(&flow.Block{Tag: s.tag, Role: s.role, Within: within})
		}
	}
	return p.doc.Document(b)
}

// part returns the blocks of a part.
func (d *docx) part(name string) (blocks []flow.Block) {
	d.rels, _ = d.relations(name)
	d.fields = nil
	d.blocks(d.xml(name), func(k flow.Block) { blocks = append(blocks, k) }, nil)
	return blocks
}

// writeNotes writes the notes that the text refers to.
func (d *docx) writeNotes(w *flow.Writer, parts map[string]string) {
	texts := map[note][]flow.Block{}
	for _, kind := range [...]string{"footnote", "endnote"} {
		if len(d.notes) == 0 {
			return
		}
		d.rels, _ = d.relations(parts[kind])
		d.fields = nil
		x := d.xml(parts[kind])
		for d.next(x) {
			if x.Kind != xmltoken.Start || x.Name != "w:"+kind {
				continue
			}
			n := note{kind, x.Attr("w:id")}
			if _, wanted := d.numbers[n]; !wanted || texts[n] != nil {
				x.Skip()
				continue
			}
			d.blocks(x, func(k flow.Block) { texts[n] = append(texts[n], k) }, nil)
		}
	}
	for i, n := range d.notes {
		w.Note(i+1, texts[n])
	}
}

// blocks reads the blocks within the current element, or of all of x, until full reports true.
func (d *docx) blocks(x *xmltoken.Reader, emit func(flow.Block), full func() bool) {
	depth, role, placeholder := x.Depth(), d.role, false
	for d.next(x) {
		if x.Kind == xmltoken.End && depth > 0 && x.Depth() < depth || full != nil && full() {
			break
		}
		if x.Kind == xmltoken.End && x.Name == "w:sdt" {
			d.role, placeholder = role, false
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "w:p":
			d.paragraph(x, emit)
		case "w:tbl":
			d.table(x, emit)
		case "w:sdtPr":
			placeholder = d.control(x)
		case "w:sdtContent":
			if placeholder {
				x.Skip()
			}
		case "w:sectPr":
			d.section(x)
		case "w:del", "w:moveFrom":
			x.Skip()
		}
	}
	d.role = role
}

// control reads the properties of a content control and reports whether it shows a placeholder.
func (d *docx) control(x *xmltoken.Reader) (placeholder bool) {
	d.each(x, func() {
		switch x.Name {
		case "w:showingPlcHdr":
			placeholder = isOn(x.Attr("w:val"))
		case "w:docPartGallery":
			switch x.Attr("w:val") {
			case "Table of Contents":
				d.role = document.Contents
			case "Bibliographies":
				d.role = document.Bibliography
			}
		case "w:bibliography":
			d.role = document.Bibliography
		}
	})
	return placeholder
}

// section reads the properties of a section.
func (d *docx) section(x *xmltoken.Reader) {
	d.each(x, func() {
		s := section{tag: "header", role: document.PageHeader}
		switch x.Name {
		case "w:headerReference":
		case "w:footerReference":
			s = section{tag: "footer", role: document.PageFooter}
		default:
			return
		}
		if s.part = d.rels[x.Attr("r:id")].target; s.part != "" && !d.used[s.part] {
			d.used[s.part] = true
			d.sections = append(d.sections, s)
		}
	})
}

// paragraph reads a paragraph. Text boxes follow it.
func (d *docx) paragraph(x *xmltoken.Reader, emit func(flow.Block)) {
	props := paraProps{level: -1, outline: -1}
	s := d.style(d.normal)
	para := &flow.Para{}
	var boxes []flow.Block
	box := func(k flow.Block) { boxes = append(boxes, k) }
	var own, run runProps // properties of the run alone, and with the inherited ones
	inherit := func() { run = own.over(d.style(own.style).run).over(s.run).over(d.base) }
	inherit()
	href, placeholder := "", false
	langs := map[string]int{}
	add := func(text string) {
		if run.hidden == on || len(d.fields) > 0 && !d.fields[len(d.fields)-1].result {
			return
		}
		link := href
		if link == "" {
			link = d.fieldLink()
		}
		styled := own.over(d.style(own.style).run).flow()
		para.Add(flow.Span{Text: text, Style: styled, Href: link})
		langs[run.language(text)] += len(text)
	}
	for depth := x.Depth(); d.next(x); {
		if x.Kind == xmltoken.End {
			if x.Depth() < depth {
				break
			}
			switch x.Name {
			case "w:hyperlink":
				href = ""
			case "w:fldSimple":
				d.endField()
			case "w:sdt":
				placeholder = false
			case "w:r":
				own = runProps{}
				inherit()
			}
			continue
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "w:pPr":
			props = d.paraProps(x)
			if props.style != "" {
				s = d.style(props.style)
			}
			inherit()
		case "w:rPr":
			own = d.runProps(x)
			inherit()
		case "w:t", "m:t":
			text := d.content(x)
			if own.symbol {
				text = flow.Symbols(text)
			}
			add(text)
		case "w:tab", "w:ptab":
			add("\t")
		case "w:br", "w:cr":
			add("\n")
		case "w:noBreakHyphen":
			add("\u2011")
		case "w:softHyphen":
			add("\u00ad")
		case "w:sym":
			add(symbol(x.Attr("w:font"), x.Attr("w:char")))
		case "w:hyperlink":
			href = flow.WebLink(d.rels[x.Attr("r:id")].target)
		case "w:fldSimple":
			d.fields = append(d.fields, field{x.Attr("w:instr"), true})
		case "w:fldChar":
			d.fieldChar(x.Attr("w:fldCharType"))
		case "w:instrText":
			d.instruction(d.content(x))
		case "w:footnoteReference", "w:endnoteReference":
			if run.hidden != on {
				para.Add(flow.Span{Note: d.noteNumber(strings.TrimSuffix(x.Name[2:], "Reference"), x.Attr("w:id"))})
			}
		case "w:txbxContent":
			d.blocks(x, box, nil)
		case "w:p":
			d.paragraph(x, box)
		case "w:tbl":
			d.table(x, box)
		case "w:sdtPr":
			placeholder = d.control(x)
		case "w:sdtContent":
			if placeholder {
				x.Skip()
			}
		case "w:del", "w:moveFrom", "w:delText", "w:delInstrText", "w:rt", "w:fldData":
			x.Skip()
		}
	}
	d.describe(para, &props, s, langs)
	if props.dropCap && len(d.initial) == 0 {
		d.initial = para.Spans
	} else {
		if len(d.initial) > 0 {
			para.Spans = slices.Concat(d.initial, para.Spans)
			d.initial = nil
		}
		emit(flow.Block{Para: para})
	}
	for _, k := range boxes {
		emit(k)
	}
}

// describe sets the element, role, list and language of a paragraph.
func (d *docx) describe(para *flow.Para, props *paraProps, s *style, langs map[string]int) {
	para.Role, para.Tag = s.role, s.tag
	if d.role != "" {
		para.Role = d.role
	}
	outline := props.outline
	if outline < 0 {
		outline = s.para.outline
	}
	if outline >= 0 && outline < 9 && para.Role == "" && para.Tag != "figcaption" {
		para.Tag = "h" + string(rune('1'+min(outline, 5)))
	}
	num, level := props.num, props.level
	if num == "" {
		num = s.para.num
	}
	if level < 0 {
		level = max(s.para.level, 0)
	}
	if format := d.listFormat(num, level); format != "none" && para.Tag == "" && para.Role == "" {
		para.Depth, para.Ordered, para.ListID = level+1, format != "bullet", num
	}
	if most := mostFrequent(langs); !strings.EqualFold(most, d.lang) {
		para.Lang = most
	}
}

// noteNumber returns the number of a note in the order of references.
func (d *docx) noteNumber(part, id string) int {
	n := note{part, id}
	if d.numbers[n] == 0 {
		d.notes = append(d.notes, n)
		d.numbers[n] = len(d.notes)
	}
	return d.numbers[n]
}

// fieldChar begins a field, its result, or ends it.
func (d *docx) fieldChar(kind string) {
	switch kind {
	case "begin":
		if len(d.fields) < 64 {
			d.fields = append(d.fields, field{})
		}
	case "separate":
		if n := len(d.fields); n > 0 {
			d.fields[n-1].result = true
		}
	case "end":
		d.endField()
	}
}

func (d *docx) endField() {
	if n := len(d.fields); n > 0 {
		d.fields = d.fields[:n-1]
	}
}

// instruction adds to the instruction of the last field.
func (d *docx) instruction(text string) {
	if n := len(d.fields); n > 0 && len(d.fields[n-1].instruction)+len(text) < maxInstruction {
		d.fields[n-1].instruction += text
	}
}

// fieldLink returns the address that open fields link to.
func (d *docx) fieldLink() string {
	for i := len(d.fields) - 1; i >= 0; i-- {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(d.fields[i].instruction), "HYPERLINK"); ok {
			_, rest, _ = strings.Cut(rest, `"`)
			address, _, _ := strings.Cut(rest, `"`)
			return flow.WebLink(address)
		}
	}
	return ""
}

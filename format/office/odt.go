package office

import (
	"bytes"
	"context"
	"path"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/format/internal/xmldoc"
	"chaffinch/internal/xmltoken"
	"chaffinch/page"
	"chaffinch/text/charset"
)

// odt reads an ODT document.
type odt struct {
	*pack
	styles  map[string]*odtStyle
	lists   map[string]*[10]bool // list styles: whether a level is numbered
	lang    string               // of the document
	masters []flow.Block         // running heads and feet

	notes [][]flow.Block
	role  string

	formulas map[string]string // by the names of their files
}

// odtStyle is a style of paragraphs, text or sections.
type odtStyle struct {
	parent, list         string
	bold, italic, hidden toggle
	raised               int8 // 1 above, -1 below the line
	lang, country        string
	outline              int
	resolved             bool
	role, tag            string
	display              string // name that users see
}

// ODT reads an ODT document, a package or one XML file. Errors are from ctx.
func ODT(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	o := &odt{styles: map[string]*odtStyle{}, lists: map[string]*[10]bool{}, formulas: map[string]string{}}
	var content, meta, common string
	if bytes.HasPrefix(bytes.TrimLeft(raw, "\xef\xbb\xbf \t\r\n"), []byte("<")) {
		o.pack = &pack{doc: xmldoc.New(ctx)}
		content = charset.Decode(raw, "").Text
		meta = content
		o.readStyles(newXML(content))
	} else {
		p, drop := open(ctx, raw, limits)
		if drop != page.None {
			return document.Document{Drop: drop}, ctx.Err()
		}
		o.pack = p
		if o.encrypted() {
			return document.Document{Drop: page.Encrypted}, ctx.Err()
		}
		content, meta, common = p.doc.Text("content.xml"), p.doc.Text("meta.xml"), p.doc.Text("styles.xml")
		o.readStyles(newXML(common))
		o.readStyles(newXML(content))
	}
	if content == "" {
		return document.Document{Drop: page.Damaged}, ctx.Err()
	}
	m := o.meta(newXML(meta))
	if m.Lang == "" {
		m.Lang = o.style("paragraph/").language()
	}
	o.lang = m.Lang
	b := document.NewBuilder(limits)
	b.Head(m)
	w := flow.NewWriter(b)
	emit := func(k flow.Block) { w.Block(&k) }
	for _, text := range [...]string{content, common} { // one of both contains the master pages
		for x := newXML(text); o.next(x); {
			if x.Kind != xmltoken.Start {
				continue
			}
			switch x.Name {
			case "office:text":
				o.blocks(x, list{}, emit, w.Full)
			case "office:automatic-styles", "office:styles", "office:meta":
				x.Skip()
			case "style:header", "style:header-left", "style:header-first", "style:footer", "style:footer-left", "style:footer-first":
				o.master(x)
			}
		}
	}
	for i, blocks := range o.notes {
		w.Note(i+1, blocks)
	}
	w.Flush()
	w.Blocks(o.masters)
	return o.doc.Document(b)
}

// encrypted reports whether the manifest states that the content is encrypted.
func (o *odt) encrypted() bool {
	x := o.xml("META-INF/manifest.xml")
	file := ""
	for o.next(x) {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "manifest:file-entry":
			file = x.Attr("manifest:full-path")
		case "manifest:encryption-data":
			if file == "content.xml" || file == "encrypted-package" {
				return true
			}
		}
	}
	return false
}

// meta reads the metadata.
func (o *odt) meta(x *xmltoken.Reader) (m document.Meta) {
	initial := ""
	for o.next(x) {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "office:body":
			x.Skip()
		case "dc:title":
			m.Title = strings.TrimSpace(o.content(x))
		case "dc:creator":
			if name := strings.TrimSpace(o.content(x)); name != "" && len(m.Authors) == 0 {
				m.Authors = []string{name}
			}
		case "meta:initial-creator":
			initial = strings.TrimSpace(o.content(x))
		case "dc:description":
			m.Description = strings.TrimSpace(o.content(x))
		case "dc:language":
			m.Lang = language(o.content(x))
		case "meta:creation-date":
			m.Date = strings.TrimSpace(o.content(x))
		case "dc:date":
			if date := strings.TrimSpace(o.content(x)); m.Date == "" {
				m.Date = date
			}
		}
	}
	if initial != "" { // the author; creator is the last editor
		m.Authors = []string{initial}
	}
	return m
}

// list is the position of a block in lists.
type list struct {
	depth int
	style string // of the outermost list
	more  bool   // the item has a block already
}

// blocks reads the blocks within the current element.
func (o *odt) blocks(x *xmltoken.Reader, in list, emit func(flow.Block), full func() bool) {
	for depth := x.Depth(); o.next(x); {
		if x.Kind == xmltoken.End && x.Depth() < depth || full != nil && full() {
			return
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "text:p", "text:h":
			o.paragraph(x, in, emit)
			in.more = true
		case "text:list":
			o.list(x, in, emit)
		case "table:table":
			o.table(x, emit)
		case "text:table-of-content", "text:illustration-index", "text:table-index", "text:object-index", "text:user-index", "text:alphabetical-index":
			o.index(x, document.Contents, emit)
		case "text:bibliography":
			o.index(x, document.Bibliography, emit)
		case "draw:text-box":
			o.blocks(x, list{}, emit, full)
		case "text:section":
			if x.Attr("text:display") == "none" {
				x.Skip()
			}
		case "text:tracked-changes", "office:forms", "text:sequence-decls", "text:variable-decls", "text:user-field-decls", "office:annotation", "svg:title", "svg:desc", "office:binary-data", "office:event-listeners":
			x.Skip()
		}
	}
}

// index reads an index without its templates.
func (o *odt) index(x *xmltoken.Reader, role string, emit func(flow.Block)) {
	old := o.role
	o.role = role
	for depth := x.Depth(); o.next(x); {
		if x.Kind == xmltoken.End && x.Depth() < depth {
			break
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch {
		case x.Name == "text:index-body":
			o.blocks(x, list{}, emit, nil)
		case strings.HasSuffix(x.Name, "-source"):
			x.Skip()
		}
	}
	o.role = old
}

// list reads a list.
func (o *odt) list(x *xmltoken.Reader, in list, emit func(flow.Block)) {
	style := x.Attr("text:style-name")
	in.depth++
	if style != "" {
		in.style = style
	}
	for depth := x.Depth(); o.next(x); {
		if x.Kind == xmltoken.End && x.Depth() < depth {
			return
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "text:list-item":
			in.more = false
			o.blocks(x, in, emit, nil)
		case "text:list-header":
			in.more = true
			o.blocks(x, in, emit, nil)
		}
	}
}

// paragraph reads a paragraph or heading. Text boxes follow it.
func (o *odt) paragraph(x *xmltoken.Reader, in list, emit func(flow.Block)) {
	s := o.style("paragraph/" + x.Attr("text:style-name"))
	para := &flow.Para{Tag: s.tag, Role: s.role}
	if x.Name == "text:h" {
		level := number(x.Attr("text:outline-level"), 1, 6)
		para.Tag = "h" + string(rune('0'+level))
	} else if s.outline > 0 && para.Tag == "" {
		para.Tag = "h" + string(rune('0'+min(s.outline, 6)))
	}
	if o.role != "" {
		para.Role = o.role
		para.Tag = ""
	}
	if in.depth > 0 && para.Role == "" {
		para.Depth, para.More = in.depth, in.more
		name := in.style
		if name == "" {
			name = s.list
		}
		if l := o.lists[name]; l != nil {
			para.Ordered = l[min(in.depth, len(l))-1]
		}
		if para.Tag != "" && para.Tag[0] == 'h' { // a numbered heading
			para.Depth = 0
		}
	}
	var boxes []flow.Block
	langs := map[string]int{}
	if s.hidden != on {
		o.inline(x, para, s, langs, &boxes)
	} else {
		x.Skip()
	}
	if most := mostFrequent(langs); most != o.lang {
		para.Lang = most
	}
	emit(flow.Block{Para: para})
	for _, k := range boxes {
		emit(k)
	}
}

// inline reads the text of a paragraph with the style s.
func (o *odt) inline(x *xmltoken.Reader, para *flow.Para, s *odtStyle, langs map[string]int, boxes *[]flow.Block) {
	type open struct {
		depth int
		style *odtStyle
		href  string
	}
	stack := []open{{x.Depth(), &odtStyle{lang: s.lang, country: s.country}, ""}}
	box := func(k flow.Block) { *boxes = append(*boxes, k) }
	space := true // white space before text is collapsed
	add := func(text string) {
		top := &stack[len(stack)-1]
		if top.style.hidden == on || text == "" {
			return
		}
		para.Add(flow.Span{Text: text, Style: top.style.flow(), Href: top.href})
		langs[top.style.language()] += len(text)
	}
	for depth := x.Depth(); o.next(x); {
		switch x.Kind {
		case xmltoken.End:
			if x.Depth() < depth {
				return
			}
			for len(stack) > 1 && x.Depth() < stack[len(stack)-1].depth {
				stack = stack[:len(stack)-1]
			}
		case xmltoken.Text:
			text := collapse(x.Text, space)
			if text != "" {
				space = strings.HasSuffix(text, " ")
			}
			add(text)
		case xmltoken.Start:
			top := stack[len(stack)-1]
			switch x.Name {
			case "text:span":
				style := *o.style("text/" + x.Attr("text:style-name"))
				style.inherit(top.style)
				stack = append(stack, open{x.Depth(), &style, top.href})
			case "text:a":
				stack = append(stack, open{x.Depth(), top.style, flow.WebLink(x.Attr("xlink:href"))})
			case "text:s":
				n := 1
				if c := x.Attr("text:c"); c != "" {
					n = number(c, 1, 1000)
				}
				add(strings.Repeat(" ", n))
				space = false
			case "text:tab":
				add("\t")
				space = false
			case "text:line-break":
				add("\n")
				space = true
			case "text:note":
				o.note(x, para)
				space = false
			case "draw:text-box":
				o.blocks(x, list{}, box, nil)
			case "text:p", "text:h": // not valid here
				o.paragraph(x, list{}, box)
			case "table:table":
				o.table(x, box)
			case "draw:object":
				if f := o.formula(x.Attr("xlink:href")); f != "" && top.style.hidden != on {
					para.Add(flow.Span{Math: f})
					space = false
				}
				x.Skip()
			case "office:annotation", "text:tracked-changes", "text:ruby-text", "text:hidden-text", "text:script", "svg:title", "svg:desc", "office:binary-data",
				"office:event-listeners", "text:note-citation":
				x.Skip()
			case "text:hidden-paragraph":
				if x.Attr("text:is-hidden") == "true" {
					para.Spans = nil
				}
				x.Skip()
			}
		}
	}
}

// formula returns an embedded object as an element math, or "" if it is not a formula.
func (o *odt) formula(href string) string {
	name := path.Join(href, "content.xml")
	f, ok := o.formulas[name]
	if !ok {
		text := o.doc.Text(name)
		if i, end := strings.Index(text, "<math"), strings.LastIndex(text, "</math"); i >= 0 && i < end {
			if _, in, ok := strings.Cut(text[i:end], ">"); ok { // names may have the prefix math
				f = "<math>" + in + "</math>"
			}
		}
		o.formulas[name] = f
	}
	return f
}

// collapse replaces white space in text by single blanks, none at the begin after a blank.
func collapse(text string, space bool) string {
	if !space && !strings.ContainsAny(text, "\t\n\r") && !strings.Contains(text, "  ") {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r':
			if !space {
				b.WriteByte(' ')
			}
			space = true
		default:
			b.WriteByte(c)
			space = false
		}
	}
	return b.String()
}

// note reads a note and adds a reference to it.
func (o *odt) note(x *xmltoken.Reader, para *flow.Para) {
	o.notes = append(o.notes, nil)
	n := len(o.notes)
	o.each(x, func() {
		switch x.Name {
		case "text:note-citation":
			x.Skip()
		case "text:note-body":
			var blocks []flow.Block
			role := o.role
			o.role = ""
			o.blocks(x, list{}, func(k flow.Block) { blocks = append(blocks, k) }, nil)
			o.notes[n-1], o.role = blocks, role
		}
	})
	para.Add(flow.Span{Note: n})
}

// table reads a table. Repeated rows and cells, which fill the sheet, are read once.
func (o *odt) table(x *xmltoken.Reader, emit func(flow.Block)) {
	t := &flow.Table{}
	head := 0
	for depth := x.Depth(); o.next(x); {
		if x.Kind == xmltoken.End {
			if x.Depth() < depth {
				break
			}
			if x.Name == "table:table-header-rows" {
				head--
			}
			continue
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "table:table-header-rows":
			head++
		case "table:table-row":
			t.Rows = append(t.Rows, nil)
		case "table:covered-table-cell", "office:forms", "table:shapes", "svg:title", "svg:desc":
			x.Skip()
		case "table:table-cell":
			n := len(t.Rows)
			if n == 0 {
				x.Skip()
				continue
			}
			c := flow.Cell{Cols: number(x.Attr("table:number-columns-spanned"), 1, 1000), Rows: number(x.Attr("table:number-rows-spanned"), 1, 1000), Head: head > 0}
			o.blocks(x, list{}, func(k flow.Block) { c.Blocks = append(c.Blocks, k) }, nil)
			t.Rows[n-1] = append(t.Rows[n-1], c)
		}
	}
	if len(t.Rows) == 1 && len(t.Rows[0]) == 1 {
		for _, k := range t.Rows[0][0].Blocks {
			emit(k)
		}
		return
	}
	emit(flow.Block{Table: t})
}

package office

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/internal/xmltoken"
	"chaffinch/page"
)

// pptx reads a PPTX document.
type pptx struct {
	*pack
	rels    map[string]relation // of the current part
	layouts map[string]map[string]place
	height  int // of slides, in English metric units
}

// place is the position of the upper left corner of a shape.
type place struct {
	x, y  int
	known bool
}

// shape is a shape of a slide with text.
type shape struct {
	place
	kind   string // type of its placeholder, "" for other shapes; "body" without a type
	index  string // of its placeholder
	blocks []flow.Block
}

// PPTX reads a PPTX document. Errors are from ctx.
func PPTX(ctx context.Context, raw []byte, limits document.Limits) (document.Document, error) {
	pack, drop := open(ctx, raw, limits)
	if drop != page.None {
		return document.Document{Drop: drop}, ctx.Err()
	}
	p := &pptx{pack: pack, layouts: map[string]map[string]place{}, height: 6858000}
	main, core := p.main("ppt/presentation.xml")
	text := p.doc.Text(main)
	if text == "" {
		return document.Document{Drop: page.Damaged}, ctx.Err()
	}
	rels, _ := p.relations(main)
	slides := p.order(newXML(text), rels)
	meta := p.properties(core)
	b, most := document.NewBuilder(limits), limits.WithDefaults().MaxPages
	b.Head(meta)
	w := flow.NewWriter(b)
	for i, slide := range slides {
		if i >= most {
			p.doc.Cut = page.TooLarge
			break
		}
		if w.Full() || p.doc.Done() {
			break
		}
		p.slide(w, slide)
	}
	return p.doc.Document(b)
}

// order returns the parts of the slides in their order.
func (p *pptx) order(x *xmltoken.Reader, rels map[string]relation) (slides []string) {
	for p.next(x) {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "p:sldId":
			if r := rels[x.Attr("r:id")]; r.target != "" {
				slides = append(slides, r.target)
			}
		case "p:sldSz":
			p.height = number(x.Attr("cy"), 1, 1<<30)
		}
	}
	return slides
}

// slide writes a slide: its title, shapes in the order of their positions, its feet and notes.
func (p *pptx) slide(w *flow.Writer, name string) {
	rels, ids := p.relations(name)
	layout := first(rels, ids, "slideLayout")
	p.rels = rels
	shapes, shown := p.shapes(p.xml(name), p.layout(layout))
	if !shown {
		return
	}
	p.sort(shapes)
	for _, kind := range [...]string{"title", "", "foot"} {
		for i := range shapes {
			s := &shapes[i]
			switch group := s.group(); {
			case group != kind:
			case group == "foot":
				w.Block(&flow.Block{Tag: "footer", Role: document.PageFooter, Within: s.blocks})
			default:
				w.Blocks(s.blocks)
			}
		}
	}
	w.Flush()
	if notes := first(rels, ids, "notesSlide"); notes != "" {
		p.rels, _ = p.relations(notes)
		shapes, _ = p.shapes(p.xml(notes), nil)
		for i := range shapes {
			if s := &shapes[i]; s.kind == "body" {
				w.Block(&flow.Block{Tag: "aside", Within: s.blocks})
			}
		}
	}
}

// group returns "title", "foot" for what all slides repeat, or "".
func (s *shape) group() string {
	switch s.kind {
	case "title", "ctrTitle":
		return "title"
	case "ftr", "dt", "sldNum", "hdr":
		return "foot"
	}
	return ""
}

// sort sorts shapes by position: rows from the top, and from the left within a row. A row is a
// twentieth of the slide high. A shape of unknown position follows the one before it.
func (p *pptx) sort(shapes []shape) {
	last := place{}
	for i := range shapes {
		if !shapes[i].known {
			shapes[i].place = last
		}
		last = shapes[i].place
	}
	slices.SortStableFunc(shapes, func(a, b shape) int { return cmp.Compare(a.y, b.y) })
	for from := 0; from < len(shapes); {
		to := from + 1
		for to < len(shapes) && shapes[to].y-shapes[from].y <= p.height/20 {
			to++
		}
		slices.SortStableFunc(shapes[from:to], func(a, b shape) int { return cmp.Compare(a.x, b.x) })
		from = to
	}
}

// layout returns the positions of the placeholders of a layout by type and by index.
func (p *pptx) layout(name string) map[string]place {
	if name == "" {
		return nil
	}
	if m, ok := p.layouts[name]; ok {
		return m
	}
	m := map[string]place{}
	shapes, _ := p.shapes(p.xml(name), nil)
	for _, s := range shapes {
		if s.known && s.kind != "" {
			m["#"+s.index] = s.place
			if _, ok := m[s.kind]; !ok {
				m[s.kind] = s.place
			}
		}
	}
	p.layouts[name] = m
	return m
}

// shapes returns the shapes of a slide, and whether the slide is shown. The shapes of a group
// have the position of the group.
func (p *pptx) shapes(x *xmltoken.Reader, layout map[string]place) (shapes []shape, shown bool) {
	shown = true
	var groups []place
	for p.next(x) {
		if x.Kind == xmltoken.End && x.Name == "p:grpSp" && len(groups) > 0 {
			groups = groups[:len(groups)-1]
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "p:sld":
			shown = isOn(x.Attr("show"))
		case "p:grpSp":
			groups = append(groups, place{})
		case "p:grpSpPr":
			at := p.position(x)
			if n := len(groups); n > 0 && !groups[n-1].known {
				groups[n-1] = at
			}
		case "p:sp", "p:graphicFrame", "p:cxnSp":
			s, hidden := p.shape(x)
			if !s.known && s.kind != "" {
				at, ok := layout["#"+s.index]
				if !ok {
					at = layout[s.kind]
				}
				s.place = at
			}
			if len(groups) > 0 && groups[0].known {
				s.place = groups[0]
			}
			if !hidden {
				shapes = append(shapes, s)
			}
		case "p:txStyles", "p:extLst":
			x.Skip()
		}
	}
	return shapes, shown
}

// position reads the position in the properties of a shape.
func (p *pptx) position(x *xmltoken.Reader) (at place) {
	p.each(x, func() {
		if x.Name == "a:off" && !at.known {
			at = place{number(x.Attr("x"), -1<<30, 1<<30), number(x.Attr("y"), -1<<30, 1<<30), true}
		}
	})
	return at
}

// shape reads a shape.
func (p *pptx) shape(x *xmltoken.Reader) (s shape, hidden bool) {
	p.each(x, func() {
		switch x.Name {
		case "p:cNvPr":
			hidden = isSet(x.Attr("hidden"))
		case "p:ph":
			if s.kind, s.index = x.Attr("type"), x.Attr("idx"); s.kind == "" || s.kind == "obj" {
				s.kind = "body"
			}
		case "p:spPr", "p:xfrm":
			if at := p.position(x); at.known {
				s.place = at
			}
		case "p:txBody", "a:txBody":
			s.blocks = append(s.blocks, p.body(x, s.kind)...)
		case "a:tbl":
			s.blocks = append(s.blocks, p.table(x))
		case "r:relIds", "dgm:relIds":
			s.blocks = append(s.blocks, p.diagram(p.rels[x.Attr("r:dm")].target)...)
		}
	})
	return s, hidden
}

// body reads the paragraphs of a shape.
func (p *pptx) body(x *xmltoken.Reader, kind string) (blocks []flow.Block) {
	p.each(x, func() {
		if x.Name == "a:p" {
			blocks = append(blocks, flow.Block{Para: p.paragraph(x, kind)})
		}
	})
	if kind == "title" || kind == "ctrTitle" { // a heading, with line breaks between paragraphs
		title := &flow.Para{Tag: "h2"}
		for _, k := range blocks {
			if len(title.Spans) > 0 && flow.Text(k.Para.Spans) != "" {
				title.Add(flow.Span{Text: "\n"})
			}
			for _, s := range k.Para.Spans {
				title.Add(s)
			}
		}
		return []flow.Block{{Para: title}}
	}
	return blocks
}

// paragraph reads a paragraph of a shape whose placeholder has a type.
func (p *pptx) paragraph(x *xmltoken.Reader, kind string) *flow.Para {
	para := &flow.Para{}
	bullet := kind == "body"
	var style flow.Style
	lang, href, deep := "", "", 0
	fixed := false // text that a field computes, such as the number of the slide
	for depth := x.Depth(); p.next(x); {
		if x.Kind == xmltoken.End {
			if x.Depth() < depth {
				break
			}
			if x.Name == "a:r" || x.Name == "a:fld" {
				style, href, fixed = 0, "", false
			}
			continue
		}
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "a:pPr":
			deep = number(x.Attr("lvl"), 0, 8)
			p.each(x, func() {
				switch x.Name {
				case "a:buNone":
					bullet = false
				case "a:buChar", "a:buBlip":
					bullet = true
				case "a:buAutoNum":
					bullet, para.Ordered = true, true
				}
			})
		case "a:rPr":
			if isSet(x.Attr("b")) {
				style |= flow.Bold
			}
			if isSet(x.Attr("i")) {
				style |= flow.Italic
			}
			if shift := number(x.Attr("baseline"), -1<<20, 1<<20); x.Attr("baseline") != "" && shift > 0 {
				style |= flow.Super
			} else if x.Attr("baseline") != "" && shift < 0 {
				style |= flow.Sub
			}
			if lang == "" {
				lang = language(x.Attr("lang"))
			}
			p.each(x, func() {
				if x.Name == "a:hlinkClick" {
					href = flow.WebLink(p.rels[x.Attr("r:id")].target)
				}
			})
		case "a:fld":
			fixed = x.Attr("type") == "slidenum" || strings.HasPrefix(x.Attr("type"), "datetime")
		case "a:t", "m:t":
			if text := p.content(x); !fixed || kind == "sldNum" || kind == "dt" {
				para.Add(flow.Span{Text: text, Style: style, Href: href})
			}
		case "a:br":
			para.Add(flow.Span{Text: "\n"})
			x.Skip()
		case "a:endParaRPr":
			x.Skip()
		}
	}
	if bullet {
		para.Depth = deep + 1
	}
	para.Lang = lang
	return para
}

// table reads a table.
func (p *pptx) table(x *xmltoken.Reader) flow.Block {
	t := &flow.Table{}
	head := false
	p.each(x, func() {
		switch x.Name {
		case "a:tblPr":
			head = isSet(x.Attr("firstRow"))
		case "a:tr":
			t.Rows = append(t.Rows, nil)
		case "a:tc":
			n := len(t.Rows)
			if n == 0 || isSet(x.Attr("hMerge")) || isSet(x.Attr("vMerge")) {
				x.Skip()
				return
			}
			c := flow.Cell{Cols: number(x.Attr("gridSpan"), 1, 1000), Rows: number(x.Attr("rowSpan"), 1, 1000), Head: head && n == 1}
			p.each(x, func() {
				if x.Name == "a:txBody" {
					c.Blocks = append(c.Blocks, p.body(x, "")...)
				}
			})
			t.Rows[n-1] = append(t.Rows[n-1], c)
		}
	})
	return flow.Block{Table: t}
}

// diagram returns the texts of a diagram.
func (p *pptx) diagram(part string) (blocks []flow.Block) {
	x := p.xml(part)
	for p.next(x) {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "dgm:prSet":
			x.Skip() // texts of placeholders
		case "a:p":
			para := p.paragraph(x, "")
			para.Depth = 1
			blocks = append(blocks, flow.Block{Para: para})
		}
	}
	return blocks
}

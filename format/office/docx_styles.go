package office

import (
	"strconv"
	"strings"

	"chaffinch/format/document/flow"
	"chaffinch/internal/xmltoken"
)

// toggle is a property of text that styles inherit: unset, off or on.
type toggle int8

const (
	unset toggle = iota
	off
	on
)

// or returns t, or u if t is not set.
func (t toggle) or(u toggle) toggle {
	if t == unset {
		return u
	}
	return t
}

// runProps are the properties of a run.
type runProps struct {
	style              string
	bold, italic       toggle
	hidden             toggle
	raised             string // superscript, subscript, baseline, ""
	lang, asian, right string // languages by script
	rtl                bool
	symbol             bool // in the font Symbol
}

// over returns the properties of r, inherited from base where r has none.
func (r runProps) over(base runProps) runProps {
	r.bold, r.italic, r.hidden = r.bold.or(base.bold), r.italic.or(base.italic), r.hidden.or(base.hidden)
	if r.raised == "" {
		r.raised = base.raised
	}
	if r.lang == "" {
		r.lang = base.lang
	}
	if r.asian == "" {
		r.asian = base.asian
	}
	if r.right == "" {
		r.right = base.right
	}
	return r
}

// flow returns the style of text with the properties.
func (r runProps) flow() (s flow.Style) {
	if r.bold == on {
		s |= flow.Bold
	}
	if r.italic == on {
		s |= flow.Italic
	}
	switch r.raised {
	case "superscript":
		s |= flow.Super
	case "subscript":
		s |= flow.Sub
	}
	return s
}

// language returns the language of text with the properties.
func (r runProps) language(text string) string {
	if r.rtl && r.right != "" {
		return r.right
	}
	if r.asian != "" {
		for _, c := range text {
			if c >= 0x2e80 && c < 0xe000 || c >= 0x20000 {
				return r.asian
			}
		}
	}
	return r.lang
}

// paraProps are the properties of a paragraph.
type paraProps struct {
	style   string
	num     string // id of a numbering, "0" for none, "" if not set
	level   int    // of the numbering, -1 if not set
	outline int    // from 0, 9 for body text, -1 if not set
	dropCap bool   // the first letters of the next paragraph
}

// style is a style of DOCX.
type style struct {
	name, based string
	para        paraProps
	run         runProps
	resolved    bool
	role, tag   string // of paragraphs
}

// maxBased is the longest chain of styles that are based on others.
const maxBased = 32

// readStyles reads the styles of the document.
func (d *docx) readStyles(part string) {
	x := d.xml(part)
	for d.next(x) {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "w:rPrDefault":
			d.each(x, func() {
				if x.Name == "w:rPr" {
					d.base = d.runProps(x)
				}
			})
		case "w:style":
			id, normal := x.Attr("w:styleId"), isSet(x.Attr("w:default")) && x.Attr("w:type") == "paragraph"
			s := &style{para: paraProps{level: -1, outline: -1}}
			d.each(x, func() {
				switch x.Name {
				case "w:name":
					s.name = x.Attr("w:val")
				case "w:basedOn":
					s.based = x.Attr("w:val")
				case "w:pPr":
					s.para = d.paraProps(x)
				case "w:rPr":
					s.run = d.runProps(x)
				case "w:tblStylePr":
					x.Skip()
				}
			})
			if _, ok := d.styles[id]; !ok {
				d.styles[id] = s
			}
			if normal && d.normal == "" {
				d.normal = id
			}
		}
	}
}

// style returns a style with the properties that it inherits; an empty style if id is unknown.
func (d *docx) style(id string) *style { return d.resolve(id, 0) }

var noStyle = &style{para: paraProps{level: -1, outline: -1}, resolved: true}

func (d *docx) resolve(id string, depth int) *style {
	s := d.styles[id]
	if s == nil || depth > maxBased {
		return noStyle
	}
	if s.resolved {
		return s
	}
	s.resolved = true // also ends a cycle
	base := noStyle
	if s.based != "" {
		base = d.resolve(s.based, depth+1)
	}
	s.run = s.run.over(base.run)
	if s.para.num == "" {
		s.para.num = base.para.num
	}
	if s.para.level < 0 {
		s.para.level = base.para.level
	}
	if s.para.outline < 0 {
		s.para.outline = base.para.outline
	}
	role, tag, ok := flow.RoleOf(s.name)
	if !ok {
		role, tag = base.role, base.tag
	}
	s.role, s.tag = role, tag
	if n, ok := strings.CutPrefix(strings.ToLower(s.name), "heading "); ok && s.para.outline < 0 {
		if level, err := strconv.Atoi(n); err == nil && level >= 1 && level <= 9 {
			s.para.outline = level - 1
		}
	}
	return s
}

// isOn reports whether a value of an on-off property is on. An element without a value is on.
func isOn(val string) bool {
	switch val {
	case "0", "false", "off", "none":
		return false
	}
	return true
}

// isSet reports whether an on-off attribute is given and on.
func isSet(val string) bool { return val != "" && isOn(val) }

func toggleOf(val string) toggle {
	if isOn(val) {
		return on
	}
	return off
}

// runProps reads the properties of a run. The start tag w:rPr is current.
func (d *docx) runProps(x *xmltoken.Reader) (r runProps) {
	d.each(x, func() {
		val := x.Attr("w:val")
		switch x.Name {
		case "w:rStyle":
			r.style = val
		case "w:b":
			r.bold = toggleOf(val)
		case "w:i":
			r.italic = toggleOf(val)
		case "w:vanish", "w:webHidden":
			if r.hidden != on {
				r.hidden = toggleOf(val)
			}
		case "w:vertAlign":
			r.raised = val
		case "w:rtl":
			r.rtl = isOn(val)
		case "w:lang":
			r.lang, r.asian, r.right = language(val), language(x.Attr("w:eastAsia")), language(x.Attr("w:bidi"))
		case "w:rFonts":
			r.symbol = x.Attr("w:ascii") == "Symbol"
		case "w:rPrChange":
			x.Skip()
		}
	})
	return r
}

// paraProps reads the properties of a paragraph. The start tag w:pPr is current.
func (d *docx) paraProps(x *xmltoken.Reader) paraProps {
	p := paraProps{level: -1, outline: -1}
	d.each(x, func() {
		val := x.Attr("w:val")
		switch x.Name {
		case "w:pStyle":
			p.style = val
		case "w:numId":
			p.num = val
		case "w:ilvl":
			p.level = number(val, 0, 8)
		case "w:outlineLvl":
			p.outline = number(val, 0, 9)
		case "w:framePr":
			p.dropCap = isSet(x.Attr("w:dropCap"))
		case "w:sectPr":
			d.section(x)
		case "w:rPr", "w:pPrChange":
			x.Skip()
		}
	})
	return p
}

// number returns the number in s, at least low and at most high.
func number(s string, low, high int) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return low
	}
	return max(low, min(n, high))
}

// levels are the formats of the levels of a numbering.
type levels [9]string

// readNumbering reads the formats of numberings.
func (d *docx) readNumbering(part string) {
	x := d.xml(part)
	abstract, linked := map[string]*levels{}, map[string]string{}
	formats := func(l *levels) {
		n := number(x.Attr("w:ilvl"), 0, 8)
		d.each(x, func() {
			switch x.Name {
			case "w:lvl":
				n = number(x.Attr("w:ilvl"), 0, 8)
			case "w:numFmt":
				l[n] = x.Attr("w:val")
			}
		})
	}
	for d.next(x) {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "w:abstractNum":
			id, l := x.Attr("w:abstractNumId"), &levels{}
			d.each(x, func() {
				switch x.Name {
				case "w:lvl":
					formats(l)
				case "w:numStyleLink":
					linked[id] = x.Attr("w:val")
				}
			})
			abstract[id] = l
		case "w:num":
			id, l := x.Attr("w:numId"), &levels{}
			d.each(x, func() {
				switch x.Name {
				case "w:abstractNumId":
					of := x.Attr("w:val")
					if a := abstract[of]; a != nil {
						*l = *a
					}
					if to := linked[of]; to != "" {
						d.links[id] = to
					}
				case "w:lvlOverride":
					formats(l)
				}
			})
			d.nums[id] = l
		}
	}
}

// listFormat returns the format of a level of a numbering, "none" for no list.
func (d *docx) listFormat(num string, level int) string {
	if num == "" || num == "0" {
		return "none"
	}
	if to := d.links[num]; to != "" {
		if other := d.style(to).para.num; other != "" && other != num && d.links[other] == "" {
			num = other
		}
	}
	l := d.nums[num]
	if l == nil {
		return "none"
	}
	if f := l[level]; f != "" {
		return f
	}
	return "bullet"
}

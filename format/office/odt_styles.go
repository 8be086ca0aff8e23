package office

import (
	"strings"

	"chaffinch/format/document"
	"chaffinch/format/document/flow"
	"chaffinch/internal/xmltoken"
)

// flow returns the style of text.
func (s *odtStyle) flow() (f flow.Style) {
	if s.bold == on {
		f |= flow.Bold
	}
	if s.italic == on {
		f |= flow.Italic
	}
	switch s.raised {
	case 1:
		f |= flow.Super
	case -1:
		f |= flow.Sub
	}
	return f
}

// language returns the language of text.
func (s *odtStyle) language() string {
	lang := language(s.lang)
	if lang != "" && s.country != "" && s.country != "none" {
		lang += "-" + s.country
	}
	return lang
}

// inherit sets the properties that s does not have to the properties of base.
func (s *odtStyle) inherit(base *odtStyle) {
	s.bold, s.italic, s.hidden = s.bold.or(base.bold), s.italic.or(base.italic), s.hidden.or(base.hidden)
	if s.raised == 0 {
		s.raised = base.raised
	}
	if s.lang == "" {
		s.lang, s.country = base.lang, base.country
	}
}

// readStyles reads styles and list styles.
func (o *odt) readStyles(x *xmltoken.Reader) {
	for o.next(x) {
		if x.Kind != xmltoken.Start {
			continue
		}
		switch x.Name {
		case "style:style", "style:default-style":
			o.readStyle(x)
		case "text:list-style", "text:outline-style":
			name, levels := x.Attr("style:name"), &[10]bool{}
			o.each(x, func() {
				if x.Name == "text:list-level-style-number" {
					levels[number(x.Attr("text:level"), 1, 10)-1] = x.Attr("style:num-format") != ""
				}
			})
			o.lists[name] = levels
		case "office:body", "office:master-styles":
			x.Skip()
		}
	}
}

// master reads a running head or foot.
func (o *odt) master(x *xmltoken.Reader) {
	k := flow.Block{Tag: "header", Role: document.PageHeader}
	if strings.HasPrefix(x.Name, "style:footer") {
		k.Tag, k.Role = "footer", document.PageFooter
	}
	if x.Attr("style:display") == "false" || len(o.masters) >= 64 {
		x.Skip()
		return
	}
	o.blocks(x, list{}, func(b flow.Block) { k.Within = append(k.Within, b) }, nil)
	o.masters = append(o.masters, k)
}

// readStyle reads a style.
func (o *odt) readStyle(x *xmltoken.Reader) {
	id := x.Attr("style:family") + "/" + x.Attr("style:name")
	s := &odtStyle{parent: x.Attr("style:parent-style-name"), list: x.Attr("style:list-style-name"), display: x.Attr("style:display-name")}
	if s.display == "" {
		s.display = strings.ReplaceAll(x.Attr("style:name"), "_20_", " ")
	}
	if level := x.Attr("style:default-outline-level"); level != "" {
		s.outline = number(level, 0, 10)
	}
	o.each(x, func() {
		if x.Name != "style:text-properties" {
			return
		}
		switch w := x.Attr("fo:font-weight"); w {
		case "":
		case "normal", "100", "200", "300", "400", "500":
			s.bold = off
		default:
			s.bold = on
		}
		switch x.Attr("fo:font-style") {
		case "":
		case "italic", "oblique":
			s.italic = on
		default:
			s.italic = off
		}
		switch position := x.Attr("style:text-position"); {
		case strings.HasPrefix(position, "super"):
			s.raised = 1
		case strings.HasPrefix(position, "sub"), strings.HasPrefix(position, "-"):
			s.raised = -1
		case position != "" && position[0] >= '1' && position[0] <= '9':
			s.raised = 1
		}
		switch x.Attr("text:display") {
		case "none":
			s.hidden = on
		case "true":
			s.hidden = off
		}
		if s.lang = x.Attr("fo:language"); s.lang == "none" {
			s.lang = ""
		}
		s.country = x.Attr("fo:country")
	})
	if _, ok := o.styles[id]; !ok {
		o.styles[id] = s
	}
}

var noODTStyle = &odtStyle{resolved: true}

// style returns a style, given by its family and name, with the properties that it inherits.
func (o *odt) style(id string) *odtStyle { return o.resolve(id, 0) }

// odtRoles maps names of styles, besides roles, to elements.
var odtRoles = map[string]string{"illustration": "figcaption", "table": "figcaption", "figure": "figcaption", "drawing": "figcaption", "text": "",
	"quotations": "blockquote", "preformatted text": "pre", "figurecaption": "figcaption", "tablecaption": "figcaption"}

func (o *odt) resolve(id string, depth int) *odtStyle {
	s := o.styles[id]
	if s == nil {
		if family, name, _ := strings.Cut(id, "/"); name != "" {
			if s = o.styles[family+"/"]; s != nil { // the default of the family
				return s
			}
		}
		return noODTStyle
	}
	if s.resolved || depth > maxBased {
		return s
	}
	s.resolved = true
	family, name, _ := strings.Cut(id, "/")
	base := noODTStyle
	if s.parent != "" {
		base = o.resolve(family+"/"+s.parent, depth+1)
	} else if name != "" && family == "paragraph" {
		base = o.resolve(family+"/", depth+1)
	}
	s.inherit(base)
	if s.outline == 0 {
		s.outline = base.outline
	}
	if s.list == "" {
		s.list = base.list
	}
	role, tag, ok := flow.RoleOf(s.display)
	if !ok {
		if tag, ok = odtRoles[strings.ToLower(s.display)]; !ok {
			role, tag = base.role, base.tag
		}
	}
	s.role, s.tag = role, tag
	return s
}

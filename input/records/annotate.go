package records

import (
	"bytes"
	"unicode/utf8"

	"chaffinch/format/vertical"
	"chaffinch/internal/jsonscan"
)

// annotate appends all of d with the attributes of e.
func (c *WriterConfig) annotate(dst []byte, d *Doc, e *Edit) ([]byte, error) {
	switch d.format {
	case JSONL:
		return c.annotateJSON(dst, d, e), nil
	case Vertical, Prevertical:
		return c.annotateVertical(dst, d, e), nil
	}
	return annotateText(dst, d, e), nil
}

// annotateJSON writes the attributes as one field. It replaces the field of this name, or is
// appended as the last field.
func (c *WriterConfig) annotateJSON(dst []byte, d *Doc, e *Edit) []byte {
	start, end, found := c.field(d)
	if !found {
		start, end = d.place.head, d.place.head
	}
	dst = append(dst, d.Raw[:start]...)
	if !found {
		if t := bytes.TrimRight(d.Raw[:start], " \t\r\n"); t[len(t)-1] != '{' {
			dst = append(dst, ',')
		}
		dst = append(appendJSON(dst, c.Field), ':')
	}
	return append(appendFindings(dst, e), d.Raw[end:]...)
}

// appendFindings appends the attributes of e as one object.
func appendFindings(dst []byte, e *Edit) []byte {
	dst = appendAttrs(append(dst, '{'), e.Attrs)
	if len(e.Paras) > 0 {
		if len(e.Attrs) > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `"paragraphs":[`...)
		for i := range e.Paras {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendAttrs(append(dst, '{'), e.Paras[i].Attrs), '}')
		}
		dst = append(dst, ']')
	}
	dst = append(dst, '}')
	return dst
}

// explain writes the kept part of a JSON line, with its attributes as the last field, unless
// the line already has this field.
func (c *WriterConfig) explain(dst []byte, d *Doc, e *Edit) []byte {
	dst = c.strip(dst, d, e)
	if _, _, found := c.field(d); found {
		return dst
	}
	end := bytes.LastIndexByte(dst, '}')
	tail := bytes.Clone(dst[end:])
	dst = append(appendJSON(append(dst[:end], ','), c.Field), ':')
	stay := Edit{Attrs: e.Attrs}
	for i := range e.Paras {
		if !e.Paras[i].Drop {
			stay.Paras = append(stay.Paras, e.Paras[i])
		}
	}
	return append(appendFindings(dst, &stay), tail...)
}

// field returns the position in d.Raw of the value of the attribute field, and reports whether
// it exists.
func (c *WriterConfig) field(d *Doc) (start, end int, found bool) {
	s := jsonscan.Scanner{B: d.Raw}
	s.Take('{')
	for {
		k, err := s.Str()
		if err != nil || !s.Take(':') {
			return start, end, found
		}
		s.Space()
		at := s.I
		if s.Skip() != nil {
			return start, end, found
		}
		if string(k) == c.Field {
			start, end, found = at, s.I, true
		}
		if !s.Take(',') {
			return start, end, found
		}
	}
}

func appendAttrs(dst []byte, attrs []Attr) []byte {
	for i, a := range attrs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendJSON(dst, a.Name), ':')
		if a.Number && jsonscan.IsNumber([]byte(a.Value)) {
			dst = append(dst, a.Value...)
		} else {
			dst = appendJSON(dst, a.Value)
		}
	}
	return dst
}

// appendJSON appends s as a JSON string. Invalid UTF-8 is replaced by U+FFFD.
func appendJSON(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c < 0x20:
			const hex = "0123456789abcdef"
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
		i++
	}
	return append(dst, '"')
}

// annotateVertical writes the attributes into the tags of the document and of its paragraphs.
// If a document has no paragraph tags, the attributes go into the document's tag. Attributes of
// text outside paragraphs are not written.
func (c *WriterConfig) annotateVertical(dst []byte, d *Doc, e *Edit) []byte {
	raw := d.Raw
	var t vertical.Tag
	attrs := e.Attrs
	if len(e.Paras) == 1 && !opens(raw[d.Paras[0].Start:], d.place.paraName) {
		attrs = append(attrs[:len(attrs):len(attrs)], e.Paras[0].Attrs...)
	}
	dst = appendTag(dst, &t, raw[:d.place.head], attrs)
	at := d.place.head
	for i := range e.Paras {
		p := &d.Paras[i]
		if p.Start < at || len(e.Paras[i].Attrs) == 0 || !opens(raw[p.Start:], d.place.paraName) {
			continue
		}
		dst = append(dst, raw[at:p.Start]...)
		at = p.End
		if n := bytes.IndexByte(raw[p.Start:], '\n'); n >= 0 {
			at = p.Start + n + 1
		}
		dst = appendTag(dst, &t, raw[p.Start:at], e.Paras[i].Attrs)
	}
	return append(dst, raw[at:]...)
}

// appendTag appends the line of a tag with additional attributes, which replace attributes of
// the same name.
func appendTag(dst []byte, t *vertical.Tag, line []byte, attrs []Attr) []byte {
	body := bytes.TrimRight(line, "\r\n")
	if len(attrs) == 0 || !t.Parse(body) {
		return append(dst, line...)
	}
	twice := false
	for i, a := range attrs {
		twice = twice || hasAttr(t.Attrs(), a.Name) || namesAttr(attrs[:i], a.Name)
	}
	if twice { // rewrite the whole tag
		dst = append(append(dst, '<'), t.Name()...)
		for _, a := range t.Attrs() {
			if !namesAttr(attrs, string(a.Name)) {
				dst = appendAttr(dst, a.Name, a.Value)
			}
		}
	} else {
		stop := bytes.TrimRight(body, " \t")
		stop = bytes.TrimSuffix(stop, []byte(">"))
		if t.Kind() == vertical.Empty {
			stop = bytes.TrimSuffix(stop, []byte("/"))
		}
		dst = append(dst, bytes.TrimRight(stop, " ")...)
	}
	for i, a := range attrs {
		if !namesAttr(attrs[:i], a.Name) {
			dst = appendAttr(dst, a.Name, a.Value)
		}
	}
	if t.Kind() == vertical.Empty {
		dst = append(dst, '/')
	}
	dst = append(dst, '>')
	return append(dst, line[len(body):]...)
}

func hasAttr(attrs []vertical.Attr, name string) bool {
	for i := range attrs {
		if string(attrs[i].Name) == name {
			return true
		}
	}
	return false
}

func namesAttr(attrs []Attr, name string) bool {
	for i := range attrs {
		if attrs[i].Name == name {
			return true
		}
	}
	return false
}

// appendAttr appends an attribute in the form of vertical files. Control characters become
// blanks.
func appendAttr[N, V string | []byte](dst []byte, name N, value V) []byte {
	dst = append(dst, ' ')
	dst = append(dst, name...)
	dst = append(dst, '=')
	return vertical.AppendValue(dst, flat(string(value)))
}

// flat returns s as valid UTF-8 with each control character replaced by a blank.
func flat(s string) string {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == 0x7f || s[i] >= utf8.RuneSelf {
			b := bytes.ToValidUTF8([]byte(s), []byte("\ufffd"))
			for i, c := range b {
				if c < 0x20 || c == 0x7f {
					b[i] = ' '
				}
			}
			return string(b)
		}
	}
	return s
}

// annotateText writes the attributes of a document on a separate line that starts with "# " and
// its id. The attributes of a paragraph are columns before its line.
func annotateText(dst []byte, d *Doc, e *Edit) []byte {
	dst = append(append(dst, "# "...), flat(d.ID)...)
	for _, a := range e.Attrs {
		dst = append(dst, '\t')
		dst = append(append(append(dst, a.Name...), '='), flat(a.Value)...)
	}
	dst = append(dst, '\n')
	at := 0
	for i := range e.Paras {
		p := &d.Paras[i]
		dst = append(dst, d.Raw[at:p.Start]...)
		at = p.Start
		for _, a := range e.Paras[i].Attrs {
			dst = appendColumn(dst, a)
		}
	}
	return append(dst, d.Raw[at:]...)
}

// appendColumn appends an attribute of a paragraph, followed by a tab.
func appendColumn(dst []byte, a Attr) []byte {
	dst = append(append(dst, a.Name...), '=')
	return append(append(dst, flat(a.Value)...), '\t')
}

// packText appends a document that was a complete file: its paragraphs, followed by an empty
// line.
func (c *WriterConfig) packText(dst []byte, d *Doc, e *Edit) []byte {
	var none Edit
	if e == nil {
		e = &none
	}
	if e.Drop && !c.Annotate {
		return dst
	}
	begin := len(dst)
	if c.Annotate {
		var head Doc
		head.ID = d.ID
		dst = annotateText(dst, &head, &Edit{Attrs: e.Attrs})
	}
	for i := range d.Paras {
		if len(e.Paras) > 0 {
			if e.Paras[i].Drop && !c.Annotate {
				continue
			}
			for _, a := range e.Paras[i].Attrs {
				if c.Annotate {
					dst = appendColumn(dst, a)
				}
			}
		}
		if !c.Annotate && e.replaced(i) {
			dst = append(append(dst, e.Paras[i].Text...), '\n')
			continue
		}
		dst = append(append(dst, d.Raw[d.Paras[i].Start:d.Paras[i].stop]...), '\n')
	}
	if len(dst) > begin {
		dst = append(dst, '\n')
	}
	return dst
}

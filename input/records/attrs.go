package records

import (
	"chaffinch/format/vertical"
	"chaffinch/internal/jsonscan"
)

// Attrs appends the attributes that a Writer with [WriterConfig.Annotate] wrote for the
// document. In JSON lines they are in the field, in a vertical file in the document's tag.
// Values other than strings and numbers are skipped.
func (d *Doc) Attrs(dst []Attr, field string) []Attr {
	switch d.format {
	case JSONL:
		c := WriterConfig{Field: field}
		if start, end, ok := c.field(d); ok {
			return jsonAttrs(dst, d.Raw[start:end])
		}
	case Vertical, Prevertical:
		var t vertical.Tag
		if line := d.Raw[:d.place.head]; len(line) > 0 && t.Parse(trimLine(line)) {
			for _, a := range t.Attrs() {
				dst = append(dst, Attr{Name: string(a.Name), Value: string(a.Value), Number: jsonscan.IsNumber(a.Value)})
			}
		}
	}
	return dst
}

func trimLine(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// jsonAttrs reads the strings and numbers of an object.
func jsonAttrs(dst []Attr, raw []byte) []Attr {
	s := jsonscan.Scanner{B: raw}
	s.Object(func(k []byte) error { // values before a syntax error are kept
		v, err := s.Value()
		if err != nil {
			return err
		}
		name, _, _ := jsonscan.Unquote(nil, k, len(k)+4)
		switch {
		case jsonscan.IsNumber(v):
			dst = append(dst, Attr{Name: string(name), Value: string(v), Number: true})
		case v[0] == '"':
			text, _, _ := jsonscan.Unquote(nil, v[1:len(v)-1], maxField)
			dst = append(dst, Attr{Name: string(name), Value: string(text)})
		}
		return nil
	})
	return dst
}

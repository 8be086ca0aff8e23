package vertical

import "io"

// Kind is the kind of a line of a vertical.
type Kind uint8

// The kinds of lines.
const (
	Token Kind = iota // a token and its columns
	Open              // <doc id="1">
	Close             // </doc>
	Empty             // <g/>
	Text              // a line of running text, in a prevertical
)

var kindNames = [...]string{"token", "open", "close", "empty", "text"}

// String returns the name of k, such as "token".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Attr is an attribute of a structure with its decoded value.
type Attr struct{ Name, Value []byte }

// Line is a line of a vertical. Its slices are valid until the next call of [Reader.Next].
type Line struct {
	Kind Kind
	// Name is the name of the structure, or nil for tokens.
	Name []byte
	// Attrs are the attributes of the structure in order.
	Attrs []Attr
	// Fields are the columns of a token, with references such as &lt; decoded. The first is
	// the word. A line of running text has one.
	Fields [][]byte
	// Number is the line number, from 1. Offset is the byte offset of the line. For an added
	// tag they refer to the line before which it was added.
	Number, Offset int64
	// Added indicates a closing tag that was missing in the file.
	Added bool
}

// Value returns the value of the attribute with the given name, or nil.
func (l *Line) Value(name string) []byte {
	for i := range l.Attrs {
		if string(l.Attrs[i].Name) == name {
			return l.Attrs[i].Value
		}
	}
	return nil
}

// AppendLine appends l as a line of a vertical, with its line feed. Reading the line returns
// l again for any fields and values.
func AppendLine(dst []byte, l *Line) []byte {
	switch l.Kind {
	case Token, Text:
		for i, f := range l.Fields {
			if i > 0 {
				dst = append(dst, '\t')
			}
			dst = appendField(dst, f, i == 0)
		}
	case Close:
		dst = append(dst, "</"...)
		dst = append(dst, l.Name...)
		dst = append(dst, '>')
	default:
		dst = append(dst, '<')
		dst = append(dst, l.Name...)
		for _, a := range l.Attrs {
			dst = append(dst, ' ')
			dst = append(dst, a.Name...)
			dst = append(dst, '=')
			if string(l.Name) == "sp" {
				dst = appendRefs(dst, a.Value)
			} else {
				dst = appendValue(dst, a.Value)
			}
		}
		if l.Kind == Empty {
			dst = append(dst, '/')
		}
		dst = append(dst, '>')
	}
	return append(dst, '\n')
}

// Copy writes the lines of r after repairs.
func Copy(w io.Writer, r *Reader) error {
	var buf []byte
	for {
		l, err := r.Next()
		if err == nil {
			buf = AppendLine(buf, l)
			if len(buf) < 1<<16 {
				continue
			}
		}
		if _, werr := w.Write(buf); werr != nil {
			return werr
		}
		buf = buf[:0]
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

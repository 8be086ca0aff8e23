package vertical

import "io"

// Kind tells what a line of a vertical is.
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

// Attr is an attribute of a structure, its value decoded.
type Attr struct{ Name, Value []byte }

// Line is one line of a vertical. What it refers to is valid until the next
// call of [Reader.Next].
type Line struct {
	Kind Kind
	// Name is that of the structure; nil for tokens.
	Name []byte
	// Attrs are the attributes of the structure in the order of the line.
	Attrs []Attr
	// Fields are the columns of a token, references such as &lt; decoded. The
	// first one is the word. A line of running text has one.
	Fields [][]byte
	// Number is that of the line, from 1, and Offset where it begins, in bytes.
	// A tag that the reader adds has those of the line that made it do so.
	Number, Offset int64
	// Added tells that the line does not stand in the file: a closing tag that
	// was missing.
	Added bool
}

// Value returns the value of the attribute of that name, nil if there is none.
func (l *Line) Value(name string) []byte {
	for i := range l.Attrs {
		if string(l.Attrs[i].Name) == name {
			return l.Attrs[i].Value
		}
	}
	return nil
}

// AppendLine appends l as line of a vertical, with its line feed. Reading it
// gives l again, whatever its fields and values hold.
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

// Copy writes what r reads, as it mends it.
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

package corpus

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"chaffinch/format/vertical"
	"chaffinch/internal/bitpack"
)

// maxColumns bounds structures and their attributes, because each holds open files.
const maxColumns = 200

// structBuilder collects the structures of one name. They do not nest and arrive
// in corpus order.
type structBuilder struct {
	dir   string
	name  string
	spans *part // uint32 start, uint32 end
	n     int64
	open  bool
	start uint32
	line  int64 // line where the open structure began
	attrs []*column
	names []string
}

func newStructBuilder(dir, name string) (*structBuilder, error) {
	spans, err := newPart(dir)
	if err != nil {
		return nil, err
	}
	return &structBuilder{dir: dir, name: name, spans: spans}, nil
}

// attr returns the column of attribute i of a structure. For a new attribute, earlier
// structures get empty values.
func (s *structBuilder) attr(i int, name []byte) (*column, error) {
	if i < len(s.names) && s.names[i] == string(name) { // as usual
		return s.attrs[i], nil
	}
	for i, n := range s.names {
		if n == string(name) {
			return s.attrs[i], nil
		}
	}
	if len(s.names) >= maxColumns {
		return nil, fmt.Errorf("<%s> has more than %d attributes", s.name, maxColumns)
	}
	c, err := newColumn(s.dir, "struct/"+s.name+"/attr/"+string(name))
	if err != nil {
		return nil, err
	}
	c.fill(s.n)
	s.names = append(s.names, string(name))
	s.attrs = append(s.attrs, c)
	return c, nil
}

// begin opens a structure at token at.
func (s *structBuilder) begin(at uint32, l *vertical.Line) error {
	if s.n >= maxTokens {
		return fmt.Errorf("more than %d structures <%s>: make two indexes", int64(maxTokens), s.name)
	}
	for i, a := range l.Attrs {
		c, err := s.attr(i, a.Name)
		if err != nil {
			return err
		}
		c.addAgain(a.Value)
	}
	s.n++
	for _, c := range s.attrs {
		c.fill(s.n)
	}
	s.open, s.start, s.line = true, at, l.Number
	return nil
}

// end closes the open structure before token at.
func (s *structBuilder) end(at uint32) {
	s.spans.uint32(s.start)
	s.spans.uint32(at)
	s.open = false
}

// spanBytes is the size of a span on disk.
const spanBytes = 8

// finish writes the sections and returns the attributes, each one after its source
// attribute. size is the number of tokens.
func (s *structBuilder) finish(w sections, size, memory int64) (attrs []metaAttr, err error) {
	for side, name := range []string{"starts", "ends"} {
		in, err := s.spans.reader()
		if err != nil {
			return nil, err
		}
		w.Section("struct/" + s.name + "/" + name)
		out := bitpack.NewWriter(w, bitpack.Width(uint64(size)))
		for left := s.n; left > 0; {
			b, err := in.Peek(int(min(left*spanBytes, partBuffer)))
			if err != nil {
				return nil, fmt.Errorf("temporary file: %w", err)
			}
			for i := 4 * side; i < len(b); i += spanBytes {
				out.Add(uint64(binary.LittleEndian.Uint32(b[i:])))
			}
			left -= int64(len(b) / spanBytes)
			in.Discard(len(b))
		}
		if err := out.Close(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.attrs, func(x, y *column) int { return strings.Compare(x.name, y.name) })
	slices.Sort(s.names)
	for i, c := range s.attrs {
		attrs = append(attrs, metaAttr{Name: s.names[i]})
		for _, d := range derivations {
			if d.from != s.names[i] || slices.Contains(s.names, d.name) {
				continue
			}
			if _, err := c.derive("struct/"+s.name+"/attr/"+d.name, d.append); err != nil {
				return nil, err
			}
			attrs = append(attrs, metaAttr{Name: d.name, From: d.from})
		}
		if _, err := c.finish(w, memory); err != nil {
			return nil, err
		}
		for _, d := range c.derived {
			if _, err := d.finish(w, memory); err != nil {
				return nil, err
			}
		}
	}
	return attrs, nil
}

func (s *structBuilder) close() {
	s.spans.close()
	for _, c := range s.attrs {
		c.close()
	}
}

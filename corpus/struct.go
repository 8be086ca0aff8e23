package corpus

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"chaffinch/internal/bitpack"
)

// Struct holds all structures of one name, such as doc or s, numbered from 0 in
// corpus order. They do not overlap. A structure may be empty.
type Struct struct {
	name   string
	starts bitpack.Array
	ends   bitpack.Array
	size   int64 // tokens of the corpus
	attrs  []*Attr
}

// mostEmpty is the maximum number of structures that begin at token 0, where their
// numbers take no space. Other structures take at least a bit each.
const mostEmpty = 1 << 20

func (p *parser) structure(m metaStruct, size int64) *Struct {
	s := &Struct{name: m.Name, size: size}
	s.starts = p.array("struct/"+m.Name+"/starts", -1)
	if s.starts.Len() > maxTokens || s.starts.Len() > mostEmpty && s.starts.Len() > 8*s.starts.Size() {
		p.fail("section struct/%s/starts has %d entries", m.Name, s.starts.Len())
		return s
	}
	s.ends = p.array("struct/"+m.Name+"/ends", int64(s.starts.Len()))
	for _, a := range m.Attrs {
		s.attrs = append(s.attrs, p.attr("struct/"+m.Name+"/attr/"+a.Name, a.Name, int64(s.starts.Len()), a.From, s.attrs))
	}
	slices.SortFunc(s.attrs, func(a, b *Attr) int { return strings.Compare(a.name, b.name) })
	return s
}

// Name returns the name.
func (s *Struct) Name() string { return s.name }

// Len returns the number of structures.
func (s *Struct) Len() int { return s.starts.Len() }

// Span returns the tokens of structure i, end exclusive.
func (s *Struct) Span(i int) (start, end int64) {
	start = min(int64(s.starts.At(i)), s.size)
	return start, max(start, min(int64(s.ends.At(i)), s.size))
}

// after returns the first structure that begins after pos.
func (s *Struct) after(pos int64) int {
	return sort.Search(s.starts.Len(), func(i int) bool { return int64(s.starts.At(i)) > pos })
}

// Find returns the structure that holds the token pos.
func (s *Struct) Find(pos int64) (i int, ok bool) {
	i = s.after(pos) - 1
	if i < 0 {
		return 0, false
	}
	_, end := s.Span(i)
	return i, pos < end
}

// Attrs returns the names of the attributes, sorted.
func (s *Struct) Attrs() []string {
	names := make([]string, len(s.attrs))
	for i, a := range s.attrs {
		names[i] = a.name
	}
	return names
}

// Attr returns an attribute of the structures. Its size and positions count
// structures instead of tokens.
func (s *Struct) Attr(name string) (*Attr, error) {
	for _, a := range s.attrs {
		if a.name == name {
			return a, nil
		}
	}
	if len(s.attrs) == 0 {
		return nil, fmt.Errorf("structure %s has no attributes, wanted %s", s.name, name)
	}
	return nil, fmt.Errorf("structure %s has no attribute %s: it has %s", s.name, name, strings.Join(s.Attrs(), ", "))
}

// Value returns the value of an attribute of structure i, or "" if it is missing.
func (s *Struct) Value(attr string, i int) string {
	for _, a := range s.attrs {
		if a.name == attr {
			return a.Word(a.At(int64(i)))
		}
	}
	return ""
}

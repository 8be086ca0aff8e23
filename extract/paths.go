package extract

import "unicode/utf8"

// Limits of the paths of a page. Typical pages have some hundred paths and are seldom nested more
// than 50 deep.
const (
	maxPaths   = 8192 // distinct paths; elements below further ones share their path
	maxPath    = 256  // bytes of a path; the names of deeper elements are left out
	maxUnknown = 200  // names of unknown elements; further ones are "other"
)

// unknownName returns the name of an unknown element in paths: lower case, letters, digits, "-",
// "_" and ":", at most 32 bytes.
func (s *scan) unknownName(name string) string {
	if n, ok := s.unknown[name]; ok {
		return n
	}
	if s.unknown == nil {
		s.unknown = map[string]string{}
	}
	if len(s.unknown) >= maxUnknown {
		return "other"
	}
	b := make([]byte, 0, 32)
	for i := 0; i < len(name) && len(b) < cap(b); i++ {
		c := name[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c >= utf8.RuneSelf, c < '-', c == '.', c == '/':
			c = '_'
		}
		b = append(b, c)
	}
	n := string(b)
	s.unknown[name] = n
	return n
}

// pathNode is a node in the tree of element names: all "html.body.p" share one node.
type pathNode struct {
	parent, child, next int32
	from, to            int32 // span in scan.pathText; empty until a block needs it
	bytes               int16 // length of the path
	tag                 tagID
	name                string
}

// step returns the child of parent for an element t called name.
func (s *scan) step(parent int32, t tagID, name string) int32 {
	for n := s.paths[parent].child; n != 0; n = s.paths[n].next {
		if p := &s.paths[n]; p.tag == t && (t != tagUnknown || p.name == name) {
			return n
		}
	}
	n, bytes := int32(len(s.paths)), int(s.paths[parent].bytes)+len(".")+len(name)
	if n >= maxPaths || bytes > maxPath {
		return parent
	}
	s.paths = append(s.paths, pathNode{parent: parent, next: s.paths[parent].child, bytes: int16(bytes), tag: t, name: name})
	s.paths[parent].child = n
	return n
}

// addPath appends the path of node n to s.pathText: the names of the elements from the root to n,
// joined by dots.
func (s *scan) addPath(n int32) {
	if p := &s.paths[n]; p.to == 0 {
		p.from = int32(len(s.pathText))
		s.pathText = s.appendPath(s.pathText, n)
		p.to = int32(len(s.pathText))
	}
}

func (s *scan) appendPath(b []byte, n int32) []byte {
	p := &s.paths[n]
	if n > 0 {
		b = append(s.appendPath(b, p.parent), '.')
	}
	return append(b, p.name...)
}

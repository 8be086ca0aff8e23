package jsonl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"chaffinch/internal/jsonscan"
)

// Selection selects fields by name. The zero value selects all.
type Selection struct {
	names []string
	drop  bool // names lists the fields to omit
}

// Select returns a selection of the named fields or, if each name begins with a minus sign,
// of all other fields.
func Select(names []string) (Selection, error) {
	var s Selection
	for i, name := range names {
		rest, minus := strings.CutPrefix(name, "-")
		if rest == "" {
			return s, errors.New("a field without a name")
		}
		if i > 0 && minus != s.drop {
			return s, fmt.Errorf("fields %s: name those to keep, or with a minus in front of each those to leave out", strings.Join(names, ","))
		}
		s.names, s.drop = append(s.names, rest), minus
	}
	return s, nil
}

// Takes reports whether the field with the given name is selected.
func (s Selection) Takes(name string) bool {
	return len(s.names) == 0 || slices.Contains(s.names, name) != s.drop
}

// Unknown returns the names of the selection that are not in names.
func (s Selection) Unknown(names []string) (unknown []string) {
	for _, name := range s.names {
		if !slices.Contains(names, name) {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

// All reports whether all fields are selected.
func (s Selection) All() bool { return len(s.names) == 0 }

// Apply removes unselected fields from the object at byte from of dst, which must have been
// written by an encoder of this package.
func (s Selection) Apply(dst []byte, from int) []byte {
	if s.All() || len(dst) == from {
		return dst
	}
	scan := jsonscan.Scanner{B: dst[from:]}
	out := from // bytes of dst that are final
	put := func(b []byte) { out += copy(dst[out:], b) }
	scan.Take('{')
	put([]byte{'{'})
	first := true
	for more := !scan.Take('}'); more; more = scan.Take(',') {
		start := scan.I
		key, err := scan.Str()
		if err != nil || !scan.Take(':') || scan.Skip() != nil {
			return dst // not written by this package
		}
		if !s.Takes(string(key)) {
			continue
		}
		if !first {
			put([]byte{','})
		}
		first = false
		put(dst[from+start : from+scan.I])
	}
	put([]byte("}\n"))
	return dst[:out]
}

package jsonl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"chaffinch/internal/jsonscan"
)

// Selection chooses fields by their names. Its zero value takes all.
type Selection struct {
	names []string
	drop  bool // the names are those that are left out
}

// Select returns the selection of the fields that are named, or, if each name
// has a minus in front, of all but these.
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

// Takes tells whether the field of that name is chosen.
func (s Selection) Takes(name string) bool {
	return len(s.names) == 0 || slices.Contains(s.names, name) != s.drop
}

// All tells whether every field is chosen.
func (s Selection) All() bool { return len(s.names) == 0 }

// Apply leaves the fields of the object that begins at byte from of dst, and that
// an encoder of this package wrote, out that are not chosen.
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
			return dst // not of ours
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

package translated

import (
	"unicode/utf8"

	"chaffinch/internal/swar"
)

// rules holds the marks of an element, and what one of their attributes must have, to pass over
// nearly all elements without comparing patterns.
type rules struct {
	marks []mark
	need  []need
}

// need is an attribute that a mark requires.
type need struct {
	attr  string
	any   bool                       // whatever its value is
	grams [1 << gramBits / 64]uint64 // hashes of gramBytes bytes of each pattern, one bit each
}

const (
	gramBytes = 8
	gramBits  = 12
)

// add adds a mark. Its longest part must occur in a value.
func (r *rules) add(k mark) {
	r.marks = append(r.marks, k)
	best, part := 0, ""
	for i, a := range k.attrs {
		for _, p := range a.pattern {
			if len(p) > len(part) {
				best, part = i, p
			}
		}
	}
	n := r.needOf(k.attrs[best].name)
	if len(part) < gramBytes {
		n.any = true
		return
	}
	g := gram(part[len(part)-gramBytes:]) // other addresses often begin alike
	n.grams[g/64] |= 1 << (g % 64)
}

// needOf returns the need for an attribute, a new one if there is none.
func (r *rules) needOf(attr string) *need {
	for i := range r.need {
		if r.need[i].attr == attr {
			return &r.need[i]
		}
	}
	r.need = append(r.need, need{attr: attr})
	return &r.need[len(r.need)-1]
}

// mayHold reports whether an element with these attributes has what a mark needs.
func (r *rules) mayHold(value func(name string) (string, bool)) bool {
	for i := range r.need {
		n := &r.need[i]
		if v, ok := value(n.attr); ok && (n.any || n.occursIn(v[:min(len(v), maxValue)])) {
			return true
		}
	}
	return false
}

// occursIn reports whether value may have a part of a pattern, regardless of case.
func (n *need) occursIn(value string) bool {
	for i := range len(value) - gramBytes + 1 {
		if g := gram(value[i:]); n.grams[g/64]>>(g%64)&1 == 1 {
			return true
		}
	}
	for i := range len(value) {
		if value[i] >= utf8.RuneSelf { // lower case may be ASCII
			return true
		}
	}
	return false
}

// gram returns the hash of the first eight bytes of s, regardless of case.
func gram(s string) uint64 {
	return (swar.Load(s) | ' '*swar.Ones) * 0x9E3779B97F4A7C15 >> (64 - gramBits)
}
